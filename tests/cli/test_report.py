"""``isoalign report``, ``plot`` and ``demo``."""

import json
from pathlib import Path

import numpy as np
import pytest

import isoalign as ia
from unit.reporting import planted

SMALL = Path(__file__).parent.parent / "reference" / "small"


@pytest.fixture
def results(tmp_path):
    folder = tmp_path / "results"
    folder.mkdir()
    lines = [json.dumps(record.to_dict()) + "\n" for record in planted.two_pairs()]
    (folder / "records.jsonl").write_text("".join(lines), encoding="utf-8")
    return folder


def test_report_writes_one_page(run, tmp_path, results):
    done = run("report", results, "-o", tmp_path / "r.html", "--title", "Two languages")
    assert (done.code, done.out) == (0, f"wrote {tmp_path / 'r.html'}\n")
    text = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "<h1>Two languages</h1>" in text
    assert "of 12 cells meet the published value" in text


def test_report_prints_markdown_where_no_file_is_named(run, results):
    assert "| en–ja | 1.7<br>" in run("report", results).out
    found = json.loads(run("report", results, "--json").out)
    assert found["schema"] == "isoalign/report/1"
    assert found["records"] == 18


@pytest.mark.parametrize(("name", "sign"), [("t.md", "| --- |"), ("t.tex", r"\toprule"), ("t.csv", "published_table1")])
def test_the_suffix_chooses_the_format_of_the_tables(run, tmp_path, results, name, sign):
    assert run("report", results, "-o", tmp_path / name).code == 0
    assert sign in (tmp_path / name).read_text(encoding="utf-8")


def test_report_refuses_what_it_cannot_do(run, tmp_path, results):
    (tmp_path / "r.html").touch()
    assert run("report", results, "-o", tmp_path / "r.html").code == 2
    assert run("report", results, "-o", tmp_path / "r.docx").code == 2
    assert run("report", tmp_path / "missing").code == 5


def test_plot_neighbors_takes_the_sample_where_no_file_is_named(run, tmp_path):
    done = run("plot", "neighbors", "girl", "少女", "-k", 3, "-o", tmp_path / "n.svg")
    assert done.code == 0
    assert "boy" in done.out
    svg = (tmp_path / "n.svg").read_text(encoding="utf-8")
    assert "少女, normalised" in svg
    assert "少年 (boy)" in svg
    assert run("plot", "neighbors", "girl", "-o", tmp_path / "n.svg").code == 2
    assert run("plot", "neighbors", "gril", "-o", tmp_path / "m.svg").code == 5


def test_plot_neighbors_explains_words_by_a_dictionary(run, tmp_path):
    (tmp_path / "d.tsv").write_text("maiden\t少女\n", encoding="utf-8")
    assert run("plot", "neighbors", "girl", "少女", "-d", tmp_path / "d.tsv", "-o", tmp_path / "n.svg").code == 0
    assert "少女 (maiden), normalised" in (tmp_path / "n.svg").read_text(encoding="utf-8")


def test_plot_convergence_draws_a_curve_a_file(run, tmp_path):
    files = [SMALL / "source.vec", SMALL / "target.vec"]
    done = run("plot", "convergence", *files, "-o", tmp_path / "c.svg", "--json")
    assert [len(rounds) for rounds in json.loads(done.out)["rounds"].values()] == [5, 5]
    assert "target.vec, λ" in (tmp_path / "c.svg").read_text(encoding="utf-8")


def test_plot_spaces_draws_pairs_of_a_dictionary(run, tmp_path):
    source, target = (ia.read_vectors(SMALL / f"{side}.vec") for side in ("source", "target"))
    ia.align(source, target, ia.read_lexicon(SMALL / "train.txt")).save(tmp_path / "model")
    arguments = ["plot", "spaces", tmp_path / "model", "-d", SMALL / "test.txt", "-n", 4]
    found = json.loads(run(*arguments, "-o", tmp_path / "s.svg", "--json").out)
    assert len(found["pairs"]) == 4
    svg = (tmp_path / "s.svg").read_text(encoding="utf-8")
    assert all(word in svg for pair in found["pairs"] for word in pair)


@pytest.mark.slow
def test_demo_prints_what_the_report_holds(run, tmp_path, monkeypatch):
    from unit.reporting.small_demo import make_demo

    monkeypatch.setattr("isoalign.reporting.run_demo", lambda *, progress: make_demo())
    done = run("demo", "-o", tmp_path / "demo")
    assert done.code == 0
    for title in (
        "Two conditions",
        "P@1 in per cent",
        "help?",
        "Nearest neighbours",
        "Ten translations",
        "JMdict/EDICT",
    ):
        assert title in done.out
    assert done.out.endswith(f"wrote {tmp_path / 'demo' / 'report.html'}\n")
    assert run("demo", "-o", tmp_path / "demo").code == 2
    found = json.loads(run("demo", "-o", tmp_path / "other", "--json").out)
    np.testing.assert_equal([len(found[name]) for name in ("records", "neighborhoods", "forward")], [15, 4, 10])
