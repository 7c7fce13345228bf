"""Compute the rows of character n-grams as fastText does."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from isoalign._core.compile import compiled
from isoalign._core.types import IntVector

__all__ = ["NGrams"]

_NO_ROWS = np.empty(0, dtype=np.int64)
_OFFSET_BASIS, _PRIME = 2166136261, 16777619  # of the 32-bit FNV-1a hash


@dataclass(frozen=True)
class NGrams:
    """The n-grams of ``<word>`` between two lengths, hashed into buckets; each bucket is a row of a table.

    Lengths count characters, not bytes. The marks ``<`` and ``>`` alone are not n-grams.

    Attributes
    ----------
    minn, maxn
        Shortest and longest n-gram.
    bucket
        Number of buckets; 0 means that words have no n-grams.
    first_row
        The row of bucket 0.
    kept
        For a pruned model: the remaining buckets, ascending, and the row of each, relative to ``first_row``.
    """

    minn: int
    maxn: int
    bucket: int
    first_row: int
    kept: tuple[IntVector, IntVector] | None = field(default=None, repr=False)

    def __bool__(self) -> bool:
        """Return whether words can have n-grams."""
        return self.bucket > 0 and self.maxn >= max(self.minn, 1) and (self.kept is None or len(self.kept[0]) > 0)

    def find_rows(
        self, blob: NDArray[np.uint8], spans: IntVector, *, own_row: int | None = None
    ) -> tuple[IntVector, IntVector]:
        """Return the concatenated rows of the n-grams of all words, and the end of each word's rows.

        Parameters
        ----------
        blob, spans
            Words as UTF-8 bytes, and where each begins and ends in them, (n, 2).
        own_row
            First row of the words themselves; each word's own row then precedes those of its n-grams.
        """
        ends = np.empty(len(spans), dtype=np.int64)
        bucket = self.bucket if self else 0
        own_row = -1 if own_row is None else own_row
        kept, kept_rows = self.kept or (_NO_ROWS, _NO_ROWS)
        settings = (self.minn, self.maxn, bucket, self.first_row, own_row, kept, kept_rows, self.kept is not None)
        rows = np.empty(_walk(blob, spans, *settings, _NO_ROWS, ends), dtype=np.int64)
        if len(rows):
            _walk(blob, spans, *settings, rows, ends)
        return rows, ends


@compiled(inline=True)
def _byte(blob: NDArray[np.uint8], start: int, length: int, place: int) -> int:
    """Return a byte of ``<word>``; position 0 is the first byte of the word."""
    if place < 0:
        return 60
    if place == length:
        return 62
    return np.int64(blob[start + place])  # type: ignore[return-value]


@compiled()
def _is_end_of_sentence(word: NDArray[np.uint8]) -> bool:
    """Return whether a word is ``</s>``, the only word without n-grams in fastText."""
    return len(word) == 4 and word[0] == 60 and word[1] == 47 and word[2] == 115 and word[3] == 62


@compiled()
def _walk(
    blob: NDArray[np.uint8],
    spans: IntVector,
    minn: int,
    maxn: int,
    bucket: int,
    first_row: int,
    own_row: int,
    kept: IntVector,
    kept_rows: IntVector,
    pruned: bool,
    rows: IntVector,
    ends: IntVector,
) -> int:
    """Fill ``rows`` and ``ends`` and return the number of rows; if ``rows`` is empty, only count them."""
    fill = len(rows) > 0
    found = 0
    for word in range(len(spans)):
        start = spans[word, 0]
        length = spans[word, 1] - start
        if own_row >= 0:
            if fill:
                rows[found] = own_row + word
            found += 1
        if bucket > 0 and not _is_end_of_sentence(blob[start : start + length]):
            for first in range(-1, length + 1):
                if _byte(blob, start, length, first) & 0xC0 == 0x80:
                    continue  # inside a character
                value = _OFFSET_BASIS
                place = first
                for n in range(1, maxn + 1):
                    if place > length:
                        break
                    while True:
                        byte = _byte(blob, start, length, place)
                        # fastText's bytes are signed: the sign extension of a negative one changes the hash too.
                        value = ((value ^ (byte if byte < 128 else byte | 0xFFFFFF00)) * _PRIME) & 0xFFFFFFFF
                        place += 1
                        if place > length or _byte(blob, start, length, place) & 0xC0 != 0x80:
                            break
                    if n < minn or (n == 1 and (first < 0 or place > length)):
                        continue
                    row = value % bucket
                    if pruned:
                        at = np.searchsorted(kept, row)
                        if at == len(kept) or kept[at] != row:
                            continue
                        row = kept_rows[at]
                    if fill:
                        rows[found] = first_row + row
                    found += 1
        ends[word] = found
    return found
