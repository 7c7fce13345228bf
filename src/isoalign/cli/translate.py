"""``isoalign translate``: look words up in a kept alignment."""

import sys
from typing import Annotated

import typer

from isoalign.cli._command import command
from isoalign.cli._console import Console
from isoalign.cli._options import ModelFolder, SourceVectors, TargetVectors

__all__ = ["translate"]


@command
def translate(
    console: Console,
    model: ModelFolder,
    words: Annotated[
        list[str] | None, typer.Argument(help="Words; none, or -, reads them from standard input, one a line.")
    ] = None,
    k: Annotated[int, typer.Option("-k", min=1, help="How many translations.")] = 5,
    retrieval: Annotated[str, typer.Option(help="csls, nn, isf or invnn.")] = "csls",
    reverse: Annotated[bool, typer.Option("--reverse", "-r", help="From the target into the source language.")] = False,
    source: SourceVectors = None,
    target: TargetVectors = None,
) -> None:
    """Translate words, best translation first, with scores."""
    from isoalign.alignment import load_with_files
    from isoalign.translation import Translator

    if not words or words == ["-"]:
        lines = sys.stdin.buffer.read().decode(errors="replace").split("\n")
        words = [word for line in lines if (word := line.strip(" \t\r"))]
    with console.progress() as progress:
        translator = Translator(load_with_files(model, source, target, progress=progress), retrieval=retrieval)
        found = translator.translate(words, k=k, reverse=reverse, unknown="skip")
    answers = list(zip(words, found, strict=True))
    rows = [
        (word if rank == 0 else "", entry.word, f"{entry.score:.4f}")
        for word, some in answers
        for rank, entry in enumerate(some)
    ]
    data = {
        "retrieval": retrieval,
        "translations": [{"word": word, "best": [entry._asdict() for entry in some]} for word, some in answers],
    }
    if any(found) or console.json:
        console.result("translate", data, text=console.table(rows))
    for word, some in answers:
        if not some:  # says what is close to it in spelling, and makes the command fail
            translator.translate(word, k=k, reverse=reverse)
