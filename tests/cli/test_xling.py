"""XLING from its files to its report, on made-up languages."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import isoalign as ia
from isoalign.datasets import find_dataset
from isoalign.experiments import load_sweep, sweep

WORDS, DIM = 130, 8
SIZES = {"500": 20, "1k": 40, "3k": 60, "5k": 80}


def write_languages(folder: Path) -> dict[str, np.ndarray]:
    """Write three languages whose n-th words translate each other."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((WORDS, DIM))
    spaces = {}
    for lang in ("en", "fr", "ru"):
        turn = np.linalg.qr(rng.standard_normal((DIM, DIM)))[0]
        spaces[lang] = (X @ turn + 0.3 * rng.standard_normal(X.shape)).astype(np.float32)
        ia.write_vectors(ia.Embeddings([f"{lang}{i}" for i in range(WORDS)], spaces[lang]), folder / f"{lang}.vec")
    return spaces


def write_dictionaries(folder: Path, pairs) -> None:
    """Write dictionaries as XLING has them: tabs, capitals here and there, an unknown word in the test."""
    for source, target in pairs:
        lines = [f"{source.title()}{i}\t{target}{i}\n" for i in range(WORDS)]
        for size, n in SIZES.items():
            (folder / f"yacle.train.freq.{size}.{source}-{target}.tsv").write_text("".join(lines[:n]))
        (folder / f"yacle.test.freq.2k.{source}-{target}.tsv").write_text("".join(lines[80:]) + "unknown\tnothing\n")


def mean_reciprocal_rank(X, Y, n):
    """Compute MAP by the definition: rotation from the first n words, cosine ranks of the others among all targets."""
    U, _, Vt = np.linalg.svd(X[:n].astype(np.float64).T @ Y[:n])
    mapped = X[80:] @ (U @ Vt)
    cosines = (mapped / np.linalg.norm(mapped, axis=1, keepdims=True)) @ (
        Y / np.linalg.norm(Y, axis=1, keepdims=True)
    ).T
    gold = cosines[np.arange(len(mapped)), np.arange(80, WORDS)]
    return (1 / (cosines >= gold[:, None]).sum(axis=1)).mean()


@pytest.fixture(scope="module")
def xling(tmp_path_factory):
    folder = tmp_path_factory.mktemp("xling")
    spaces = write_languages(folder)
    write_dictionaries(folder, [("en", "fr"), ("ru", "fr")])
    return folder, spaces


@pytest.fixture
def reproduced(xling, run, monkeypatch, tmp_path_factory):
    folder, spaces = xling
    monkeypatch.setenv("ISOALIGN_CACHE", str(folder))
    results = tmp_path_factory.getbasetemp() / "xling-results"
    done = run(
        "reproduce", "xling", "--pairs", "en-fr,ru-fr", "--vectors", folder / "{lang}.vec", "-o", results, "--json"
    )
    return results, spaces, done


@pytest.mark.slow
def test_every_size_of_dictionary_has_its_map_and_the_report_shows_it(reproduced, run, tmp_path):
    results, spaces, done = reproduced
    assert done.code == 0, done.err
    found = json.loads(done.out)
    records = {
        (one["cell"]["source"], one["cell"]["size"]): one["values"]
        for one in found["records"]
        if (one["cell"]["method"], one["cell"]["normalize"]) == ("procrustes", "none")
    }
    assert len(records) == 2 * len(SIZES)
    for (source, size), values in records.items():
        expected = mean_reciprocal_rank(spaces[source], spaces["fr"], SIZES[size])
        assert values["mrr"] == pytest.approx(expected, abs=1e-6)
        assert values["n"] == WORDS - 80  # the unknown pair leaves the denominator
        assert values["mrr_ci95"][0] <= values["mrr"] <= values["mrr_ci95"][1]
    assert run("report", results, "-o", tmp_path / "report.html").code == 0
    page = (tmp_path / "report.html").read_text("utf-8")
    assert "MAP, NN retrieval, training dictionary 5k" in page
    assert "Comparison with a published method" in page
    assert "authors’ own result files" in page
    assert ">67.9<" in page  # en–fr
    assert ">49.7<" in page  # ru–fr
    assert ">44.2<" not in page  # the average of all 28 pairs is no average of two
    table = run("report", results).out
    assert table.count("training dictionary") == len(SIZES)
    assert "en–fr, 5k" in table
    records = (results / "records.jsonl").read_text("utf-8")
    (tmp_path / "records.jsonl").write_text(records.replace("yacle.test.", "own.test."), "utf-8")
    assert run("report", tmp_path / "records.jsonl", "-o", tmp_path / "own.html").code == 0
    assert "Comparison with a published method" not in (tmp_path / "own.html").read_text("utf-8")


def test_own_files_may_be_named_one_by_one(xling, run, monkeypatch, tmp_path):
    folder, _ = xling
    monkeypatch.setenv("ISOALIGN_CACHE", str(folder))
    monkeypatch.chdir(folder)
    given = [part for lang in ("en", "fr") for part in ("--vectors", f"{lang}={lang}.vec")]
    plan = json.loads(run("reproduce", "xling", "--pairs", "en-fr", *given, "--dry-run", "--json").out)
    assert {cell["size"] for cell in plan["cells"]} == set(SIZES)
    missing = run("reproduce", "xling", "--pairs", "ru-fr", *given, "-o", tmp_path / "r")
    assert missing.code == 2
    assert "data.vectors has no entry for 'ru'" in missing.err


def test_the_dictionaries_have_addresses():
    dataset = find_dataset("yacle.train.freq.5k.en-fr.tsv")
    assert dataset.url.startswith("https://raw.githubusercontent.com/codogogo/xling-eval/")


@pytest.mark.slow
def test_real_vectors_take_the_same_way(shared_data, monkeypatch, tmp_path):
    known = {}
    for lang in ("en", "fr"):
        file = shared_data / "data" / f"{lang}.spacymd300.vec.gz"
        known[lang] = ia.read_vectors(file, limit=5000)
        shutil.copy(file, tmp_path / f"{lang}.vec.gz")
    pairs = {}
    for source, target in ia.read_lexicon(shared_data / "data" / "en-fr.train.txt"):
        if source in known["en"] and target in known["fr"]:
            pairs.setdefault(source, target)
    lines = [f"{source}\t{target}\n" for source, target in pairs.items()]
    for size, n in {"500": 200, "1k": 400, "3k": 700, "5k": 1000}.items():
        (tmp_path / f"yacle.train.freq.{size}.en-fr.tsv").write_text("".join(lines[:n]))
    (tmp_path / "yacle.test.freq.2k.en-fr.tsv").write_text("".join(lines[1000:1400]))
    monkeypatch.setenv("ISOALIGN_CACHE", str(tmp_path))
    config = load_sweep("xling", pairs=["en-fr"], vectors=str(tmp_path / "{lang}.vec.gz"), limit=5000)
    grid = replace(config.grid, methods=("procrustes",), normalize=("iternorm",))
    found = sweep(replace(config, grid=grid), tmp_path / "results")
    assert not found.failures
    scores = {record.cell.size: record.score[0] for record in found.records}
    assert scores["500"] < scores["5k"]
    assert scores["5k"] > 0.3
