"""The best rows of one matrix for every row of another, from one walk over the product."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from isoalign._core.arrays import row_lengths
from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.types import FloatVector, IntVector, Matrix
from isoalign._core.validate import check_count, check_same_dim
from isoalign.neighbors.engine._backend import current_backend
from isoalign.neighbors.engine._kernels import empty_heaps, merge_heaps, scan_rows, sort_heaps
from isoalign.neighbors.engine._margins import as_rows, check_products, error_margins, longest_row
from isoalign.neighbors.engine._tiles import TILING, Strip, Tile, Tiling

__all__ = ["Best", "TopRows", "mean_best", "search"]


class Best(NamedTuple):
    """Scores and row numbers of the best rows for every query, (q, k), best first."""

    scores: Matrix
    rows: IntVector


class TopRows:
    """Collect the best rows of Y for every row of Q by ``scale * inner product - bias`` during a walk.

    Parameters
    ----------
    k
        Number of rows to keep, at most the number of rows of Y.
    scale
        Positive factor of the inner product.
    bias
        Subtracted from the score of every row of Y, (m,). None: nothing.
    exact
        Whether scores must be exact. If not, they are lower bounds, off by a few roundings, and so is the choice.
    """

    def __init__(self, k: int, *, scale: float = 1.0, bias: FloatVector | None = None, exact: bool = True) -> None:
        self.k = check_count(k, name="k")
        self.scale = scale
        self.bias = None if bias is None else np.ascontiguousarray(bias, dtype=np.float32)
        self.exact = exact

    def begin(self, Q: Matrix, Y: Matrix, strips: list[Strip], lengths: NDArray[np.float64], longest: float) -> None:
        """Allocate memory for a walk over ``Q @ Y.T``."""
        self.Q, self.Y = Q, Y
        self.offsets = np.zeros(len(Y), dtype=np.float32) if self.bias is None else self.bias
        self.margins = error_margins(lengths, longest, Q.shape[1], scale=self.scale, bias=self.bias)
        parts = 1 + max((strip.part for strip in strips), default=0)
        self.scores, self.rows = empty_heaps((parts, len(Q), min(self.k, len(Y))))

    def visit(self, tile: Tile) -> None:
        """Keep the best of a tile."""
        scan_rows(
            tile.values,
            self.Q[tile.rows],
            self.Y[tile.columns],
            tile.columns.start,
            self.scale,
            self.offsets[tile.columns],
            self.margins[tile.rows],
            self.exact,
            self.scores[tile.part, tile.rows],
            self.rows[tile.part, tile.rows],
        )

    def result(self) -> Best:
        """Return scores and rows, (q, k), best first."""
        scores, rows = self.scores[0], self.rows[0]
        for more_scores, more_rows in zip(self.scores[1:], self.rows[1:], strict=True):
            merge_heaps(scores, rows, more_scores, more_rows)
        sort_heaps(scores, rows)
        return Best(scores, rows.astype(np.int64))


def search(
    Q: Matrix,
    Y: Matrix,
    wanted: list[TopRows],
    *,
    longest: float | None = None,
    tiling: Tiling = TILING,
    progress: Progress = ignore_progress,
) -> list[Best]:
    """Find several kinds of best rows in one walk over the product.

    Parameters
    ----------
    Q
        Queries (q, dim).
    Y
        Rows to search (m, dim).
    wanted
        What to find.
    longest
        Length of the longest row of Y, or an upper bound. None: measured, which reads all of Y.
    tiling
        Tile shape; has no influence on the result.
    progress
        Progress callback.

    Returns
    -------
    list
        Scores and rows (q, k) for each element of ``wanted``.
    """
    Q, Y = as_rows(Q), as_rows(Y)
    check_same_dim(Q, Y, what="Queries and the rows searched")
    if longest is None:
        longest = longest_row(row_lengths(Y))
    lengths = row_lengths(Q)
    scale = max(top.scale for top in wanted)
    check_products(Q, Y, longest_row(lengths), longest, scale=scale, names=("Q", "Y"))
    backend = current_backend()
    return backend.top_rows(Q, Y, wanted, lengths=lengths, longest=longest, tiling=tiling, progress=progress)


def mean_best(scores: Matrix) -> FloatVector:
    """Return the mean of every row of scores, (q,), summed in float64 and rounded once."""
    means: FloatVector = scores.mean(axis=1, dtype=np.float64).astype(np.float32)
    return means
