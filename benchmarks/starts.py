"""Self-learning from every start without a dictionary: accuracy on test words, success, and time.

``python -m benchmarks.starts --minutes 30`` runs the sweeps of ``benchmarks/sweeps/starts`` cell by cell, seed by seed,
until the time is over. Every run is in ``benchmarks/results/starts.json`` before the next one begins; runs that are
there already are not repeated unless the settings of their start have changed. Several processes with different
``--starts`` can share the work. It needs the folder named by ``ISOALIGN_TEST_DATA``, which contains vectors and
dictionaries with the names used in the sweeps.
"""

import argparse
import os
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path
from statistics import mean, stdev
from typing import Any

from scipy.stats import t as student

from benchmarks._harness import load, save
from benchmarks._page import DOCS, markdown_table, percent, replace_table
from isoalign.alignment import STARTS
from isoalign.experiments import SweepConfig, read_config, sweep
from isoalign.io._lock import locked
from isoalign.normalization import NORMALIZERS

PAGE = DOCS / "explanation" / "self-learning.md"
SWEEPS = Path(__file__).parent / "sweeps" / "starts"
SUCCESS = 0.2  # P@1; runs end far below or far above
CHAINS = ("none", "center_length", "iternorm")
Run = dict[str, Any]


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


def describe_cell(cell: SweepConfig) -> Run:
    """Return what identifies the run of a cell, and the settings of its start."""
    (start,), (chain,), (seed,) = cell.grid.starts, cell.grid.normalize, cell.grid.seeds
    return {
        "start": start,
        "pair": "-".join(cell.pairs[0]),
        "normalize": chain,
        "seed": seed,
        "settings": dict(cell.settings.get(start, {})),
    }


def run_cell(cell: SweepConfig) -> Run:
    """Run a cell; return its P@1, None if the start found no pair, and the processor time with reading and scoring."""
    with tempfile.TemporaryDirectory() as folder:
        begin = time.process_time()
        result = sweep(cell, Path(folder) / "records")
        seconds = round(time.process_time() - begin, 1)
    if result.failures:
        reason = result.failures[0].reason
        if "found no pair" not in reason:
            raise RuntimeError(reason)
        return {**describe_cell(cell), "precision": None, "processor_seconds": seconds}
    precision = result.records[0].values["precision"]["1"]
    return {**describe_cell(cell), "precision": precision, "processor_seconds": seconds}


def add_run(runs: list[Run], run: Run) -> list[Run]:
    """Return the runs with another one, which replaces an earlier one of the same cell."""
    return sorted([*(one for one in runs if _key(one) != _key(run)), run], key=_key)


def _key(run: Run) -> tuple[int, str, int, int]:
    return list(STARTS).index(run["start"]), run["pair"], CHAINS.index(run["normalize"]), run["seed"]


def is_done(runs: list[Run], cell: SweepConfig) -> bool:
    """Return whether the runs contain a cell with these settings."""
    wanted = describe_cell(cell)
    return any(all(run[name] == value for name, value in wanted.items()) for run in runs)


def save_run(run: Run, cells: int) -> None:
    """Add a run to the results, which other processes may have changed in the meantime."""
    with locked(Path(tempfile.gettempdir()) / "isoalign-benchmarks-starts.lock"):
        runs = add_run(load("starts")["rows"], run)
        save("starts", summarize(runs, cells), show=False)


def summarize(runs: list[Run], cells: int) -> dict[str, Any]:
    """Return all figures: the runs, their number, successes by start, and the gain from Iterative Normalization."""
    scored = [run for run in runs if run["precision"] is not None]
    successes: dict[str, dict[str, list[int]]] = {}
    for start in dict.fromkeys(run["start"] for run in scored):
        for pair in sorted({run["pair"] for run in scored}):
            some = [
                run for run in scored if (run["start"], run["pair"]) == (start, pair) and run["normalize"] != "none"
            ]
            if some:
                successes.setdefault(start, {})[pair] = [sum(map(_succeeds, some)), len(some)]
    return {
        "cells": cells,
        "run": len(runs),
        "successes": successes,
        "iternorm_minus_center_length": compare_normalizations(runs),
        "rows": runs,
    }


