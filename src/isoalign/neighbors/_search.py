"""Exact search by inner product: the best rows of one matrix for every row of another."""

import numpy as np

from isoalign._arrays import row_lengths
from isoalign._progress import Progress, ignore_progress
from isoalign._types import FloatVector, IntVector, Matrix
from isoalign._validate import check_count, check_same_dim
from isoalign.neighbors._kernels import ROUNDING, empty_heaps, merge_heaps, scan_rows, sort_heaps
from isoalign.neighbors._tiles import Strip, Tile, multiply_tiles, plan_parts, walk_tiles

__all__ = ["Selection", "error_margins", "mean_best", "search", "top_k"]


def error_margins(
    lengths: FloatVector, longest: float, dim: int, *, scale: float = 1.0, bias: FloatVector | None = None
) -> FloatVector:
    """Bound the error of scores computed in float32, (n,).

    A float32 inner product is off by at most ``dim * 2**-24 * |x| * |y|`` in any order of summation; a few units more
    cover the roundings of scale, bias and of the bound itself.

    Parameters
    ----------
    lengths
        Of the rows on one side, (n,).
    longest
        Length of the longest row of the other side.
    dim
        Number of columns.
    scale, bias
        Of the score.
    """
    largest_bias = 0.0 if bias is None or not len(bias) else float(np.abs(bias).max())
    reach = (dim + 8) * abs(scale) * longest * lengths.astype(np.float64)
    return (ROUNDING * (reach + 4 * largest_bias)).astype(np.float32)


class Selection:
    """The best rows of Y for every row of Q by ``scale * inner product - bias``, to be found in one walk.

    Parameters
    ----------
    k
        How many; at most the rows of Y.
    scale
        Positive factor of the inner product.
    bias
        Subtracted, one value per row of Y, (m,). None: nothing.
    """

    def __init__(self, k: int, *, scale: float = 1.0, bias: FloatVector | None = None) -> None:
        self.k = check_count(k, name="k")
        self.scale = scale
        self.bias = None if bias is None else np.ascontiguousarray(bias, dtype=np.float32)

    def begin(self, Q: Matrix, Y: Matrix, strips: list[Strip], lengths: FloatVector, longest: float) -> None:
        """Take memory for a walk over ``Q @ Y.T``."""
        self.Q, self.Y = Q, Y
        self.margins = error_margins(lengths, longest, Q.shape[1], scale=self.scale, bias=self.bias)
        parts = 1 + max((strip.part for strip in strips), default=0)
        self.scores, self.rows = empty_heaps((parts, len(Q), min(self.k, len(Y))))

    def visit(self, tile: Tile) -> None:
        """Take what is best in a tile."""
        scan_rows(
            tile.values,
            self.Q[tile.rows],
            self.Y[tile.columns],
            tile.columns.start,
            self.scale,
            None if self.bias is None else self.bias[tile.columns],
            self.margins[tile.rows],
            self.scores[tile.part, tile.rows],
            self.rows[tile.part, tile.rows],
        )

    def result(self) -> tuple[Matrix, IntVector]:
        """Return scores and rows, (q, k), best first."""
        scores, rows = self.scores[0], self.rows[0]
        for more_scores, more_rows in zip(self.scores[1:], self.rows[1:], strict=True):
            merge_heaps(scores, rows, more_scores, more_rows)
        sort_heaps(scores, rows)
        return scores, rows.astype(np.int64)


def search(
    Q: Matrix,
    Y: Matrix,
    selections: list[Selection],
    *,
    longest: float | None = None,
    what: str = "search",
    progress: Progress = ignore_progress,
) -> list[tuple[Matrix, IntVector]]:
    """Run several selections in one walk over the product.

    Parameters
    ----------
    Q
        Queries (q, dim), finite.
    Y
        Rows to choose from (m, dim), finite.
    selections
        What to choose.
    longest
        Length of the longest row of Y, or more, where it is known; saves a look at every row.
    what, progress
        Name of the stage, and who hears how many strips of the product are done.

    Returns
    -------
    list
        Scores (q, k) and rows (q, k) of every selection.
    """
    Q, Y = np.ascontiguousarray(Q, dtype=np.float32), np.ascontiguousarray(Y, dtype=np.float32)
    check_same_dim(Q, Y, what="Queries and the rows searched")
    if longest is None:
        longest = float(row_lengths(Y).max(initial=0.0))
    lengths = row_lengths(Q).astype(np.float32)
    strips = plan_parts(len(Q), len(Y)) if len(Q) and len(Y) else []
    for selection in selections:
        selection.begin(Q, Y, strips, lengths, longest)

    def visit(tile: Tile) -> None:
        for selection in selections:
            selection.visit(tile)

    walk_tiles(strips, multiply_tiles(Q, Y), visit, what=what, progress=progress)
    return [selection.result() for selection in selections]


def top_k(
    Q: Matrix,
    Y: Matrix,
    k: int,
    *,
    scale: float = 1.0,
    bias: FloatVector | None = None,
    longest: float | None = None,
    progress: Progress = ignore_progress,
) -> tuple[Matrix, IntVector]:
    """Find the best rows of Y for every row of Q by ``scale * inner product - bias``.

    Exact: inner products are summed in float64 and rounded once to float32, ties go to the lower row, and neither
    block size nor threads nor BLAS change a bit of the result.

    Parameters
    ----------
    Q
        Queries (q, dim), finite. For cosines, rows must have length one.
    Y
        Rows to choose from (m, dim), finite.
    k
        How many; at most m come back.
    scale
        Positive factor of the inner product.
    bias
        Subtracted, one value per row of Y, (m,): the neighbourhood means for CSLS, with ``scale=2``.
    longest
        Length of the longest row of Y, or more, where it is known; saves a look at every row.
    progress
        Hears how many strips of the product are done.

    Returns
    -------
    scores
        (q, min(k, m)) float32, best first.
    rows
        Row numbers in Y, (q, min(k, m)) int64.
    """
    selection = Selection(k, scale=scale, bias=bias)
    return search(Q, Y, [selection], longest=longest, progress=progress)[0]


def mean_best(scores: Matrix) -> FloatVector:
    """Return the mean of every row of scores, (q,): summed in float64, rounded once."""
    means: FloatVector = scores.mean(axis=1, dtype=np.float64).astype(np.float32)
    return means
