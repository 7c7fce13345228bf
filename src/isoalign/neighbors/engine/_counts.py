"""Exact ranks of given rows: the number of rows that score better, counted without sorting."""

from typing import Any

import numpy as np

from isoalign._core.arrays import row_lengths
from isoalign._core.compile import compiled
from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.types import FloatVector, IntVector, Matrix
from isoalign.neighbors.engine._backend import current_backend
from isoalign.neighbors.engine._kernels import similarity
from isoalign.neighbors.engine._margins import check_products, error_margins, longest_row

__all__ = ["count_in_tile", "count_ranks", "score_pairs"]


@compiled()
def _score_pairs(
    Q: Matrix, Y: Matrix, q_rows: IntVector, y_rows: IntVector, scale: float, bias: FloatVector, out: FloatVector
) -> None:
    for pair in range(q_rows.shape[0]):
        out[pair] = np.float32(scale * similarity(Q[q_rows[pair]], Y[y_rows[pair]]) - bias[y_rows[pair]])


def score_pairs(
    Q: Matrix,
    Y: Matrix,
    q_rows: IntVector,
    y_rows: IntVector,
    *,
    scale: float = 1.0,
    bias: FloatVector | None = None,
) -> FloatVector:
    """Return ``scale * inner product - bias`` of pairs of rows, (p,): the same bits as :func:`search`."""
    scores = np.empty(len(q_rows), dtype=np.float32)
    _score_pairs(Q, Y, q_rows, y_rows, float(scale), _or_zeros(bias, len(Y)), scores)
    return scores


@compiled()
def count_in_tile(
    tile: Matrix,
    Q: Matrix,
    Y: Matrix,
    first: int,
    scale: float,
    bias: FloatVector,
    margins: FloatVector,
    marks: FloatVector,
    marked: IntVector,
    counts: Any,
) -> None:
    """Count the columns of a tile that rank before the marked one of each row."""
    factor = np.float32(scale)
    for i in range(tile.shape[0]):
        low, high = marks[i] - margins[i], marks[i] + margins[i]
        surely = 0
        for j in range(tile.shape[1]):
            about = factor * tile[i, j] - bias[j]
            surely += about > high
        for j in range(tile.shape[1]):
            about = factor * tile[i, j] - bias[j]
            if low <= about <= high:
                score = np.float32(scale * similarity(Q[i], Y[j]) - bias[j])
                surely += score > marks[i] or (score == marks[i] and first + j < marked[i])
        counts[i] += surely


def count_ranks(
    Q: Matrix,
    Y: Matrix,
    rows: IntVector,
    *,
    scale: float = 1.0,
    bias: FloatVector | None = None,
    longest: float | None = None,
    progress: Progress = ignore_progress,
) -> IntVector:
    """Return the rank of one row of Y for every query by ``scale * inner product - bias``.

    Parameters
    ----------
    Q, Y
        Queries (q, dim) and rows to rank (m, dim): C-contiguous, float32.
    rows
        A row of Y for every query, (q,).
    scale, bias
        Parameters of the score; bias (m,), or None for zeros.
    longest
        Length of the longest row of Y, or an upper bound. None: measured.
    progress
        Progress callback.

    Returns
    -------
    ndarray
        Ranks (q,), counted from 1; of equal scores the lower row comes first.
    """
    if longest is None:
        longest = longest_row(row_lengths(Y))
    lengths = row_lengths(Q)
    check_products(Q, Y, longest_row(lengths), longest, scale=scale, names=("Q", "Y"))
    bias = _or_zeros(bias, len(Y))
    margins = error_margins(lengths, longest, Q.shape[1], scale=scale, bias=bias)
    marks = score_pairs(Q, Y, np.arange(len(Q)), rows, scale=scale, bias=bias)
    backend = current_backend()
    return 1 + backend.count_better(Q, Y, rows, marks, margins, scale=scale, bias=bias, progress=progress)


def _or_zeros(bias: FloatVector | None, m: int) -> FloatVector:
    return np.zeros(m, dtype=np.float32) if bias is None else np.ascontiguousarray(bias, dtype=np.float32)
