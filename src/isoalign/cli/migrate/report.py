"""``isoalign migrate report``: the plan as an HTML file."""

from pathlib import Path
from typing import Annotated

import typer

from isoalign.cli._command import command
from isoalign.cli._console import Console
from isoalign.cli._options import Force
from isoalign.cli._paths import check_output
from isoalign.cli.migrate._inputs import (
    Column,
    Judgments,
    Method,
    New,
    NewQueries,
    NVectors,
    Old,
    OldQueries,
    make_plan,
)

__all__ = ["report"]


@command(
    "isoalign migrate report old.npy new.npy -o report.html",
    "isoalign migrate report old.npy new.npy -o report.html -n 1000000",
)
def report(
    console: Console,
    old: Old,
    new: New,
    output: Annotated[Path, typer.Option("--output", "-o", help="The HTML file.")],
    method: Method = "auto",
    old_queries: OldQueries = None,
    new_queries: NewQueries = None,
    relevant: Judgments = None,
    column: Column = None,
    vectors: NVectors = 1_000_000,
    force: Force = False,
) -> None:
    """Write the predicted result of a migration as a self-contained HTML page, verdict first."""
    from isoalign.reporting import build_migration_report, write_text

    check_output(output, force=force)
    found = make_plan(console, old, new, old_queries, new_queries, relevant, column, method=method, vectors=vectors)
    write_text(build_migration_report(found, old=old.name, new=new.name), output, overwrite=force)
    data = {"verdict": found.verdict.answer, "written": str(output)}
    console.result("migrate-report", data, text=f"{found.verdict.answer}\nwrote {output}")
