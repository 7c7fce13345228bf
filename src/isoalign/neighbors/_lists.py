"""Lists of the rows that score well, for choices that are made when the product is no longer there.

A list takes every row above its floor; when it is full it loses its worse half, and the floor rises to the worst that
stays. So what is not on a list is never above its floor, and an entry costs a few steps whatever the length.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from isoalign._compile import compiled
from isoalign._types import FloatVector, Matrix
from isoalign.neighbors._kernels import push, similarity

__all__ = ["Lists", "choose_listed", "list_both", "list_rows", "start_lists"]

Rows = NDArray[np.int32]

_CHUNK = 64


class Lists(NamedTuple):
    """A list of good rows for every query.

    Attributes
    ----------
    rows, scores
        The lists, (q, 2 * size), and the float32 products that they were chosen by.
    counts
        How many rows are on each list, (q,): from ``size`` on, fewer only where all rows are listed.
    floors
        The most that the product of any other row can be, (q,).
    """

    rows: Rows
    scores: Matrix
    counts: Rows
    floors: FloatVector

    @classmethod
    def empty(cls, queries: int, size: int) -> "Lists":
        """Return lists that any row will enter."""
        return cls(
            np.empty((queries, 2 * size), dtype=np.int32),
            np.empty((queries, 2 * size), dtype=np.float32),
            np.zeros(queries, dtype=np.int32),
            np.full(queries, -np.inf, dtype=np.float32),
        )

    def part(self, some: slice) -> "Lists":
        """Return the lists of some queries, without a copy."""
        return Lists(self.rows[some], self.scores[some], self.counts[some], self.floors[some])


@compiled()
def list_rows(tile: Matrix, first: int, lists: Lists) -> None:
    """Put the columns of a tile, numbered from ``first``, on the lists of its rows."""
    n_columns = tile.shape[1]
    for i in range(tile.shape[0]):
        for start in range(0, n_columns, _CHUNK):
            end = min(start + _CHUNK, n_columns)
            floor = lists.floors[i]
            hit = 0
            for j in range(start, end):
                hit |= tile[i, j] > floor
            if not hit:
                continue
            for j in range(start, end):
                if tile[i, j] > lists.floors[i]:
                    _append(lists, i, tile[i, j], first + j)


@compiled()
def list_both(tile: Matrix, x_first: int, y_first: int, x_lists: Lists, y_lists: Lists) -> None:
    """Put the columns of a tile on the lists of its rows, and its rows on the lists of its columns.

    A list whose floor is infinite takes nothing.
    """
    n_columns = tile.shape[1]
    y_floors = y_lists.floors
    for i in range(tile.shape[0]):
        for start in range(0, n_columns, _CHUNK):
            end = min(start + _CHUNK, n_columns)
            x_floor = x_lists.floors[i]
            hit = 0
            for j in range(start, end):
                hit |= (tile[i, j] > x_floor) | (tile[i, j] > y_floors[j])
            if not hit:
                continue
            for j in range(start, end):
                if tile[i, j] > x_lists.floors[i]:
                    _append(x_lists, i, tile[i, j], y_first + j)
                if tile[i, j] > y_floors[j]:
                    _append(y_lists, j, tile[i, j], x_first + i)


@compiled()
def start_lists(lists: Lists, scores: Matrix, rows: Rows) -> None:
    """Begin lists with what lies in heaps; from now on they take what is above the root."""
    for i in range(scores.shape[0]):
        lists.floors[i] = scores[i, 0]
        for place in range(scores.shape[1]):
            if scores[i, place] > -np.inf:
                _append(lists, i, scores[i, place], rows[i, place])


@compiled()
def _append(lists: Lists, query: int, score: Any, row: Any) -> None:
    """Put a row on the list of a query."""
    place = lists.counts[query]
    lists.scores[query, place] = score
    lists.rows[query, place] = row
    place += 1
    if place == lists.scores.shape[1]:
        place //= 2
        lists.floors[query] = _select(lists.scores[query], lists.rows[query], place)
    lists.counts[query] = place


@compiled()
def _select(scores: FloatVector, rows: Rows, size: Any) -> Any:
    """Move the best of a list to its front, by quickselect, and return the lowest score among them."""
    last = size - 1
    low, high = 0, scores.shape[0] - 1
    while low < high:
        pivot = scores[(low + high) // 2]
        i, j = low, high
        while i <= j:
            while scores[i] > pivot:
                i += 1
            while scores[j] < pivot:
                j -= 1
            if i <= j:
                scores[i], scores[j] = scores[j], scores[i]
                rows[i], rows[j] = rows[j], rows[i]
                i += 1
                j -= 1
        if last <= j:
            high = j
        elif last >= i:
            low = i
        else:
            break
    return scores[last]


@compiled()
def choose_listed(
    Q: Matrix,
    Y: Matrix,
    lists: Lists,
    margins: FloatVector,
    scale: float,
    bias: FloatVector | None,
    scores: Matrix,
    rows: Rows,
) -> None:
    """Take the best of every query's list by ``scale * similarity - bias`` into its heap.

    Parameters
    ----------
    Q, Y
        Queries and the rows that the lists name.
    lists
        Of these queries, perhaps from where they were before.
    margins
        By how much a score is above that of the product on the list at most, by query.
    scale, bias
        Of the score; bias by row of Y, or None for zeros.
    scores, rows
        The heaps, (q, k), changed in place.
    """
    for i in range(Q.shape[0]):
        for place in range(lists.counts[i]):
            row = lists.rows[i, place]
            highest = scale * lists.scores[i, place] + margins[i]
            if bias is not None:
                highest -= bias[row]
            if highest < scores[i, 0]:
                continue
            exact = scale * similarity(Q[i], Y[row])
            if bias is not None:
                exact -= bias[row]
            score = np.float32(exact)
            if score > scores[i, 0] or (score == scores[i, 0] and row < rows[i, 0]):
                push(scores[i], rows[i], score, row)
