"""The README shows what the result files hold, and what the code makes now."""

import json
import re
import shlex
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

import isoalign as ia
from isoalign.cli import app
from tools.readme import END, PAGE, README, RESULTS, START, make_page, make_results

TEXT = README.read_text(encoding="utf-8")


@pytest.mark.parametrize(("file", "make"), [(README, make_results), (PAGE, make_page)], ids=["readme", "page"])
def test_the_tables_of_results_are_current(file, make):
    shown = file.read_text(encoding="utf-8").partition(START)[2].partition(END)[0]
    assert shown == make(), "run python -m tools.readme"


def test_the_accuracy_is_what_the_code_computes_now():
    cells = json.loads((RESULTS / "accuracy.json").read_text(encoding="utf-8"))["figures"]["cells"]
    (kept,) = (cell for cell in cells if (cell["method"], cell["normalize"]) == ("procrustes", "iternorm"))
    sample = ia.load_sample()
    model = ia.align(sample.source, sample.target, sample.train, method="procrustes", normalize="iternorm")
    found = ia.evaluate_bli(model, sample.test)
    assert (found.n, found.coverage) == (kept["n"], kept["coverage"])
    # Another BLAS may turn a word or two whose candidates are nearly tied.
    assert abs(found.precision[1] - kept["precision"]["1"]) * found.n < 2.5


def list_texts(path):
    return [element.text for element in ElementTree.parse(path).iter("{http://www.w3.org/2000/svg}text")]


def test_the_figure_is_what_its_command_draws(tmp_path, monkeypatch):
    (command,) = re.findall(r"^\$ isoalign (plot .*)$", TEXT, re.MULTILINE)
    (shown,) = re.findall(r"!\[.+\]\((.+\.svg)\)", TEXT)
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(app, shlex.split(command)).exit_code == 0
    drawn = list_texts(tmp_path / "neighbors.svg")
    assert len(drawn) > 60
    assert drawn == list_texts(README.parent / shown)
