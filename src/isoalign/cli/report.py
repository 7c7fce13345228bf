"""``isoalign report``: tables, figures and provenance of a sweep in one file."""

from pathlib import Path
from typing import Annotated

import typer

from isoalign.cli._command import command
from isoalign.cli._console import Console
from isoalign.cli._options import Force, Spreadsheet
from isoalign.cli._paths import check_output

__all__ = ["report"]

_FORMATS = {".html": "html", ".md": "markdown", ".tex": "latex", ".csv": "csv"}


@command(
    "isoalign report results -o report.html",
    "isoalign report results -o tables.csv --spreadsheet",
)
def report(
    console: Console,
    results: Annotated[Path, typer.Argument(metavar="RESULTS", help="Folder written by sweep or reproduce.")],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="report.html, or tables alone: .md, .tex, .csv. (default: print Markdown)"),
    ] = None,
    title: Annotated[str, typer.Option(help="Heading of the HTML page.")] = "Alignment results",
    spreadsheet: Spreadsheet = False,
    force: Force = False,
) -> None:
    """Write the results of a sweep as a self-contained HTML page, or its tables alone."""
    from isoalign._core.validate import check_choice
    from isoalign.errors import ParameterError
    from isoalign.experiments import load_records
    from isoalign.io import escape_formulas
    from isoalign.reporting import build_report, format_records, write_text

    chosen = "markdown"
    if output is not None:
        chosen = _FORMATS[check_choice(output.suffix.lower(), _FORMATS, name="The suffix of a report")]
        check_output(output, force=force)
    if spreadsheet and chosen != "csv":
        raise ParameterError("--spreadsheet is for .csv tables. Give such a file with -o.")
    records = load_records(results)
    text = build_report(records, title=title) if chosen == "html" else format_records(records, chosen)
    data = {"results": str(results), "records": len(records), "written": None if output is None else str(output)}
    if output is None:
        console.result("report", {**data, "tables": text}, text=text)
        return
    write_text(escape_formulas(text) if spreadsheet else text, output, overwrite=force)
    console.result("report", data, text=f"wrote {output}")
