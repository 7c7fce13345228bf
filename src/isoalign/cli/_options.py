"""Options that several commands share, so that each is spelled and explained once."""

from pathlib import Path
from typing import Annotated

import typer

from isoalign.cli._completion import complete_member

__all__ = [
    "Csv",
    "Encoding",
    "Force",
    "FromMember",
    "InputFile",
    "Limit",
    "Lower",
    "ModelFolder",
    "OutputFile",
    "OutputFormat",
    "SkipBad",
    "SourceVectors",
    "Spreadsheet",
    "Swap",
    "TargetVectors",
    "ToMember",
    "Unicode",
]

InputFile = Annotated[Path, typer.Argument(metavar="IN", help="Vector file of any format, or - for standard input.")]
OutputFile = Annotated[
    Path, typer.Argument(metavar="OUT", help="Where to write; the name decides the format. - is standard output.")
]
OutputFormat = Annotated[str | None, typer.Option("--format", help="Format of OUT, where its name should not decide.")]
Limit = Annotated[
    int | None, typer.Option("--limit", "--max_vocab", min=1, metavar="N", help="Take only the first N words.")
]
Lower = Annotated[bool, typer.Option("--lower", help="Lower-case words; the first casing of a word wins.")]
Unicode = Annotated[
    str | None, typer.Option("--unicode", metavar="FORM", help="Bring words to the Unicode form NFC or NFKC.")
]
Encoding = Annotated[
    str | None,
    typer.Option("--encoding", metavar="NAME", help="Of the dictionary: utf-16, latin-1, … (default: utf-8)"),
]
Swap = Annotated[bool, typer.Option("--swap", help="The dictionary has the target word first.")]
SkipBad = Annotated[
    bool, typer.Option("--skip-bad", help="Leave bad rows and lines out and count them, instead of stopping.")
]
Force = Annotated[bool, typer.Option("--force", "-f", help="Replace OUT if it exists.")]
ModelFolder = Annotated[Path, typer.Argument(metavar="MODEL", help="Folder that isoalign align wrote.")]
FromMember = Annotated[
    str | None,
    typer.Option(
        "--from",
        metavar="NAME",
        help="Source member; needed if MODEL has more than two members.",
        autocompletion=complete_member,
    ),
]
ToMember = Annotated[
    str | None, typer.Option("--to", metavar="NAME", help="Target member, likewise.", autocompletion=complete_member)
]
SourceVectors = Annotated[
    Path | None, typer.Option("--source", help="Source vectors, where MODEL was kept without or they have subwords.")
]
TargetVectors = Annotated[Path | None, typer.Option("--target", help="Target vectors, likewise.")]
Csv = Annotated[bool, typer.Option("--csv", help="Print comma-separated values with a header line.")]
Spreadsheet = Annotated[
    bool,
    typer.Option(
        "--spreadsheet", help="Put an apostrophe before words that a spreadsheet would run as formulas, such as =1+1."
    ),
]
