"""Accuracy of translation: the grid that ``isoalign demo`` prints, and all methods on real pairs.

``python -m benchmarks.accuracy [CELLS]``; the real pairs need the folder named by ``ISOALIGN_TEST_DATA`` and about an
hour. Finished cells are stored in the file CELLS, if given, from which a stopped run is resumed. With
``--methods kernel,geomm --normalize iternorm``, only these cells and the baseline are run, and their rows replaced.
"""

import argparse
import os
import tempfile
from pathlib import Path
from typing import Any

from benchmarks._harness import load, save
from benchmarks._pairs import METHODS, NORMALIZATIONS, merge, run_cells, summarize, write_tables
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


def save_demo() -> None:
    """Run the grid of the demonstration and save it."""
    demo = run_demo()
    sizes = {
        "source_words": len(demo.sample.source),
        "target_words": len(demo.sample.target),
        "train_words": len(demo.sample.train.sources),
    }
    cells, differences = describe_cells(demo.records), describe_differences(demo.records)
    save("accuracy", {**sizes, "cells": cells, "iternorm_minus": differences})


def main() -> None:
    """Run both grids, or some cells of the second one, and save them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cells", type=Path, nargs="?", help="file of finished cells")
    parser.add_argument("--methods", type=lambda text: text.split(","))
    parser.add_argument("--normalize", type=lambda text: text.split(","), default=NORMALIZATIONS)
    options = parser.parse_args()
    if options.methods is None:
        save_demo()
    if folder := os.environ.get("ISOALIGN_TEST_DATA"):
        with tempfile.TemporaryDirectory() as scratch:
            kept = options.cells or Path(scratch) / "cells.jsonl"
            cells = run_cells(Path(folder) / "data", kept, options.methods or METHODS, options.normalize)
        summary = summarize(cells)
        if options.methods is not None:
            summary = merge(load("pairs"), summary)
        save("pairs", summary)
        write_tables(summary)


if __name__ == "__main__":
    main()
