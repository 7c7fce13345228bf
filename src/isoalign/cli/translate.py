"""``isoalign translate``: look words up in a kept alignment."""

import sys
from typing import Annotated

import typer

from isoalign.cli._command import command
from isoalign.cli._console import Console
from isoalign.cli._options import ModelFolder

__all__ = ["translate"]


@command
def translate(
    console: Console,
    model: ModelFolder,
    words: Annotated[
        list[str] | None, typer.Argument(help="Words; none, or -, reads them from standard input.")
    ] = None,
    k: Annotated[int, typer.Option("-k", min=1, help="How many translations.")] = 5,
    retrieval: Annotated[str, typer.Option(help="csls, nn, isf or invnn.")] = "csls",
    reverse: Annotated[bool, typer.Option("--reverse", "-r", help="From the target into the source language.")] = False,
) -> None:
    """Translate words, best translation first, with scores."""
    from isoalign.alignment import Alignment
    from isoalign.translation import Translator

    if not words or words == ["-"]:
        words = [word for line in sys.stdin for word in [line.strip()] if word]
    translator = Translator(Alignment.load(model), retrieval=retrieval)
    found = translator.translate(words, k=k, reverse=reverse)
    data = {
        "retrieval": retrieval,
        "translations": {word: [entry._asdict() for entry in some] for word, some in zip(words, found, strict=True)},
    }
    rows = [
        (word if rank == 0 else "", entry.word, f"{entry.score:.4f}")
        for word, some in zip(words, found, strict=True)
        for rank, entry in enumerate(some)
    ]
    console.result("translate", data, text=console.table(rows))
