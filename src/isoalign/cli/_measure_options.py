"""Options shared by the evaluation commands."""

from pathlib import Path
from typing import Annotated

import typer

from isoalign.cli._completion import complete_retrieval
from isoalign.cli._names import RETRIEVALS

__all__ = ["Model", "Seed", "SourceFile", "TargetFile", "TestLexicon", "TestProtocol", "TestRetrieval"]

Model = Annotated[Path | None, typer.Argument(metavar="MODEL", help="Folder written by isoalign align.")]
SourceFile = Annotated[
    Path | None, typer.Option("--source", help="Source vectors, for two files that are already aligned.")
]
TargetFile = Annotated[
    Path | None, typer.Option("--target", help="Target vectors, for two files that are already aligned.")
]
TestLexicon = Annotated[
    Path, typer.Option("--lexicon", "--dictionary", "-d", help="Test dictionary: a source and a target word per line.")
]
TestProtocol = Annotated[
    str, typer.Option("--protocol", help="How words are counted: muse, fasttext, vecmap or xling.")
]
TestRetrieval = Annotated[
    str | None,
    typer.Option(
        "--retrieval", help=f"{RETRIEVALS}. (default: that of the protocol)", autocompletion=complete_retrieval
    ),
]
Seed = Annotated[int, typer.Option("--seed", help="Seed of the bootstrap draws.")]
