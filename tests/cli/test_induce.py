"""``isoalign induce``: dictionaries that other commands and spreadsheets read."""

import csv
import json

import isoalign as ia


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
