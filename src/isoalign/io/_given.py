"""Resolve arguments for embeddings and dictionaries: objects or file names."""

from collections.abc import Iterable, Mapping
from os import PathLike
from pathlib import Path
from typing import TypeAlias

from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.types import Key, MatrixLike, PathName
from isoalign.io._dictionary import read_lexicon
from isoalign.io._languages import guess_lang
from isoalign.io._read import read_vectors
from isoalign.lexicon import Lexicon
from isoalign.vectors import Embeddings, KeyedVectorsLike, as_embeddings

__all__ = ["EmbeddingsLike", "LexiconLike", "given_embeddings", "given_lexicon", "given_spaces"]

EmbeddingsLike: TypeAlias = Embeddings | KeyedVectorsLike | MatrixLike | PathName
"""Vectors with or without keys, or a file."""

LexiconLike: TypeAlias = Lexicon | Iterable[tuple[Key, Key]] | Mapping[Key, Key | Iterable[Key]] | PathName
"""Word pairs, a mapping, or a file."""


def given_embeddings(
    value: EmbeddingsLike, *, name: str = "source", progress: Progress = ignore_progress
) -> Embeddings:
    """Return embeddings as `as_embeddings` does; a path is read, its language guessed from its name."""
    if isinstance(value, (str, PathLike)):
        path = Path(value)
        return read_vectors(path, lang=None if path.is_dir() else guess_lang(path), progress=progress)
    return as_embeddings(value, name=name)


def given_spaces(
    spaces: Mapping[str, EmbeddingsLike], *, progress: Progress = ignore_progress
) -> dict[str, Embeddings]:
    """Return the embeddings of several spaces by name, each as `given_embeddings` does."""
    return {name: given_embeddings(side, name=repr(name), progress=progress) for name, side in spaces.items()}


def given_lexicon(value: LexiconLike) -> Lexicon:
    """Return a lexicon from word pairs or a mapping; a path is read."""
    if isinstance(value, (str, PathLike)):
        return read_lexicon(value)
    return value if isinstance(value, Lexicon) else Lexicon(value)
