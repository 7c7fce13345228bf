"""``isoalign induce``: dictionaries that other commands and spreadsheets read."""

import csv
import json

import numpy as np
import pytest

import isoalign as ia
from token_files import piece_tokenizer


def test_an_induced_csv_file_is_a_dictionary_for_the_next_alignment(run, small_files, small_model, tmp_path):
    assert run("induce", small_model, "-o", tmp_path / "x.csv", "--no-mutual").code == 0
    assert (tmp_path / "x.csv").read_text().startswith("source,target,score")
    found = run("align", *small_files[:2], "-d", tmp_path / "x.csv", "-o", tmp_path / "again")
    assert found.code == 0, found.err
    assert "600 of 600 pairs known" in found.out


def test_alternatives_come_with_rank_mutual_flag_and_both_scores(run, small_model, tmp_path):
    assert run("induce", small_model, "-o", tmp_path / "x.csv", "-k", 3, "--no-mutual").code == 0
    with (tmp_path / "x.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == ["source", "target", "score", "rank", "mutual", "cosine"]
    assert len(rows) == 3 * 600
    assert [row["rank"] for row in rows[:3]] == ["1", "2", "3"]
    model = ia.Alignment.load(small_model)
    best = ia.Translator(model).translate(rows[0]["source"], k=3)
    assert [row["target"] for row in rows[:3]] == [entry.word for entry in best]
    cosines = ia.Translator(model, retrieval="nn").translate(rows[0]["source"], k=600)
    assert abs(dict(cosines)[rows[1]["target"]] - float(rows[1]["cosine"])) < 1e-5
    mutual = {(row["source"], row["target"]) for row in rows if row["mutual"] == "yes"}
    assert mutual == set(ia.induce_lexicon(model))
    assert {row["rank"] for row in rows if row["mutual"] == "yes"} == {"1"}


def test_between_tabs_a_header_is_written_on_request(run, small_model, tmp_path):
    plain = run("induce", small_model, "--top", 2).out.splitlines()
    assert [len(line.split("\t")) for line in plain] == [3, 3]
    headed = run("induce", small_model, "--top", 2, "--header").out.splitlines()
    assert headed[0] == "source\ttarget\tscore\trank\tmutual\tcosine"
    assert [line.split("\t")[:3] for line in headed[1:]] == [line.split("\t") for line in plain]
    assert run("induce", small_model, "--top", 2, "--header", "-o", tmp_path / "x.tsv").code == 0
    assert len(ia.read_lexicon(tmp_path / "x.tsv")) == 2
    assert run("induce", small_model, "--top", 2, "--csv").out.startswith("source,target,score,rank,mutual,cosine\n")
    first = json.loads(run("induce", small_model, "--top", 2, "--json").out)["pairs"][0]
    assert (first["rank"], first["mutual"]) == (1, True)


def test_a_dictionary_for_wechsel_has_two_columns_and_nothing_else(run, small_model, tmp_path):
    assert run("induce", small_model, "--format", "wechsel", "-o", tmp_path / "d.txt").code == 0
    text = (tmp_path / "d.txt").read_text(encoding="utf-8")
    pairs = [tuple(line.split("\t")) for line in text.split("\n")[:-1]]
    assert pairs == list(ia.induce_lexicon(ia.Alignment.load(small_model)))


def test_a_table_for_trans_tokenization_has_probabilities_and_counts(run, small_model, tmp_path):
    options = ["--format", "fast-align", "-k", 4, "--no-mutual", "-o", tmp_path / "d.tsv"]
    assert run("induce", small_model, *options).code == 0
    rows = [line.split("\t") for line in (tmp_path / "d.tsv").read_text(encoding="utf-8").splitlines()]
    assert len(rows) == 4 * 600
    found = ia.induce_dictionary(ia.Alignment.load(small_model), best=4, mutual=False)
    cosines = np.array([entry.cosine for entry in found]).reshape(600, 4)
    shares = np.exp(cosines / 0.1) / np.exp(cosines / 0.1).sum(axis=1, keepdims=True)
    np.testing.assert_allclose([float(row[2]) for row in rows], np.log(shares).ravel(), atol=1e-5)
    expected = np.maximum(10, 10 * 600 * shares / np.arange(1, 601)[:, None]).ravel()
    np.testing.assert_allclose([int(row[3]) for row in rows], expected, atol=0.51)
    assert [tuple(row[:2]) for row in rows] == [(entry.source, entry.target) for entry in found]


def test_words_become_tokens_where_tokenizers_are_given(run, animals, tmp_path):
    piece_tokenizer(["ca", "##t", "dog", "##s", "river"]).save(str(tmp_path / "old.json"))
    piece_tokenizer(["猫", "犬", "川"]).save(str(tmp_path / "new.json"))
    tokenizers = ["--source-tokenizer", tmp_path / "old.json", "--target-tokenizer", tmp_path / "new.json"]
    found = run("induce", animals, "--format", "fast-align", *tokenizers).out.splitlines()
    assert [line.split("\t")[:2] for line in found] == [["ca—##t", "猫"], ["dog", "犬"], ["river", "川"]]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--format", "giza"], "--format must be one of 'fast-align', 'wechsel'"),
        (["--format", "wechsel", "--csv"], "--format wechsel is separated by tabs"),
        (["--format", "wechsel", "-o", "x.csv"], "--format wechsel is separated by tabs"),
        (["--source-tokenizer", "x"], "--source-tokenizer and --target-tokenizer go together"),
    ],
    ids=["unknown", "csv", "csv-file", "tokenizer"],
)
def test_options_that_do_not_go_together_are_refused(run, animals, options, message):
    done = run("induce", animals, *options)
    assert (done.code, message in done.err) == (2, True), done.err
