"""What binary formats share: believable headers, words as bytes, numbers that another program can take."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from isoalign._types import MatrixLike
from isoalign._validate import first_bad_row
from isoalign.errors import FormatError, InvalidValueError
from isoalign.io._stream import Block, VectorStream

__all__ = ["check_dim", "convert_blocks", "count", "decode_words", "name_bad_row"]

_MAX_DIM = 1 << 20  # a header that promises more is not believed, so that nobody reserves memory for it


def check_dim(dim: int, *, path: Path) -> int:
    """Return the number of columns that a header promises if vectors can have so many."""
    if not 1 <= dim <= _MAX_DIM:
        raise FormatError(f"{path}: its header promises vectors of {dim} values. Is it damaged, or another format?")
    return dim


def count(metadata: dict[str, Any], name: str, number: int) -> None:
    """Add to a count in a stream's metadata, which has no entry for what never happened."""
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
    """Yield the blocks of a stream with their numbers in another type, all finite, as a reader will demand."""
    done = 0
    for words, vectors in stream.blocks:
        with np.errstate(over="ignore"):  # a number beyond the type's range becomes infinite and is named below
            converted = np.ascontiguousarray(vectors, dtype=dtype)
        bad = first_bad_row(converted)
        if bad is not None:
            place = name_bad_row(named, done + bad, words[bad], converted)
            raise InvalidValueError(f"{place} Repair or drop that row.")
        yield Block(words, converted)
        done += len(words)


def name_bad_row(path: Path, row: int, word: str, vectors: MatrixLike) -> str:
    """Say which row holds a value that is no number; rows are counted from 0 here, from 1 for people."""
    return f"{path}: row {row + 1} ({word!r}) holds NaN, infinity or a number too large for {vectors.dtype}."
