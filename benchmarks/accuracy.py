"""How well the sample's words are translated: the grid that ``isoalign demo`` prints, kept as a file."""

from typing import Any

from benchmarks._harness import save
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
    """Return what Iterative Normalization changes against each other normalisation, on the same words."""
    return [
        {"method": one.method, "baseline": one.baseline, "value": one.difference.value, "ci95": one.difference.ci95}
        for baseline in ("none", "center_length")
        for one in find_differences(records, baseline=baseline)
        if one.normalize == "iternorm"
    ]


def main() -> None:
    """Run the demonstration's grid once and save it."""
    demo = run_demo()
    sizes = {
        "source_words": len(demo.sample.source),
        "target_words": len(demo.sample.target),
        "train_words": len(demo.sample.train.sources),
    }
    cells, differences = describe_cells(demo.records), describe_differences(demo.records)
    save("accuracy", {**sizes, "cells": cells, "iternorm_minus": differences})


if __name__ == "__main__":
    main()
