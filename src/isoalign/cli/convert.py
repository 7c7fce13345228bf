"""``isoalign convert``: from one vector format to another."""

from typing import Annotated

import typer

from isoalign.cli._command import command
from isoalign.cli._console import Console
from isoalign.cli._options import Force, InputFile, Limit, Lower, OutputFile, OutputFormat, SkipBad, Unicode
from isoalign.cli._paths import readable_path, writable_path

__all__ = ["convert"]


@command(
    "isoalign convert wiki.en.vec en.iso --limit 200000",
    "isoalign convert model.bin - --lower | head",
)
def convert(
    console: Console,
    source: InputFile,
    target: OutputFile,
    limit: Limit = None,
    lower: Lower = False,
    unicode: Unicode = None,
    duplicates: Annotated[str, typer.Option(help="What to do with duplicate words: first, keep or error.")] = "first",
    skip_bad: SkipBad = False,
    output_format: OutputFormat = None,
    force: Force = False,
) -> None:
    """Convert a vector file to another format, with constant memory."""
    from isoalign.io import open_vectors, write_vectors

    with readable_path(source) as path, writable_path(target, suffix=".vec") as out, console.progress() as progress:
        stream = open_vectors(
            path,
            limit=limit,
            lower=lower,
            unicode=unicode,
            duplicates=duplicates,
            on_bad="skip" if skip_bad else "error",
            progress=progress,
        )
        write_vectors(stream, out, format=output_format, overwrite=force, progress=progress)
    if str(target) != "-":
        console.result("convert", {"path": str(target), "dim": stream.dim}, text=f"wrote {target}")
