"""Checks shared by binary formats: plausible headers, words as bytes, finite numbers."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from isoalign._core.types import MatrixLike
from isoalign._core.validate import first_bad_row
from isoalign.errors import FormatError, InvalidValueError
from isoalign.io._stream import Block, VectorStream

__all__ = ["check_dim", "convert_blocks", "count", "decode_words", "name_bad_row"]

_MAX_DIM = 1 << 20  # a header with more is rejected before memory is allocated


def check_dim(dim: int, *, path: Path) -> int:
    """Return the number of columns in a header if it is plausible."""
    if not 1 <= dim <= _MAX_DIM:
        raise FormatError(f"{path}: its header promises vectors of {dim} values. Is it damaged, or another format?")
    return dim


def count(metadata: dict[str, Any], name: str, number: int) -> None:
    """Add to a count in the metadata of a stream; a count of zero has no entry."""
    if number:
        metadata[name] = metadata.get(name, 0) + number


def decode_words(words: Sequence[bytes], metadata: dict[str, Any]) -> list[str]:
    """Decode words, replace invalid UTF-8 in them, and count those words as ``replaced_words``."""
    try:
        return [word.decode() for word in words]
    except UnicodeDecodeError:
        replaced = [word.decode(errors="replace") for word in words]
        changed = sum(text.encode() != word for text, word in zip(replaced, words, strict=True))
        count(metadata, "replaced_words", changed)
        return replaced


def convert_blocks(stream: VectorStream, dtype: str, *, named: Path) -> Iterator[Block]:
    """Yield the blocks of a stream with their numbers in another type, which must be finite."""
    done = 0
    for words, vectors in stream.blocks:
        with np.errstate(
            over="ignore", invalid="ignore"
        ):  # numbers beyond the range of the type become infinite and are reported below
            converted = np.ascontiguousarray(vectors, dtype=dtype)
        bad = first_bad_row(converted)
        if bad is not None:
            place = name_bad_row(named, done + bad, words[bad], converted)
            raise InvalidValueError(f"{place} Repair or drop that row.")
        yield Block(words, converted)
        done += len(words)


def name_bad_row(path: Path, row: int, word: str, vectors: MatrixLike) -> str:
    """Return a message about a row (counted from 0) with a value that is not a finite number."""
    return f"{path}: row {row + 1} ({word!r}) contains NaN, infinity or a number too large for {vectors.dtype}."
