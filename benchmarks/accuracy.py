"""Accuracy of translation: the grid that ``isoalign demo`` prints, and all methods on real pairs.

``python -m benchmarks.accuracy [CELLS]``; the real pairs need the folder named by ``ISOALIGN_TEST_DATA`` and about an
hour. Finished cells are stored in the file CELLS, if given, from which a stopped run is resumed.
"""

import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks._harness import save
from benchmarks._pairs import run_cells, summarize, write_tables
from isoalign.experiments import Record
from isoalign.reporting import find_differences, run_demo

KEPT = ("n", "coverage", "precision", "ci95", "chosen")


def describe_cells(records: list[Record]) -> list[dict[str, Any]]:
    """Return the settings and the accuracy of every cell, without the rank of every word."""
    return [
        {
            "normalize": record.cell.normalize,
            "method": record.cell.method,
            "retrieval": record.cell.retrieval,
            **{name: record.values[name] for name in KEPT},
        }
        for record in records
        if record.cell.kind == "bli"
    ]


def describe_differences(records: list[Record]) -> list[dict[str, Any]]:
    """Return the differences between Iterative Normalization and each other normalisation, on the same words."""
    return [
        {"method": one.method, "baseline": one.baseline, "value": one.difference.value, "ci95": one.difference.ci95}
        for baseline in ("none", "center_length")
        for one in find_differences(records, baseline=baseline)
        if one.normalize == "iternorm"
    ]


def main() -> None:
    """Run both grids and save them."""
    demo = run_demo()
    sizes = {
        "source_words": len(demo.sample.source),
        "target_words": len(demo.sample.target),
        "train_words": len(demo.sample.train.sources),
    }
    cells, differences = describe_cells(demo.records), describe_differences(demo.records)
    save("accuracy", {**sizes, "cells": cells, "iternorm_minus": differences})
    if folder := os.environ.get("ISOALIGN_TEST_DATA"):
        with tempfile.TemporaryDirectory() as scratch:
            kept = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(scratch) / "cells.jsonl"
            summary = summarize(run_cells(Path(folder) / "data", kept))
        save("pairs", summary)
        write_tables(summary)


if __name__ == "__main__":
    main()