def _succeeds(run: Run) -> bool:
    return bool(run["precision"] >= SUCCESS)


def compare_normalizations(runs: list[Run]) -> dict[str, Any]:
    """Return how far Iterative Normalization is ahead of C+L, in runs with the same start, languages and seed.

    Differences are those of runs that succeed with both; the intervals are Student's, over runs.
    """
    by_chain: dict[str, dict[tuple[str, str, int], float]] = {chain: {} for chain in CHAINS}
    for run in runs:
        if run["precision"] is not None:
            by_chain[run["normalize"]][run["pair"], run["start"], run["seed"]] = run["precision"]
    before, after = by_chain["center_length"], by_chain["iternorm"]
    both = sorted(before.keys() & after.keys())
    won = [key for key in both if min(before[key], after[key]) >= SUCCESS]
    differences = {key: after[key] - before[key] for key in won}
    found: dict[str, Any] = {
        "both": len(both),
        "succeed_with_both": len(won),
        "only_with_iternorm": sum(before[key] < SUCCESS <= after[key] for key in both),
        "only_with_center_length": sum(after[key] < SUCCESS <= before[key] for key in both),
        "ahead": sum(value > 0 for value in differences.values()),
        "behind": sum(value < 0 for value in differences.values()),
    }
    for pair in ("all", *sorted({pair for pair, _, _ in won})):
        some = [value for key, value in differences.items() if pair in ("all", key[0])]
        if len(some) > 1:
            half = float(student.ppf(0.975, len(some) - 1)) * stdev(some) / len(some) ** 0.5
            found[pair] = {"runs": len(some), "mean": mean(some), "ci95": [mean(some) - half, mean(some) + half]}
    return found


def make_table(runs: list[Run]) -> str:
    """Return the P@1 of every run, the number of successes and the mean time, by start and normalisation."""
    pairs = sorted({run["pair"] for run in runs})
    body = []
    for start, chain in product(STARTS, CHAINS):
        some = [run for run in runs if (run["start"], run["normalize"]) == (start, chain)]
        if not some:
            continue
        scored = [run for run in some if run["precision"] is not None]
        seconds = [run["processor_seconds"] for run in scored if run["processor_seconds"] is not None]
        body.append(
            (
                f"`{start}`",
                NORMALIZERS.label(chain),
                *(_describe_runs([run for run in some if run["pair"] == pair]) for pair in pairs),
                f"{sum(map(_succeeds, scored))} of {len(scored)}",
                f"{mean(seconds):.0f}" if seconds else "–",
            )
        )
    header = ("start", "normalisation", *(pair.replace("-", "–") for pair in pairs), "successes", "processor seconds")
    return markdown_table(header, body, left=2)


def _describe_runs(runs: list[Run]) -> str:
    if not runs:
        return "–"
    if all(run["precision"] is None for run in runs):
        return "no pairs"
    return " / ".join(percent(run["precision"]) for run in runs)


def main() -> None:
    """Run as many cells as the time allows, and write the table of the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=600.0, help="begin no cell after this time")
    parser.add_argument("--starts", default=",".join(STARTS), help="run only these starts, separated by commas")
    options = parser.parse_args()
    begin = time.monotonic()
    folder = Path(os.environ["ISOALIGN_TEST_DATA"]) / "data"
    configs = [replace(read_config(path), folder=folder) for path in sorted(SWEEPS.glob("*.toml"))]
    cells = list(split_cells(configs))
    for cell in cells:
        if time.monotonic() - begin > 60 * options.minutes:
            break
        if cell.grid.starts[0] in options.starts.split(",") and not is_done(load("starts")["rows"], cell):
            run = run_cell(cell)
            print(run, flush=True)
            save_run(run, len(cells))
    figures = summarize(load("starts")["rows"], len(cells))
    print({name: value for name, value in figures.items() if name != "rows"})
    replace_table(PAGE, "starts", make_table(figures["rows"]))


if __name__ == "__main__":
    main()
