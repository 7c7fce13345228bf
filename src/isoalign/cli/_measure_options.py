"""Options that the commands that measure share."""

from pathlib import Path
from typing import Annotated

import typer

from isoalign.cli._completion import complete_retrieval
from isoalign.cli._names import RETRIEVALS

__all__ = ["Model", "Seed", "SourceFile", "TargetFile", "TestLexicon", "TestProtocol", "TestRetrieval"]

Model = Annotated[Path | None, typer.Argument(metavar="MODEL", help="Folder that isoalign align wrote.")]
SourceFile = Annotated[
    Path | None, typer.Option("--source", help="Source vectors, for two files that are aligned already.")
]
TargetFile = Annotated[Path | None, typer.Option("--target", help="Target vectors, likewise.")]
TestLexicon = Annotated[
    Path, typer.Option("--lexicon", "--dictionary", "-d", help="Test dictionary: a source and a target word a line.")
]
TestProtocol = Annotated[
    str, typer.Option("--protocol", help="How words are counted: muse, fasttext, vecmap or xling.")
]
TestRetrieval = Annotated[
    str | None,
    typer.Option(
        "--retrieval", help=f"{RETRIEVALS}; the protocol's own by default.", autocompletion=complete_retrieval
    ),
]
Seed = Annotated[int, typer.Option("--seed", help="Seed of the bootstrap draws.")]
