"""Change of meaning from files to tables, JSON and a report."""

import csv
import json

import pytest

import isoalign as ia
from isoalign.drift import read_drift
from planted_drift import planted_drift


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("drift")
    old, new, changed = planted_drift(planted=8, words=400)
    ia.write_vectors(old, folder / "1900.vec")
    ia.write_vectors(new, folder / "2000.vec")
    ia.write_vectors(planted_drift(seed=5, words=400)[0], folder / "later.vec")
    (folder / "targets.txt").write_text("\n".join([*sorted(changed), *old.index_to_key[:20]]) + "\n")
    gold = {word: float(word in changed) for word in [*sorted(changed), *old.index_to_key[:20]]}
    (folder / "gold.tsv").write_text("word\tscore\n" + "".join(f"{word}\t{score}\n" for word, score in gold.items()))
    return folder, changed


def test_a_table_a_file_for_the_page_and_a_report_are_written(files, run, tmp_path):
    folder, changed = files
    table, report = tmp_path / "drift.csv", tmp_path / "report.html"
    done = run(
        "drift", folder / "1900.vec", folder / "2000.vec", "--measure", "cd,lnd", "-o", table, "--report", report
    )
    assert done.code == 0, done.err
    assert "1900 → 2000" in done.out
    with table.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row["word"] for row in rows[:8]} == changed
    assert all(float(row["cd_q"]) <= 0.05 for row in rows[:8])
    assert len(rows[0]["then"].split(" ")) == len(rows[0]["now"].split(" ")) == 10
    page = report.read_text("utf-8")
    assert all(f"<td>{word}</td>" in page for word in changed)
    assert "default-src &#x27;none&#x27;" in page
    again = run("drift", folder / "1900.vec", folder / "2000.vec", "-o", table)
    assert again.code == 2
    assert "pass -f" in again.err


def test_judged_words_are_correlated_and_json_has_everything(files, run, tmp_path):
    folder, changed = files
    given = ["--words", folder / "targets.txt", "--gold", folder / "gold.tsv", "--robust"]
    done = run("drift", folder / "1900.vec", folder / "2000.vec", *given, "--json", "-o", tmp_path / "drift.json")
    data = json.loads(done.out)
    assert data["schema"] == "isoalign/drift/1"
    assert {word["word"] for word in data["words"][:8]} == changed
    gold = data["gold"][0]
    assert gold["n"] == gold["n_gold"] == len(data["words"])
    assert gold["ci95"]["cd"][0] <= gold["spearman"]["cd"] <= gold["ci95"]["cd"][1]
    assert len(read_drift(tmp_path / "drift.json").words) == len(data["words"])
    text = run("drift", folder / "1900.vec", folder / "2000.vec", *given).out
    assert f"cd: Spearman {gold['spearman']['cd']:.3f} [" in text


def test_many_periods_are_told_step_by_step(files, run, tmp_path):
    folder, _ = files
    periods = [f"then={folder / '1900.vec'}", f"mid={folder / '2000.vec'}", f"now={folder / 'later.vec'}"]
    done = run(
        "drift", *periods, "--top", 1, "-o", tmp_path / "drift.tsv", "--null", folder / "1900.vec", folder / "2000.vec"
    )
    assert done.code == 0, done.err
    assert [line for line in done.out.split("\n") if " → " in line] == ["then → mid", "mid → now", "then → now"]
    assert (tmp_path / "drift.tsv").read_text("utf-8").startswith("from\tto\tword\t")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["1900.vec"], 2, "at least two files"),
        (["1900.vec", "1900.vec"], 2, "Periods need different names"),
        (["1900.vec", "2000.vec", "--measure", "jsd"], 2, "measures must be one of"),
        (["1900.vec", "missing.vec"], 5, "missing.vec"),
        (["1900.vec", "2000.vec", "--gold", "targets.txt"], 3, "expected 2 columns"),
    ],
    ids=["one file", "same name", "unknown measure", "missing file", "no scores"],
)
def test_mistakes_are_told_in_one_line(files, run, monkeypatch, arguments, code, message):
    monkeypatch.chdir(files[0])
    done = run("drift", *arguments)
    assert done.code == code
    assert message in done.err
    assert done.err.count("\n") == 1
