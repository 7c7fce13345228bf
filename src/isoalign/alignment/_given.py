"""Resolve arguments of `align` and `join`: objects, file names, names of starts."""

from os import PathLike
from pathlib import Path
from typing import Any

from isoalign._core.progress import Progress
from isoalign._core.threads import map_threads
from isoalign.alignment._member import SOURCE, TARGET
from isoalign.alignment._registry import STARTS
from isoalign.io import EmbeddingsLike, LexiconLike, given_embeddings, given_lexicon
from isoalign.lexicon import Lexicon
from isoalign.vectors import Embeddings

__all__ = ["is_start", "read_dictionary", "read_sides"]


def read_sides(source: EmbeddingsLike, target: EmbeddingsLike, progress: Progress) -> tuple[Embeddings, Embeddings]:
    """Return source and target; files are read in parallel."""

    def take(item: tuple[str, EmbeddingsLike]) -> Embeddings:
        return given_embeddings(item[1], name=item[0], progress=progress)

    X, Y = map_threads(take, ((SOURCE, source), (TARGET, target)))
    return X, Y


def read_dictionary(value: LexiconLike | None, start: Any) -> tuple[Lexicon | None, Any]:
    """Return a lexicon and no start, or no lexicon and the start named by ``value``."""
    if value is None:
        return None, start
    return (None, value) if is_start(value) else (given_lexicon(value), start)


def is_start(value: Any) -> bool:
    """Return whether a value is the name of a start: text that is not a file and does not look like one."""
    if not isinstance(value, (str, PathLike)):
        return False
    path = Path(value)
    return str(value) in STARTS or not (path.suffix or len(path.parts) > 1 or path.exists())
