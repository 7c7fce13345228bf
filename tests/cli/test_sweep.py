"""``sweep`` and ``reproduce``: tables, resumption, cost, and the paper's sweep against a server on loopback."""

import json
import re

import pytest

from isoalign.experiments import load_records
from unit.datasets.file_server import FileServer
from unit.experiments.tiny import CONFIG, write_tiny

SMALL = CONFIG.replace('["de", "fr"]', '["de"]').replace('"center_length", ', "")


@pytest.fixture
def config(tmp_path):
    return write_tiny(tmp_path, SMALL)


def test_sweep_prints_its_cells_and_goes_on_where_it_stopped(run, config, tmp_path):
    found = run("sweep", config, "-o", tmp_path / "r", "--threads", 1)
    assert found.code == 0
    assert "10 cells computed, 0 existed already" in found.err
    refine = next(line.split() for line in found.out.split("\n") if "refine" in line and "iternorm" in line)
    assert refine[:6] == ["en-de", "iternorm", "refine", "csls", "0", "P@1"]
    assert float(refine[7]) >= float(refine[6]) > 50
    again = run("sweep", config, "-o", tmp_path / "r", "--threads", 1)
    assert "0 cells computed, 10 existed already" in again.err
    assert again.out == found.out


def test_sweep_as_json_has_every_record(run, config, tmp_path):
    found = json.loads(run("sweep", config, "-o", tmp_path / "r", "--threads", 1, "--json", "-q").out)
    assert found["schema"] == "isoalign/sweep/1"
    assert [record["key"] for record in found["records"]] == [record.key for record in load_records(tmp_path / "r")]


def test_dry_run_lists_the_cells_and_the_time(run, config, tmp_path):
    found = run("sweep", config, "--dry-run", "--threads", 1)
    assert found.out.count("rcsls") == 2
    assert re.search(r"\n10 cells, about (<1|\d+) s at \d+ GFLOP/s, measured", found.out)
    assert not (tmp_path / "r").exists()


def test_dry_run_of_the_paper_counts_hours_without_any_file(run, tmp_path, monkeypatch):
    monkeypatch.setenv("ISOALIGN_CACHE", str(tmp_path / "cache"))
    found = json.loads(run("reproduce", "iternorm-acl2019", "--targets", "ja,zh", "--dry-run", "--json").out)
    assert len(found["cells"]) == 12 + 2 * 3 * 4
    # All words with all words are 2 · 200,000² · 300 operations; lazy CSLS needs a part of them for one accuracy.
    costs = {cell["method"]: cell["gflop"] for cell in found["cells"] if cell["kind"] == "bli"}
    assert costs["refine"] > 5 * 24_000 > 24_000 > costs["procrustes"] > 2_400
    assert found["hours"] == pytest.approx(
        sum(cell["gflop"] for cell in found["cells"]) / found["gflop_per_second"] / 3600
    )


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("reproduce", "smaple", "-o", "r"), 2, "Did you mean 'sample'?"),
        (("reproduce", "sample", "--targets", "de", "-o", "r"), 2, "targets must be one of 'ja'"),
        (("reproduce", "sample"), 2, "Give --output FOLDER"),
        (("sweep", "nothing.toml", "-o", "r"), 5, "nothing.toml"),
    ],
)
def test_wrong_usage_is_one_line(run, arguments, code, message):
    found = run(*arguments)
    assert found.code == code
    assert message in found.err
    assert found.err.count("\n") == 1


def test_cells_that_fail_are_named_after_the_table(run, config, tmp_path):
    (tmp_path / "en-de.train.txt").write_text("nobody knows\n")
    found = run("sweep", config, "-o", tmp_path / "r", "--threads", 1)
    assert found.code == 1
    assert "6 cells failed; --json lists them all. en-de none procrustes: No dictionary pair" in found.err
    assert "mean norms" in found.out


def test_reproduce_fetches_what_the_paper_needs_and_fills_the_grid(run, tmp_path, monkeypatch):
    write_tiny(tmp_path)
    server = FileServer()
    for name, file in {
        "wiki.en.vec": "en.vec",
        "wiki.ja.vec": "fr.vec",
        "en-ja.0-5000.txt": "en-fr.train.txt",
        "en-ja.5000-6500.txt": "en-fr.test.txt",
        **{f"EN-{name}.txt": "likeness.txt" for name in ("WS-353-ALL", "MC-30", "RG-65", "YP-130")},
    }.items():
        server.files[f"/{name}"] = (tmp_path / file).read_bytes()
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    monkeypatch.setenv("ISOALIGN_DATA_URL", server.url)
    monkeypatch.setenv("ISOALIGN_CACHE", str(tmp_path / "cache"))
    found = run("reproduce", "iternorm-acl2019", "--targets", "ja", "--limit", 50, "-o", tmp_path / "r", "--threads", 1)
    server.close()
    assert found.code == 0
    assert (tmp_path / "cache" / "wiki.ja.first-50.vec").exists()
    cells = [record.cell for record in load_records(tmp_path / "r")]
    assert sorted(cell.kind for cell in cells) == 9 * ["bli"] + 3 * ["conditions"] + 12 * ["similarity"]


def test_reproduce_runs_the_grid_on_the_sample(run, tmp_path):
    found = run("reproduce", "sample", "--limit", 800, "-o", tmp_path / "r", "-q", "--threads", 1)
    assert found.code == 0
    accuracies = {
        (record.cell.method, record.cell.normalize): record.values["precision"]["1"]
        for record in load_records(tmp_path / "r")
        if record.cell.kind == "bli"
    }
    methods, normalizations = ("procrustes", "refine", "rcsls", "vecmap"), ("none", "center_length", "iternorm")
    assert set(accuracies) == {(method, chain) for method in methods for chain in normalizations}
    assert min(accuracies.values()) > 0.1  # by chance, 1 in 800
