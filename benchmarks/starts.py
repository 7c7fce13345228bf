"""Self-learning from every start without a dictionary: accuracy on test words, and time.

``python -m benchmarks.starts RECORDS --minutes 30`` runs the sweeps of ``benchmarks/sweeps/starts`` cell by cell, the
most instructive ones first, until the time is over; with the same folder RECORDS it can be resumed later. It needs the
folder named by ``ISOALIGN_TEST_DATA``, which contains vectors and dictionaries with the names used in the sweeps.
"""

import argparse
import os
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby, product
from pathlib import Path
from statistics import mean
from typing import Any

from benchmarks._harness import save
from benchmarks._page import DOCS, markdown_table, percent, replace_table
from isoalign.alignment import STARTS
from isoalign.experiments import Record, SweepConfig, load_records, read_config, sweep
from isoalign.normalization import NORMALIZERS

PAGE = DOCS / "explanation" / "self-learning.md"
SWEEPS = Path(__file__).parent / "sweeps" / "starts"
SUCCESS = 0.2  # P@1; runs end far below or far above


def split_cells(configs: list[SweepConfig]) -> Iterator[SweepConfig]:
    """Yield sweeps of one cell each, seed by seed, start by start."""
    starts = max((config.grid.starts for config in configs), key=len)
    seeds = max((config.grid.seeds for config in configs), key=len)
    for seed, start, config in product(seeds, starts, configs):
        if start not in config.grid.starts:
            continue
        names = (start, *config.grid.methods)
        settings = {name: config.settings[name] for name in names if name in config.settings}
        for chain, pair in product(config.grid.normalize, config.pairs):
            grid = replace(config.grid, seeds=(seed,), starts=(start,), normalize=(chain,))
            yield replace(config, pairs=(pair,), grid=grid, settings=settings)


def summarize(records: list[Record]) -> list[dict[str, Any]]:
    """Return accuracy and time of every start, language pair and normalisation."""

    def system(record: Record) -> tuple[str, ...]:
        cell = record.cell
        return str(cell.start), f"{cell.source}-{cell.target}", cell.normalize

    rows = []
    for (start, pair, chain), group in groupby(sorted(records, key=system), key=system):
        found = sorted(group, key=lambda record: record.cell.seed)
        precisions = [record.values["precision"]["1"] for record in found]
        rows.append(
            {
                "start": start,
                "pair": pair,
                "normalize": chain,
                "seeds": [record.cell.seed for record in found],
                "precision": precisions,
                "successes": sum(value >= SUCCESS for value in precisions),
                "seconds": [record.seconds for record in found],
            }
        )
    return rows


def make_table(rows: list[dict[str, Any]]) -> str:
    """Return the P@1 of every run and the mean time, by start, language pair and normalisation."""
    cells = {(row["start"], row["pair"], row["normalize"]): row for row in rows}
    columns = [
        (pair, chain)
        for pair in sorted({pair for _, pair, _ in cells})
        for chain in ("none", "center_length", "iternorm")
        if any(key[1:] == (pair, chain) for key in cells)
    ]
    header = [f"{pair.replace('-', '–')}, {NORMALIZERS.label(chain)}" for pair, chain in columns]
    body = [
        (f"`{start}`", *(_describe_runs(cells.get((start, *column))) for column in columns))
        for start in STARTS
        if any(key[0] == start for key in cells)
    ]
    return markdown_table(("start", *header), body)


def _describe_runs(row: dict[str, Any] | None) -> str:
    if row is None:
        return "–"
    time = f" ({mean(row['seconds']):.0f} s)" if "seconds" in row else ""  # left out where the machine was shared
    return " / ".join(map(percent, row["precision"])) + time


def main() -> None:
    """Run as many cells as the time allows, and save what is known so far."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("records", type=Path, help="folder for the records of single runs")
    parser.add_argument("--minutes", type=float, default=600.0, help="begin no cell after this time")
    options = parser.parse_args()
    begin = time.monotonic()
    folder = Path(os.environ["ISOALIGN_TEST_DATA"]) / "data"
    configs = [replace(read_config(path), folder=folder) for path in sorted(SWEEPS.glob("*.toml"))]
    cells = list(split_cells(configs))
    for cell in cells:
        if time.monotonic() - begin > 60 * options.minutes:
            break
        result = sweep(cell, options.records)
        for record in result.records:
            print(
                record.cell.system,
                record.cell.target,
                record.cell.normalize,
                record.values["precision"]["1"],
                flush=True,
            )
        for failure in result.failures:
            print(failure.cell.system, failure.cell.target, failure.reason, flush=True)
    records = load_records(options.records)
    rows = summarize(records)
    save("starts", {"cells": len(cells), "run": len(records), "rows": rows})
    replace_table(PAGE, "starts", make_table(rows))


if __name__ == "__main__":
    main()
