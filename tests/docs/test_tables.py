"""Tables of pages are those of the result files."""

import json
from pathlib import Path

import pytest

from benchmarks import drift, learning_curve, starts, transfer_accuracy, unsupervised, verdict
from benchmarks._page import read_table

RESULTS = Path(learning_curve.__file__).parent / "results"


@pytest.mark.parametrize(
    ("benchmark", "figure"),
    [
        (learning_curve, "cells"),
        (starts, "rows"),
        (unsupervised, "rows"),
        (verdict, "verdicts"),
        (transfer_accuracy, "languages"),
        (drift, "worlds"),
    ],
)
def test_the_table_of_the_page_is_current(benchmark, figure):
    name = benchmark.__name__.rpartition(".")[2]
    file = RESULTS / f"{name}.json"
    found = json.loads(file.read_text("utf-8"))["figures"][figure] if file.exists() else None
    assert read_table(benchmark.PAGE, name) == ("" if found is None else benchmark.make_table(found))
