"""Options and output shared by ``sweep`` and ``reproduce``."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from isoalign._core.display import format_time
from isoalign.cli._console import Console
from isoalign.errors import IsoalignError, ParameterError

if TYPE_CHECKING:
    from isoalign.experiments import Cell, CellCost, Record, SweepConfig

__all__ = ["DaskAddress", "DryRun", "Jobs", "Results", "Ship", "run_sweep"]

Results = Annotated[
    Path | None, typer.Option("--output", "-o", help="Folder for the results; existing results are not computed again.")
]
Jobs = Annotated[int, typer.Option("--jobs", min=1, help="Processes on this machine, which share its threads.")]
DaskAddress = Annotated[
    str | None, typer.Option("--dask", help="Address of a Dask scheduler, such as tcp://host:8786, or local.")
]
Ship = Annotated[
    bool,
    typer.Option("--ship", help="With --dask: send vectors over the network; by default, workers read them by path."),
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="List the cells and their cost, and stop.")]


def run_sweep(
    console: Console,
    config: "SweepConfig",
    *,
    results: Path | None,
    jobs: int,
    dask: str | None,
    ship: bool,
    dry_run: bool,
) -> None:
    """Run a sweep, or only estimate its cost, and print its cells."""
    from isoalign.experiments import Dask, Executor, InProcess, LocalProcesses, estimate_costs, measure_rate, sweep

    if dry_run:
        _print_costs(console, estimate_costs(config), measure_rate())
        return
    if results is None:
        raise ParameterError("Results need a folder. Give --output FOLDER, or --dry-run to see the cost.")
    executor: Executor = LocalProcesses(jobs) if jobs > 1 else InProcess()
    if dask is not None:
        executor = Dask(None if dask == "local" else dask, jobs=max(jobs, 2), ship=ship)
    with console.progress() as progress:
        found = sweep(config, results, executor=executor, progress=progress)
    rows = [_row(record) for record in found.records]
    header = [
        "languages",
        "normalisation",
        "method",
        "retrieval",
        "seed",
        "measure",
        "value",
        "best on test",
        "seconds",
    ]
    data = {
        "results": str(results),
        "computed": found.computed,
        "found": found.found,
        "failures": [{"cell": vars(failure.cell), "reason": failure.reason} for failure in found.failures],
        "records": [record.to_dict() for record in found.records],
    }
    console.result("sweep", data, text=console.table(rows, header=header))
    console.note(f"{found.computed} cells computed, {found.found} existed already: {results}")
    if found.failures:
        first = found.failures[0]
        name = " ".join(part for part in (_languages(first.cell), first.cell.normalize, first.cell.system) if part)
        raise IsoalignError(f"{len(found.failures)} cells failed; --json lists them all. {name}: {first.reason}")


def _row(record: "Record") -> list[object]:
    cell, values = record.cell, record.values
    about: list[object] = [_languages(cell), cell.normalize, cell.system or None, cell.retrieval]
    if cell.kind == "bli":
        best = values["best_on_test"]
        shown = [f"{100 * record.score[0]:.1f}", None if best is None else f"{100 * best:.1f}"]
        return [*about, cell.seed, record.measure, *shown, f"{record.seconds:.1f}"]
    if cell.kind == "similarity":
        return [*about, None, cell.dataset, f"{values['spearman']:.3f}", None, f"{record.seconds:.1f}"]
    norms = " / ".join(f"{found['mean_norm']:.3g}" for found in record.conditions)
    return [*about, None, "mean norms", norms, None, f"{record.seconds:.1f}"]


def _languages(cell: "Cell") -> str:
    """Return the pair, or the single language, and the size of the dictionary if there are several."""
    pair = cell.source if cell.target is None else f"{cell.source}-{cell.target}"
    return pair if cell.size is None else f"{pair} {cell.size}"


def _print_costs(console: Console, costs: "list[CellCost]", rate: float) -> None:
    rows = [
        (
            _languages(cost.cell),
            cost.cell.normalize,
            cost.cell.system or cost.cell.dataset or cost.cell.kind,
            cost.cell.retrieval,
            cost.cell.seed if cost.cell.kind == "bli" else None,
            f"{cost.operations / 1e12:.2f}",
            format_time(cost.seconds(rate)),
        )
        for cost in costs
    ]
    seconds = sum(cost.seconds(rate) for cost in costs)
    header = ["languages", "normalisation", "method", "retrieval", "seed", "TFLOP", "time"]
    time, speed = format_time(seconds), f"{rate / 1e9:.0f} GFLOP/s, measured on this machine just now"
    total = f"{len(costs)} cells, about {time} at {speed}"
    console.result(
        "sweep-plan",
        {
            "gflop_per_second": rate / 1e9,
            "hours": seconds / 3600,
            "cells": [{**vars(cost.cell), "gflop": cost.operations / 1e9} for cost in costs],
        },
        text=f"{console.table(rows, header=header)}\n\n{total}",
    )
