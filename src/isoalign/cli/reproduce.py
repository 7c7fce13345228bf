"""``isoalign reproduce``: the paper's experiment, or the same grid on the sample inside the package."""

from typing import Annotated

import typer

from isoalign.cli._command import command
from isoalign.cli._console import Console
from isoalign.cli._sweeps import DaskAddress, DryRun, Jobs, Results, Ship, run_sweep

__all__ = ["reproduce"]


@command(
    "isoalign reproduce sample",
    "isoalign reproduce iternorm-acl2019 --targets ja,zh --dry-run",
)
def reproduce(
    console: Console,
    name: Annotated[str, typer.Argument(metavar="NAME", help="sample or iternorm-acl2019.")],
    output: Results = None,
    targets: Annotated[str | None, typer.Option(help="Only these target languages, such as ja,zh.")] = None,
    statistics: Annotated[
        str | None, typer.Option(help="What normalisation sees: rows (those read) or file (all of the file).")
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Read only the first N words of each language.")] = None,
    jobs: Jobs = 1,
    dask: DaskAddress = None,
    ship: Ship = False,
    dry_run: DryRun = False,
) -> None:
    """Repeat a published experiment; what is missing is fetched, finished cells are not computed again."""
    from isoalign.experiments import load_sweep

    config = load_sweep(name, targets=targets.split(",") if targets else None, statistics=statistics, limit=limit)
    run_sweep(console, config, results=output, jobs=jobs, dask=dask, ship=ship, dry_run=dry_run)
