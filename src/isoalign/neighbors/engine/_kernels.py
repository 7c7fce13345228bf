"""Compiled loops that pick the best values of a tile of inner products.

A tile comes from BLAS in float32, whose rounding depends on the shape of the tile. Its values only select the pairs to
look at: a value that could belong to the best, given the largest possible float32 error, is computed again by
:func:`similarity`. The results depend on the two rows alone, so equal rows tie exactly, and block size, threads and
BLAS change nothing.

The best of a row are kept in a heap whose root is the worst of them: lower score, or equal score and higher row.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from isoalign._core.arrays import row_blocks
from isoalign._core.compile import compiled
from isoalign._core.threads import map_threads
from isoalign._core.types import FloatVector, Matrix
from isoalign.neighbors.engine._marks import CHUNK, lowest_place, mark_either, mark_scores

__all__ = [
    "Rows",
    "empty_heaps",
    "least_similarity",
    "merge_heaps",
    "push",
    "scan_both",
    "scan_rows",
    "similarity",
    "sort_heaps",
]

Rows = NDArray[np.int32]

_SORTED = 4096  # heaps that a thread sorts at a time


def empty_heaps(shape: tuple[int, ...]) -> tuple[Matrix, Rows]:
    """Return heaps that any pair will enter: scores of minus infinity, and a row number above all others."""
    return np.full(shape, -np.inf, dtype=np.float32), np.full(shape, np.iinfo(np.int32).max, dtype=np.int32)


@compiled(fastmath={"reassoc", "contract", "nsz"})
def similarity(x: FloatVector, y: FloatVector) -> Any:
    """Return the inner product, summed in float64."""
    total = 0.0
    for column in range(x.shape[0]):
        total += np.float64(x[column]) * np.float64(y[column])
    return total


@compiled()
def least_similarity(Q: Matrix, Y: Matrix, rows: NDArray[np.int64]) -> FloatVector:
    """Return the smallest inner product of every query with its rows of Y, (q, k), in float32."""
    least = np.empty(Q.shape[0], dtype=np.float32)
    for i in range(Q.shape[0]):
        smallest = np.inf
        for place in range(rows.shape[1]):
            smallest = min(smallest, similarity(Q[i], Y[rows[i, place]]))
        least[i] = np.float32(smallest)
    return least


@compiled()
def push(scores: FloatVector, rows: Rows, score: Any, row: Any) -> None:
    """Replace the root of a heap."""
    size = scores.shape[0]
    hole = 0
    while True:
        child = 2 * hole + 1
        if child >= size:
            break
        right = child + 1
        if right < size and (
            scores[right] < scores[child] or (scores[right] == scores[child] and rows[right] > rows[child])
        ):
            child = right
        if scores[child] > score or (scores[child] == score and rows[child] < row):
            break
        scores[hole] = scores[child]
        rows[hole] = rows[child]
        hole = child
    scores[hole] = score
    rows[hole] = row


@compiled()
def scan_rows(
    tile: Matrix,
    X: Matrix,
    Y: Matrix,
    first: int,
    scale: float,
    bias: FloatVector,
    margins: FloatVector,
    exact: bool,
    scores: Matrix,
    rows: Rows,
) -> None:
    """Keep the best columns of every row of a tile by ``scale * similarity - bias``.

    Parameters
    ----------
    tile
        ``X @ Y.T`` in float32.
    X, Y
        The rows that the tile was computed from.
    first
        Row number of ``Y[0]``. The tiles of one row must come in ascending order.
    scale, bias
        Parameters of the score; bias (c,).
    margins
        Largest error of a score computed from the tile, for every row.
    exact
        Whether to compute scores again. Otherwise those of the tile, less their largest error, are kept.
    scores, rows
        Heaps (r, k), changed in place.
    """
    factor = np.float32(scale)
    for i in range(tile.shape[0]):
        values = tile[i]
        slack = margins[i] if exact else -margins[i]
        floor = scores[i, 0] - slack
        for start in range(0, values.shape[0], CHUNK):
            marks = mark_scores(values, start, factor, bias, floor)
            while marks:
                j = start + lowest_place(marks)
                marks &= marks - np.uint64(1)
                score = factor * values[j] - bias[j]
                if score <= floor:  # which has risen since
                    continue
                if exact:
                    score = np.float32(scale * similarity(X[i], Y[j]) - bias[j])
                else:
                    score -= margins[i]
                if score > scores[i, 0]:
                    push(scores[i], rows[i], score, first + j)
                    floor = scores[i, 0] - slack


@compiled()
def scan_both(
    tile: Matrix,
    X: Matrix,
    Y: Matrix,
    x_first: int,
    y_first: int,
    x_margins: FloatVector,
    y_margins: FloatVector,
    x_scores: Matrix,
    x_rows: Rows,
    y_scores: Matrix,
    y_rows: Rows,
    y_floors: FloatVector,
) -> None:
    """Keep the most similar columns of every row, and rows of every column, of a tile.

    Tiles may come in any order. ``y_floors`` (c,) is working space.
    """
    for j in range(tile.shape[1]):
        y_floors[j] = y_scores[j, 0] - y_margins[j]
    for i in range(tile.shape[0]):
        values = tile[i]
        x_floor = x_scores[i, 0] - x_margins[i]
        for start in range(0, values.shape[0], CHUNK):
            marks = mark_either(values, start, x_floor, y_floors)
            while marks:
                j = start + lowest_place(marks)
                marks &= marks - np.uint64(1)
                if values[j] >= x_floor or values[j] >= y_floors[j]:  # the floors may have risen since
                    score = np.float32(similarity(X[i], Y[j]))
                    row = y_first + j
                    if score > x_scores[i, 0] or (score == x_scores[i, 0] and row < x_rows[i, 0]):
                        push(x_scores[i], x_rows[i], score, row)
                        x_floor = x_scores[i, 0] - x_margins[i]
                    row = x_first + i
                    if score > y_scores[j, 0] or (score == y_scores[j, 0] and row < y_rows[j, 0]):
                        push(y_scores[j], y_rows[j], score, row)
                        y_floors[j] = y_scores[j, 0] - y_margins[j]


@compiled()
def merge_heaps(scores: Matrix, rows: Rows, more_scores: Matrix, more_rows: Rows) -> None:
    """Move the best of further entries, (r, any number), into heaps; rows that are there already are skipped."""
    for i in range(scores.shape[0]):
        for j in range(more_scores.shape[1]):
            score, row = more_scores[i, j], more_rows[i, j]
            if score > scores[i, 0] or (score == scores[i, 0] and row < rows[i, 0]):
                known = False
                for place in range(rows.shape[1]):
                    known |= rows[i, place] == row
                if not known:
                    push(scores[i], rows[i], score, row)


@compiled()
def _sort_block(scores: Matrix, rows: Rows) -> None:
    for i in range(scores.shape[0]):
        for size in range(scores.shape[1] - 1, 0, -1):
            score, row = scores[i, size], rows[i, size]
            scores[i, size], rows[i, size] = scores[i, 0], rows[i, 0]
            push(scores[i, :size], rows[i, :size], score, row)


def sort_heaps(scores: Matrix, rows: Rows) -> None:
    """Sort every heap in place, best first."""
    map_threads(lambda block: _sort_block(scores[block], rows[block]), row_blocks(len(scores), _SORTED))
