"""How similarly words are spelled."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from isoalign._core.arrays import row_blocks
from isoalign._core.compile import compiled
from isoalign._core.threads import map_threads
from isoalign._core.types import IntVector, Matrix

__all__ = ["EncodedWords", "compare_candidates", "edit_similarities", "spelling_bonus", "word_starts"]

_BLOCK = 256
_DISSIMILAR = 0.4  # similarity of unrelated words by chance


def edit_similarities(queries: Sequence[str], targets: Sequence[str], rows: IntVector) -> Matrix:
    r"""Return the spelling similarity of queries and candidates, (q, k), between 0 and 1.

    .. math:: 1 - \frac{\mathrm{Levenshtein}(a, b)}{\max(|a|, |b|)}

    Parameters
    ----------
    queries
        One word for every row of ``rows``.
    targets
        All target words.
    rows
        Rows of the candidates among the targets, (q, k).
    """
    return compare_candidates(queries, targets, rows, _compare_words, encode=(_code_points, _code_points))


class EncodedWords(NamedTuple):
    """Numbers of the letters of all words, one word after the other, and where each word starts."""

    letters: NDArray[Any]
    starts: IntVector


Encode = Callable[[Sequence[str]], EncodedWords]


def compare_candidates(
    queries: Sequence[str],
    targets: Sequence[str],
    rows: IntVector,
    kernel: Callable[..., None],
    *arguments: Any,
    encode: tuple[Encode, Encode],
) -> Matrix:
    """Return what a compiled function finds for queries and their candidates, (q, k).

    Parameters
    ----------
    queries, targets, rows
        As for `edit_similarities`.
    kernel
        Called with the first query of a block, letters and starts of the queries and of the distinct candidates, where
        candidates are among these, the arguments, and the block of results.
    arguments
        Further arguments of the function.
    encode
        Return the letters of queries and of targets as numbers.
    """
    used, places = np.unique(rows, return_inverse=True)
    places = places.reshape(rows.shape)
    own, other = encode[0](queries), encode[1]([targets[row] for row in used])
    found = np.empty(rows.shape, dtype=np.float32)

    def compare(block: slice) -> None:
        kernel(block.start, *own, *other, places[block], *arguments, found[block])

    map_threads(compare, row_blocks(len(rows), _BLOCK))
    return found


def spelling_bonus(similarities: Matrix) -> Matrix:
    r"""Return :math:`\max(0, s - 0.4)`."""
    bonus: Matrix = np.maximum(similarities - np.float32(_DISSIMILAR), np.float32(0))
    return bonus


def _code_points(words: Sequence[str]) -> EncodedWords:
    return EncodedWords(np.frombuffer("".join(words).encode("utf-32-le"), dtype=np.uint32), word_starts(words))


def word_starts(words: Sequence[str]) -> IntVector:
    """Return where each word starts if all are written one after the other, and the end."""
    return np.append(0, np.cumsum([len(word) for word in words])).astype(np.int64)


@compiled()
def _edit_distance(a: Any, b: Any) -> Any:
    distances = np.arange(b.shape[0] + 1)
    for i in range(a.shape[0]):
        diagonal = distances[0]
        distances[0] = i + 1
        for j in range(b.shape[0]):
            changed = diagonal + (a[i] != b[j])
            diagonal = distances[j + 1]
            distances[j + 1] = min(changed, diagonal + 1, distances[j] + 1)
    return distances[b.shape[0]]


@compiled()
def _compare_words(
    first: int, own: Any, own_starts: IntVector, other: Any, other_starts: IntVector, places: IntVector, found: Matrix
) -> None:
    for i in range(places.shape[0]):
        a = own[own_starts[first + i] : own_starts[first + i + 1]]
        for k in range(places.shape[1]):
            b = other[other_starts[places[i, k]] : other_starts[places[i, k] + 1]]
            longest = max(a.shape[0], b.shape[0])
            found[i, k] = 1.0 - _edit_distance(a, b) / longest if longest > 0 else 1.0
