"""``isoalign sweep``: run every combination in a TOML file, and resume after an interruption."""

from pathlib import Path
from typing import Annotated

import typer

from isoalign.cli._command import command
from isoalign.cli._console import Console
from isoalign.cli._sweep_output import DaskAddress, DryRun, Jobs, Results, Ship, run_sweep

__all__ = ["sweep"]


@command(
    "isoalign sweep experiment.toml --dry-run",
    "isoalign sweep experiment.toml -o results --dask local",
)
def sweep(
    console: Console,
    config: Annotated[Path, typer.Argument(metavar="CONFIG.toml", help="Languages, files and the grid.")],
    output: Results = None,
    jobs: Jobs = 1,
    dask: DaskAddress = None,
    ship: Ship = False,
    dry_run: DryRun = False,
) -> None:
    """Run languages × normalisations × starts × methods × retrievals × seeds; finished cells are not computed again."""
    from isoalign.experiments import read_config

    run_sweep(console, read_config(config), results=output, jobs=jobs, dask=dask, ship=ship, dry_run=dry_run)
