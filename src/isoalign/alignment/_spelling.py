"""How similarly words are spelled."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isoalign._core.arrays import row_blocks
from isoalign._core.compile import compiled
from isoalign._core.threads import map_threads
from isoalign._core.types import IntVector, Matrix

__all__ = ["edit_similarities", "spelling_bonus"]

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
    own, own_starts = _code_points(queries)
    used, places = np.unique(rows, return_inverse=True)
    other, other_starts = _code_points([targets[row] for row in used])
    places = places.reshape(rows.shape)
    found = np.empty(rows.shape, dtype=np.float32)

    def compare(block: slice) -> None:
        _compare_words(block.start, own, own_starts, other, other_starts, places[block], found[block])

    map_threads(compare, row_blocks(len(rows), _BLOCK))
    return found


def spelling_bonus(similarities: Matrix) -> Matrix:
    r"""Return :math:`\max(0, s - 0.4)`."""
    bonus: Matrix = np.maximum(similarities - np.float32(_DISSIMILAR), np.float32(0))
    return bonus


def _code_points(words: Sequence[str]) -> tuple[NDArray[np.uint32], IntVector]:
    """Return the concatenated characters of all words, and the start of each word."""
    starts = np.append(0, np.cumsum([len(word) for word in words])).astype(np.int64)
    return np.frombuffer("".join(words).encode("utf-32-le"), dtype=np.uint32), starts


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
