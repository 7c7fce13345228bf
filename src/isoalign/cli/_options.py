"""Options that several commands share, so that each is spelled and explained once."""

from pathlib import Path
from typing import Annotated

import typer

__all__ = [
    "Force",
    "InputFile",
    "Limit",
    "Lower",
    "ModelFolder",
    "OutputFile",
    "OutputFormat",
    "SkipBad",
    "SourceVectors",
    "TargetVectors",
]

InputFile = Annotated[Path, typer.Argument(metavar="IN", help="Vector file of any format, or - for standard input.")]
OutputFile = Annotated[
    Path, typer.Argument(metavar="OUT", help="Where to write; the name decides the format. - is standard output.")
]
OutputFormat = Annotated[str | None, typer.Option("--format", help="Format of OUT, where its name should not decide.")]
Limit = Annotated[int | None, typer.Option("--limit", "--max_vocab", min=1, help="Take only the first N words.")]
Lower = Annotated[bool, typer.Option("--lower", help="Lower-case words; the first casing of a word wins.")]
SkipBad = Annotated[
    bool, typer.Option("--skip-bad", help="Leave bad rows and lines out and count them, instead of stopping.")
]
Force = Annotated[bool, typer.Option("--force", "-f", help="Replace OUT if it exists.")]
ModelFolder = Annotated[Path, typer.Argument(metavar="MODEL", help="Folder that isoalign align wrote.")]
SourceVectors = Annotated[
    Path | None, typer.Option("--source", help="Source vectors, where MODEL was kept without or they have subwords.")
]
TargetVectors = Annotated[Path | None, typer.Option("--target", help="Target vectors, likewise.")]
