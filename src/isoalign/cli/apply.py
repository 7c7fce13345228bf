"""``isoalign apply``: send a vector file through a kept alignment."""

from typing import Annotated

import typer

from isoalign.cli._command import command
from isoalign.cli._console import Console
from isoalign.cli._options import Force, InputFile, Limit, ModelFolder, OutputFile, OutputFormat, SkipBad
from isoalign.cli._paths import readable_path, writable_path

__all__ = ["apply"]


@command
def apply(
    console: Console,
    model: ModelFolder,
    source: InputFile,
    target: OutputFile,
    side: Annotated[str, typer.Option(help="Whose normalisation and map: source or target.")] = "source",
    unit: Annotated[bool, typer.Option("--unit", help="Scale the mapped vectors to length one.")] = False,
    limit: Limit = None,
    skip_bad: SkipBad = False,
    output_format: OutputFormat = None,
    force: Force = False,
) -> None:
    """Map vectors, seen or not, into the shared space of an alignment, with constant memory."""
    from isoalign.alignment import Alignment, apply_file

    with readable_path(source) as path, writable_path(target, suffix=".vec") as out, console.progress() as progress:
        apply_file(
            Alignment.load(model),
            path,
            out,
            side=side,
            unit=unit,
            format=output_format,
            overwrite=force,
            reading={"limit": limit, "on_bad": "skip" if skip_bad else "error"},
            progress=progress,
        )
    if str(target) != "-":
        console.result("apply", {"path": str(target), "side": side}, text=f"wrote {target}")
