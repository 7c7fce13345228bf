"""Cost of the full grid of one language pair relative to its RCSLS cells: English to Japanese, real vectors.

``ISOALIGN_TEST_DATA`` names the folder with the vectors. RCSLS alone also has to read and normalise both languages, so
that counts on both sides. Ratios are of processor time, which other programs on the machine disturb less.
"""

import argparse
import os
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from benchmarks._harness import save
from isoalign.experiments import Record, estimate_costs, measure_rate, parse_config, sweep
from isoalign.experiments._run import Outcome

T = TypeVar("T")
METHODS = ("procrustes", "refine", "rcsls")


class Timed:
    """Run tasks in this process and keep the processor and wall time of every cell."""

    def __init__(self) -> None:
        self.cells: list[dict[str, Any]] = []
        self.preparing = [0.0, 0.0]

    def run(self, function: Callable[[T], Iterable[Any]], tasks: Iterable[T]) -> Iterator[tuple[T, Iterable[Any]]]:
        """See `isoalign.experiments.Executor`."""
        clock = read_clocks()
        for task in tasks:
            self.preparing = [total + spent for total, spent in zip(self.preparing, since(clock), strict=True)]
            yield task, self._watch(function(task))
            clock = read_clocks()

    def _watch(self, outcomes: Iterable[Outcome]) -> Iterator[Outcome]:
        clock = read_clocks()
        for outcome in outcomes:
            cpu, wall = since(clock)
            about = {"normalize": outcome.cell.normalize, "method": outcome.cell.method or outcome.cell.kind}
            values = outcome.values if isinstance(outcome, Record) else {}
            self.cells.append({**about, "cpu_s": cpu, "wall_s": wall, "p_at_1": values.get("precision", {}).get("1")})
            print(self.cells[-1], flush=True)
            yield outcome
            clock = read_clocks()


def read_clocks() -> tuple[float, float]:
    """Return processor and wall time."""
    return time.process_time(), time.perf_counter()


def since(clock: tuple[float, float]) -> list[float]:
    """Return processor and wall time since then."""
    return [now - then for now, then in zip(read_clocks(), clock, strict=True)]


def main() -> None:
    """Run the grid once and compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--normalize", default="none,center_length,iternorm", help="normalisations, by comma")
    parser.add_argument("--limit", type=int, help="number of words of each language")
    arguments = parser.parse_args()
    data: dict[str, Any] = {
        "vectors": {"en": "en.spacymd300.vec.gz", "ja": "ja.chive300.vec.gz"},
        "train": "en-ja.train.txt",
        "test": "en-ja.test.txt",
    }
    if arguments.limit:
        data["limit"] = arguments.limit
    config = parse_config(
        {
            "source": "en",
            "targets": ["ja"],
            "data": data,
            "grid": {"normalize": arguments.normalize.split(","), "methods": list(METHODS)},
        },
        folder=Path(os.environ["ISOALIGN_TEST_DATA"]) / "data",
    )
    rate = measure_rate()
    estimated = sum(cost.seconds(rate) for cost in estimate_costs(config))
    timed = Timed()
    with tempfile.TemporaryDirectory() as folder:
        sweep(config, Path(folder) / "results", executor=timed)
    figures: dict[str, Any] = {
        "cells": timed.cells,
        "preparing_cpu_s": timed.preparing[0],
        "estimated_s": estimated,
        "operations_per_second": rate,
    }
    for kind, clock in enumerate(("cpu_s", "wall_s")):
        grid = timed.preparing[kind] + sum(cell[clock] for cell in timed.cells)
        alone = timed.preparing[kind] + sum(cell[clock] for cell in timed.cells if cell["method"] == "rcsls")
        figures[f"grid_{clock}"], figures[f"rcsls_alone_{clock}"] = grid, alone
        figures[f"ratio_{clock.removesuffix('_s')}"] = round(grid / alone, 3)
    save("sweep", figures)


if __name__ == "__main__":
    main()
