"""``evaluate`` and ``compare`` with real files."""

import json

import pytest

import isoalign as ia
from ranked_model import ranked_model

ORDERS = {"one": [0, 1], "two": [1, 0], "three": [2]}


@pytest.fixture
def files(tmp_path):
    """Two aligned files, a test dictionary, a model and a second, worse one."""
    model = ranked_model(ORDERS)
    for side, name in (("source", "aa"), ("target", "bb")):
        ia.write_vectors(model.raw(name), tmp_path / f"{side}.vec")
    model.save(tmp_path / "good")
    ranked_model({**ORDERS, "two": [5, 1]}).save(tmp_path / "worse")
    (tmp_path / "test.txt").write_text("one\tt0\ntwo\tt1\nthree\tt4\n")
    return tmp_path


@pytest.fixture
def aligned(files):
    return ("--source", files / "source.vec", "--target", files / "target.vec")


def test_bli_prints_a_table_with_intervals(run, files):
    found = run("evaluate", "bli", files / "good", "--lexicon", files / "test.txt", "--retrieval", "nn")
    assert found.code == 0, found.err
    assert found.out.startswith("muse, Cosine()")
    assert "66.7 [0.0, 100.0]" in found.out
    assert "100.0%" in found.out


def test_two_aligned_files_score_as_the_model(run, files, aligned):
    outputs = [
        json.loads(run("evaluate", "bli", *what, "--lexicon", files / "test.txt", "--json").out)["results"]
        for what in ((files / "good",), aligned)
    ]
    assert outputs[0][0]["precision"] == outputs[1][0]["precision"]
    assert outputs[0][0]["answers"] == outputs[1][0]["answers"]


def test_a_bad_line_of_a_dictionary_stops_or_is_left_out_and_counted(run, files, aligned):
    (files / "dirty.txt").write_text("one\tt0\nalone\ntwo\tt1\nthree\tt4\n")
    for command in (("bli", files / "good"), ("isomorphism", *aligned, "--normalize", "none", "--n-words", 3)):
        refused = run("evaluate", *command, "--lexicon", files / "dirty.txt")
        assert refused.code == 3
        assert "dirty.txt:2: " in refused.err
        taken = run("evaluate", *command, "--lexicon", files / "dirty.txt", "--skip-bad")
        assert taken.code == 0, taken.err
        assert "1 bad line" in taken.err


def test_both_directions_bands_and_names_become_lines(run, files):
    options = ("--both-directions", "--band", 1, "-k", 1, "-k", 2, "--protocol", "fasttext")
    found = run("evaluate", "bli", files / "good", "--lexicon", files / "test.txt", *options)
    for text in ("aa → bb", "bb → aa", "source words 1–1", "source words from 2", "P@2", "MRR@2"):
        assert text in found.out


def test_words_go_to_a_table_that_is_not_overwritten_unasked(run, files):
    options = ("evaluate", "bli", files / "good", "--lexicon", files / "test.txt", "--retrieval", "nn", "-k", 2)
    assert run(*options, "--words", files / "w.tsv").code == 0
    lines = (files / "w.tsv").read_text().split("\n")
    assert lines[0].split("\t") == [
        *("result", "word", "frequency_rank", "rank", "right"),
        *("candidate_1", "score_1", "candidate_2", "score_2"),
    ]
    assert lines[1].split("\t")[:6] == ["1", "one", "1", "1", "t0", "t0"]
    assert lines[3].split("\t")[:5] == ["1", "three", "3", ">2", "t4"]
    assert run(*options, "--words", files / "w.tsv").code == 2
    assert run(*options, "--words", files / "w.tsv", "--force").code == 0


def test_compare_takes_folders_and_results(run, files):
    for name in ("good", "worse"):
        options = ("--lexicon", files / "test.txt", "--retrieval", "nn", "--json")
        (files / f"{name}.json").write_text(run("evaluate", "bli", files / name, *options).out)
    folders = run(
        "compare", files / "good", files / "worse", "--lexicon", files / "test.txt", "--retrieval", "nn", "--json"
    )
    results = run("compare", files / "good.json", files / "worse.json", "--json", "--words", files / "d.tsv")
    assert folders.code == results.code == 0
    assert json.loads(folders.out)["comparisons"] == json.loads(results.out)["comparisons"]
    assert (files / "d.tsv").read_text().split("\n")[1] == "1\ttwo\tt1\t1\t2\tt1\tt5"
    text = run("compare", files / "good.json", files / "worse.json").out
    assert "+33.3 [+0.0, +100.0]" in text
    assert "n = 3, protocol muse" in text


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("evaluate", "bli", "--lexicon", "test.txt"), 2, "two aligned files"),
        (("evaluate", "bli", "good", "--lexicon", "nothing.txt"), 5, "no such file"),
        (("evaluate", "bli", "nothing", "--lexicon", "test.txt"), 5, "no such folder"),
        (("evaluate", "bli", "good", "--lexicon", "test.txt", "--protocol", "mues"), 2, "Did you mean 'muse'"),
        (("evaluate", "bli", "good", "--lexicon", "test.txt", "--limit", "2"), 2, "--limit applies to files"),
        (("compare", "good", "worse"), 2, "--lexicon"),
        (("compare", "test.txt", "test.txt"), 3, "not a result of"),
    ],
)
def test_wrong_use_has_a_message_and_a_code(run, files, monkeypatch, arguments, code, message):
    monkeypatch.chdir(files)
    found = run(*arguments)
    assert found.code == code
    assert message in found.err


def test_results_of_different_directions_are_not_compared(run, files):
    options = ("evaluate", "bli", files / "good", "--lexicon", files / "test.txt", "--json")
    (files / "one.json").write_text(run(*options).out)
    (files / "both.json").write_text(run(*options, "--both-directions").out)
    found = run("compare", files / "one.json", files / "both.json")
    assert found.code == 2
    assert "same number of results" in found.err


def test_similarity_scores_one_language_or_two(run, files, aligned):
    (files / "mono.txt").write_text("one two 9\none three 1\ntwo three 2\nzero one 5\n")
    (files / "cross.txt").write_text("one t0 9\none t5 1\ntwo t1 8\n")
    mono = run("evaluate", "similarity", files / "mono.txt", "--source", files / "source.vec")
    assert mono.code == 0, mono.err
    assert "3/4" in mono.out
    for what in (aligned, ("--model", files / "good")):
        found = json.loads(run("evaluate", "similarity", files / "cross.txt", *what, "--json").out)
        assert found["results"][0]["cross_lingual"]
        assert found["results"][0]["n"] == 3


def test_isomorphism_measures_before_and_after(run, files, aligned):
    found = run("evaluate", "isomorphism", *aligned, "--lexicon", files / "test.txt", "--normalize", "unit")
    assert found.code == 0, found.err
    assert "after unit" in found.out
    data = json.loads(run("evaluate", "isomorphism", files / "good", "--json").out)
    assert data["schema"] == "isoalign/evaluate-isomorphism/1"
    assert data["after"]["modularity"] is not None
