"""What every reader does with the rows of a block: decode their words, refuse or drop bad values, count repairs."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from isoalign._validate import check_choice, first_bad_row
from isoalign.errors import FormatError
from isoalign.io._stream import Block

__all__ = ["check_dim", "check_on_bad", "check_rows", "count", "decode_words"]

_MAX_DIM = 1 << 20  # a header that promises more is not believed, so that nobody reserves memory for it


def check_on_bad(on_bad: str) -> str:
    """Return ``on_bad`` if readers know it."""
    return check_choice(on_bad, ("error", "skip"), name="on_bad")


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


def check_rows(block: Block, *, path: Path, start: int, on_bad: str, metadata: dict[str, Any]) -> Block:
    """Refuse rows with NaN or infinity, or drop them and count them as ``skipped_rows``.

    Parameters
    ----------
    start
        How many rows of the file came before this block.
    """
    bad = first_bad_row(block.vectors)
    if bad is None:
        return block
    if on_bad == "error":
        raise FormatError(
            f"{path}: row {start + bad + 1} ({block.words[bad]!r}) holds NaN or infinity. "
            "Repair the file, or skip bad rows (--skip-bad)."
        )
    good = cast(NDArray[np.bool_], np.isfinite(block.vectors).all(axis=1))
    count(metadata, "skipped_rows", int((~good).sum()))
    return Block([word for word, keep in zip(block.words, good.tolist(), strict=True) if keep], block.vectors[good])
