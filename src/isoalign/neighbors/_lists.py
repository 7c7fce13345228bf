"""Lists of the rows that score well, for choices that are made when the product is no longer there.

A list takes every row above its floor. When it is full, its floor rises and those that are no longer above it go. So
what is not on a list is never above its floor, and an entry costs a few steps whatever the length.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from isoalign._compile import compiled
from isoalign._types import FloatVector, IntVector, Matrix
from isoalign.neighbors._kernels import push, similarity

__all__ = ["Lists", "choose_listed", "list_both", "list_rows", "sort_lists", "start_lists"]

Rows = NDArray[np.int32]

_CHUNK = 64


class Lists(NamedTuple):
    """A list of good rows for every query.

    Attributes
    ----------
    rows, scores
        The lists, (q, length), and the float32 products that they were chosen by.
    counts
        How many rows are on each list, (q,): less than its length.
    floors
        The most that the product of any other row can be, (q,).
    """

    rows: Rows
    scores: Matrix
    counts: Rows
    floors: FloatVector

    @classmethod
    def empty(cls, queries: int, length: int) -> "Lists":
        """Return lists that any row will enter."""
        return cls(
            np.empty((queries, length), dtype=np.int32),
            np.empty((queries, length), dtype=np.float32),
            np.zeros(queries, dtype=np.int32),
            np.full(queries, -np.inf, dtype=np.float32),
        )

    def part(self, some: slice | IntVector) -> "Lists":
        """Return the lists of some queries; those of a slice are views."""
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


@compiled(inline=True)
def _append(lists: Lists, query: int, score: Any, row: Any) -> None:
    """Put a row on the list of a query."""
    count = lists.counts[query]
    lists.scores[query, count] = score
    lists.rows[query, count] = row
    lists.counts[query] = count + 1
    if count + 1 == lists.scores.shape[1]:
        _raise_floor(lists, query)


@compiled()
def _raise_floor(lists: Lists, query: int) -> None:
    """Drop the worst of a list: where scores thin out exponentially, as they do at their upper end, two fifths."""
    scores, rows = lists.scores[query], lists.rows[query]
    lowest, total = scores[0], 0.0
    for place in range(scores.shape[0]):
        lowest = min(lowest, scores[place])
        total += scores[place]
    floor = np.float32((lowest + total / scores.shape[0]) / 2)
    end = 0
    for place in range(scores.shape[0]):
        scores[end], rows[end] = scores[place], rows[place]
        end += scores[place] > floor
    lists.floors[query] = floor
    lists.counts[query] = end


@compiled()
def sort_lists(lists: Lists) -> None:
    """Sort every list, best first, so that a choice among its rows soon knows what is good."""
    for i in range(lists.counts.shape[0]):
        for end in range(1, lists.counts[i]):
            score, row = lists.scores[i, end], lists.rows[i, end]
            place = end
            while place > 0 and lists.scores[i, place - 1] < score:
                lists.scores[i, place] = lists.scores[i, place - 1]
                lists.rows[i, place] = lists.rows[i, place - 1]
                place -= 1
            lists.scores[i, place] = score
            lists.rows[i, place] = row


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
