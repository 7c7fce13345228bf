"""What a command will cost is said before it is run, and nothing is written."""

import json

import pytest

import isoalign as ia
from isoalign.cli import _costs


@pytest.fixture(autouse=True)
def known_rate(monkeypatch):
    monkeypatch.setattr("isoalign.experiments.measure_rate", lambda: 1e9)


@pytest.mark.parametrize("command", ["normalize", "apply", "evaluate", "induce"])
def test_a_dry_run_says_operations_and_bytes_and_writes_nothing(run, small_files, small_model, tmp_path, command):
    source, _, lexicon = small_files
    arguments = {
        "normalize": ("normalize", source, tmp_path / "out"),
        "apply": ("apply", small_model, source, tmp_path / "out"),
        "evaluate": ("evaluate", "bli", small_model, "-d", lexicon),
        "induce": ("induce", small_model, "-o", tmp_path / "out"),
    }[command]
    done = run(*arguments, "--dry-run", "--json")
    assert done.code == 0, done.err
    cost = json.loads(done.out)
    n, dim = ia.Alignment.load(small_model).raw().shape
    assert cost["operations"] >= 2 * n * dim
    assert cost["read"] >= 4 * n * dim
    assert "TFLOP" in run(*arguments, "--dry-run").out
    assert list(tmp_path.iterdir()) == []


def test_a_limit_lowers_the_cost(run, small_files, small_model, tmp_path):
    for arguments in (
        ("normalize", small_files[0], tmp_path / "o"),
        ("apply", small_model, small_files[0], tmp_path / "o"),
    ):
        whole, part = (
            json.loads(run(*arguments, "--dry-run", "--json", *options).out) for options in ((), ("--limit", 10))
        )
        assert part["operations"] == whole["operations"] * 10 / ia.read_vectors(small_files[0]).shape[0]


@pytest.mark.parametrize("options", [("--method", "unit"), ("--tol", "1e-6"), ("--set", "zero=keep")])
def test_a_dry_run_says_what_it_can_estimate(run, small_files, small_model, tmp_path, options):
    refused = run("normalize", small_files[0], tmp_path / "o", "--dry-run", *options)
    assert (refused.code, refused.out) == (2, "")
    assert "--dry-run estimates iternorm" in refused.err
    refused = run("evaluate", "bli", small_model, "-d", small_files[2], "--dry-run", "--retrieval", "nn")
    assert "--dry-run estimates --retrieval csls only" in refused.err


def test_a_folder_of_parts_counts_its_parts(small_files, tmp_path):
    ia.write_vectors(ia.read_vectors(small_files[0]), tmp_path / "x.parts")
    n, dim, parts = _costs.count_parts(tmp_path / "x.parts")
    assert (n, dim, parts) == (*ia.read_vectors(small_files[0]).shape, 1)


def test_limit_leaves_all_other_words_out(run, small_model):
    rows = run("induce", small_model, "--limit", 50, "--no-mutual").out.splitlines()
    model = ia.Alignment.load(small_model).head(50)
    assert len(rows) == 50
    assert {row.split("\t")[1] for row in rows} <= set(model.raw(model.names[1]).index_to_key)
