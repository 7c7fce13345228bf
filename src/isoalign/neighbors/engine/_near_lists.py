"""Lists of near rows, for choices made after the product is gone.

A list takes every row above its floor. When it is full, the floor rises and the rows that are no longer above it are
dropped. So a row that is not listed is never above the floor, and an insertion takes a few steps whatever the length.
"""

from typing import Any, NamedTuple

import numpy as np

from isoalign._core.compile import compiled
from isoalign._core.types import FloatVector, IntVector, Matrix
from isoalign.neighbors.engine._kernels import Rows, push, similarity
from isoalign.neighbors.engine._marks import CHUNK, lowest_place, mark_either, mark_scores

__all__ = ["NearLists", "append_row", "choose_listed", "list_both", "list_rows", "sort_lists", "start_lists"]


class NearLists(NamedTuple):
    """A list of near rows for every query.

    Attributes
    ----------
    rows, scores
        The lists, (q, length), and the float32 products of their rows.
    counts
        Number of rows on each list, (q,), below its length.
    floors
        Upper bound of the products of all other rows, (q,).
    """

    rows: Rows
    scores: Matrix
    counts: Rows
    floors: FloatVector

    @classmethod
    def empty(cls, queries: int, length: int) -> "NearLists":
        """Return empty lists that accept any row."""
        return cls(
            np.empty((queries, length), dtype=np.int32),
            np.empty((queries, length), dtype=np.float32),
            np.zeros(queries, dtype=np.int32),
            np.full(queries, -np.inf, dtype=np.float32),
        )

    def part(self, some: slice | IntVector) -> "NearLists":
        """Return the lists of some queries; a slice gives views."""
        return NearLists(self.rows[some], self.scores[some], self.counts[some], self.floors[some])

    def next_floors(self, fewest: int) -> FloatVector:
        """Return floors for lists in similar spaces; minus infinity where a list has fewer rows than ``fewest``."""
        return np.where(self.counts < fewest, np.float32(-np.inf), self.floors)


@compiled()
def list_rows(tile: Matrix, first: int, lists: NearLists, zeros: FloatVector) -> None:
    """Put the columns of a tile, numbered from ``first``, on the lists of its rows; ``zeros`` (c,) is their bias."""
    for i in range(tile.shape[0]):
        values = tile[i]
        for start in range(0, values.shape[0], CHUNK):
            marks = mark_scores(values, start, np.float32(1.0), zeros, lists.floors[i])
            while marks:
                j = start + lowest_place(marks)
                marks &= marks - np.uint64(1)
                if values[j] > lists.floors[i]:
                    append_row(lists, i, values[j], first + j)


@compiled()
def list_both(tile: Matrix, x_first: int, y_first: int, x_lists: NearLists, y_lists: NearLists) -> None:
    """Put the columns of a tile on the lists of its rows, and its rows on the lists of its columns.

    A list with an infinite floor accepts nothing.
    """
    y_floors = y_lists.floors
    for i in range(tile.shape[0]):
        values = tile[i]
        for start in range(0, values.shape[0], CHUNK):
            marks = mark_either(values, start, x_lists.floors[i], y_floors)
            while marks:
                j = start + lowest_place(marks)
                marks &= marks - np.uint64(1)
                if values[j] > x_lists.floors[i]:
                    append_row(x_lists, i, values[j], y_first + j)
                if values[j] > y_floors[j]:
                    append_row(y_lists, j, values[j], x_first + i)


@compiled()
def start_lists(lists: NearLists, scores: Matrix, rows: Rows) -> None:
    """Fill lists from heaps; from then on they accept what is above the root."""
    for i in range(scores.shape[0]):
        lists.floors[i] = scores[i, 0]
        for place in range(scores.shape[1]):
            if scores[i, place] > -np.inf:
                append_row(lists, i, scores[i, place], rows[i, place])


@compiled(inline=True)
def append_row(lists: NearLists, query: int, score: Any, row: Any) -> None:
    """Put a row on the list of a query."""
    count = lists.counts[query]
    lists.scores[query, count] = score
    lists.rows[query, count] = row
    lists.counts[query] = count + 1
    if count + 1 == lists.scores.shape[1]:
        _raise_floor(lists, query)


@compiled()
def _raise_floor(lists: NearLists, query: int) -> None:
    """Drop the worst of a list: about two fifths if scores thin out exponentially, as they do at their upper end."""
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
def sort_lists(lists: NearLists) -> None:
    """Sort every list, best first, so that a choice among its rows soon has a high threshold."""
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
    lists: NearLists,
    margins: FloatVector,
    scale: float,
    bias: FloatVector | None,
    scores: Matrix,
    rows: Rows,
) -> None:
    """Move the best of every list, by ``scale * similarity - bias``, into the heap of its query.

    Parameters
    ----------
    Q, Y
        Queries (q, dim) and the listed rows (m, dim).
    lists
        Lists of these queries, possibly made at earlier positions.
    margins
        Largest difference of a score from that of the listed product, for every query.
    scale, bias
        Parameters of the score; bias (m,), or None for zeros.
    scores, rows
        Heaps (q, k), changed in place.
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
