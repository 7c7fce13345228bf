"""Tables of pages are those of the result files."""

import json
from pathlib import Path

import pytest

from benchmarks import (
    _migration_tables,
    drift,
    learning_curve,
    migrate_unpaired,
    starts,
    transfer_accuracy,
    unsupervised,
    verdict,
)
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
        (migrate_unpaired, "cells"),
    ],
)
def test_the_table_of_the_page_is_current(benchmark, figure):
    name = benchmark.__name__.rpartition(".")[2]
    file = RESULTS / f"{name}.json"
    found = json.loads(file.read_text("utf-8"))["figures"][figure] if file.exists() else None
    assert read_table(benchmark.PAGE, name) == ("" if found is None else benchmark.make_table(found))


def test_the_tables_of_adapters_are_current():
    file = RESULTS / "migrate.json"
    rows = json.loads(file.read_text("utf-8"))["figures"]["rows"] if file.exists() else None
    for name, make in _migration_tables.TABLES.items():
        assert read_table(_migration_tables.PAGE, name) == ("" if rows is None else make(rows))
