"""Complete prefixes from a vocabulary, in any script, most frequent words first."""

import unicodedata
from bisect import bisect_left

import numpy as np

from isoalign._core.types import IntVector
from isoalign.vocabulary import Vocabulary

__all__ = ["CompletionIndex", "fold"]

_LAST = "\U0010ffff"


def fold(text: str) -> str:
    """Return text for comparison: case-folded, with compatible characters unified (Ａ is a, ﾈｺ is ネコ)."""
    return unicodedata.normalize("NFKC", text).casefold()


class CompletionIndex:
    """A sorted vocabulary: a prefix is a range of it.

    Parameters
    ----------
    vocabulary
        Most frequent word first.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        keys = [fold(word) for word in vocabulary.words]
        order = sorted(range(len(keys)), key=keys.__getitem__)
        self._keys = [keys[row] for row in order]
        self._rows: IntVector = np.array(order, dtype=np.int64)

    def complete(self, prefix: str, limit: int) -> list[int]:
        """Return the rows of words that begin with a prefix; the word itself first, then the most frequent."""
        key = fold(prefix)
        start, stop = bisect_left(self._keys, key), bisect_left(self._keys, key + _LAST)
        same = bisect_left(self._keys, key + "\0", start, stop)
        exact = np.sort(self._rows[start:same])
        rest = self._rows[same:stop]
        if len(rest) > limit:
            rest = np.partition(rest, limit)[:limit]
        return [*exact.tolist(), *np.sort(rest).tolist()][:limit]

    def suggest(self, word: str, limit: int) -> tuple[int, list[str]]:
        """Return the length of the longest known beginning of a word, and words that share it."""
        for length in range(len(word), 0, -1):
            rows = self.complete(word[:length], limit)
            if rows:
                return length, [self._vocabulary[row] for row in rows]
        return 0, []
