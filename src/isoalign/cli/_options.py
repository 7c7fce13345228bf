"""Options shared by several commands, so that each is defined and explained once."""

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
    Path, typer.Argument(metavar="OUT", help="Output; the format follows from the name. - is standard output.")
]
OutputFormat = Annotated[str | None, typer.Option("--format", help="Format of OUT. (default: from its name)")]
Limit = Annotated[
    int | None, typer.Option("--limit", "--max_vocab", min=1, metavar="N", help="Use only the first N words.")
]
Lower = Annotated[bool, typer.Option("--lower", help="Lower-case words; of equal words, keep the first.")]
Unicode = Annotated[
    str | None, typer.Option("--unicode", metavar="FORM", help="Convert words to the Unicode form NFC or NFKC.")
]
Encoding = Annotated[
    str | None,
    typer.Option("--encoding", metavar="NAME", help="Encoding of the dictionary: utf-16, latin-1, … (default: utf-8)"),
]
Swap = Annotated[bool, typer.Option("--swap", help="The dictionary has the target word first.")]
SkipBad = Annotated[bool, typer.Option("--skip-bad", help="Skip and count bad rows and lines instead of stopping.")]
Force = Annotated[bool, typer.Option("--force", "-f", help="Replace the output if it exists.")]
ModelFolder = Annotated[Path, typer.Argument(metavar="MODEL", help="Folder written by isoalign align.")]
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
    str | None,
    typer.Option("--to", metavar="NAME", help="Target member, as for --from.", autocompletion=complete_member),
]
SourceVectors = Annotated[
    Path | None, typer.Option("--source", help="Source vectors, if MODEL was saved without or for their subwords.")
]
TargetVectors = Annotated[Path | None, typer.Option("--target", help="Target vectors, as for --source.")]
Csv = Annotated[bool, typer.Option("--csv", help="Print comma-separated values with a header line.")]
Spreadsheet = Annotated[
    bool,
    typer.Option(
        "--spreadsheet",
        help="Put an apostrophe before words that a spreadsheet would evaluate as formulas, such as =1+1.",
    ),
]
