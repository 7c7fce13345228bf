"""Neighbours and neighbourhood means in both directions from one walk over the product."""

from threading import Lock
from typing import NamedTuple

import numpy as np

from isoalign._arrays import row_lengths
from isoalign._progress import Progress, ignore_progress
from isoalign._types import FloatVector, IntVector, Matrix
from isoalign._validate import check_count, check_same_dim
from isoalign.neighbors._kernels import empty_heaps, scan_both, sort_heaps
from isoalign.neighbors._search import error_margins, mean_best
from isoalign.neighbors._tiles import TILE_COLUMNS, Tile, multiply_tiles, plan_rounds, walk_tiles

__all__ = ["Best", "BothSelection", "neighborhood_means", "top_k_both"]


class Best(NamedTuple):
    """The best of the other side for every row of a matrix: scores and rows, (n, k), best first."""

    scores: Matrix
    rows: IntVector


class BothSelection:
    """The best rows of Y for every row of X and of X for every row of Y, to be found in one walk.

    Parameters
    ----------
    X, Y
        Finite, C-contiguous float32 matrices.
    k
        How many.
    scale
        Positive factor of the inner product.
    x_bias, y_bias
        Subtracted: the first when the rows of X are ranked, the second for Y. None: nothing.
    max_rank
        Choose only for the first rows of each side. None: for all.
    """

    def __init__(
        self,
        X: Matrix,
        Y: Matrix,
        k: int,
        *,
        scale: float = 1.0,
        x_bias: FloatVector | None = None,
        y_bias: FloatVector | None = None,
        max_rank: int | None = None,
    ) -> None:
        self.X, self.Y, self.scale = X, Y, scale
        self.x_bias = np.zeros(len(X), dtype=np.float32) if x_bias is None else x_bias
        self.y_bias = np.zeros(len(Y), dtype=np.float32) if y_bias is None else y_bias
        x_lengths, y_lengths = row_lengths(X).astype(np.float32), row_lengths(Y).astype(np.float32)
        dim = X.shape[1]
        self.x_margins = error_margins(x_lengths, y_lengths.max(initial=0), dim, scale=scale, bias=self.y_bias)
        self.y_margins = error_margins(y_lengths, x_lengths.max(initial=0), dim, scale=scale, bias=self.x_bias)
        self.x_scores, self.x_rows = empty_heaps((len(X), min(k, len(Y))))
        self.y_scores, self.y_rows = empty_heaps((len(Y), min(k, len(X))))
        self.y_floors = np.empty(len(Y), dtype=np.float32)
        self.ranked = max(len(X), len(Y)) if max_rank is None else max_rank
        self.x_scores[self.ranked :] = self.y_scores[self.ranked :] = np.inf  # nothing enters there
        self.locks = [Lock() for _ in range(0, len(Y), TILE_COLUMNS)]

    def visit(self, tile: Tile) -> None:
        """Take what is best in a tile of a plan by :func:`plan_rounds`."""
        rows, columns = tile.rows, tile.columns
        if rows.start >= self.ranked and columns.start >= self.ranked:
            return
        # The rows belong to this worker, the columns to whoever holds their lock.
        with self.locks[columns.start // TILE_COLUMNS]:
            scan_both(
                tile.values,
                self.X[rows],
                self.Y[columns],
                rows.start,
                columns.start,
                self.scale,
                self.x_bias[rows],
                self.y_bias[columns],
                self.x_margins[rows],
                self.y_margins[columns],
                self.x_scores[rows],
                self.x_rows[rows],
                self.y_scores[columns],
                self.y_rows[columns],
                self.y_floors[columns],
            )

    def result(self) -> tuple[Best, Best]:
        """Return the best for the ranked rows of X, then for those of Y."""
        bests = []
        for scores, rows in ((self.x_scores, self.x_rows), (self.y_scores, self.y_rows)):
            scores, rows = scores[: self.ranked], rows[: self.ranked]
            sort_heaps(scores, rows)
            bests.append(Best(scores, rows.astype(np.int64)))
        return bests[0], bests[1]


def _search_both(X: Matrix, Y: Matrix, k: int, what: str, progress: Progress) -> tuple[Best, Best]:
    X, Y = np.ascontiguousarray(X, dtype=np.float32), np.ascontiguousarray(Y, dtype=np.float32)
    check_same_dim(X, Y)
    selection = BothSelection(X, Y, check_count(k, name="k"))
    if len(X) and len(Y):
        walk_tiles(plan_rounds(len(X), len(Y)), multiply_tiles(X, Y), selection.visit, what=what, progress=progress)
    return selection.result()


def top_k_both(X: Matrix, Y: Matrix, k: int, *, progress: Progress = ignore_progress) -> tuple[Best, Best]:
    """Find the k best rows of Y for every row of X, and of X for every row of Y, from one product.

    As exact as :func:`top_k`, which takes two products for the same.

    Parameters
    ----------
    X, Y
        Finite matrices (n, dim) and (m, dim). For cosines, rows must have length one.
    k
        How many; fewer come back where the other side has fewer rows.
    progress
        Hears how many strips of the product are done.

    Returns
    -------
    Best, Best
        Scores and rows for X, then for Y.
    """
    return _search_both(X, Y, k, "search", progress)


def neighborhood_means(
    X: Matrix, Y: Matrix, k: int = 10, *, progress: Progress = ignore_progress
) -> tuple[FloatVector, FloatVector]:
    r"""Return the mean similarity of every row to its k nearest rows on the other side, from one product.

    .. math:: r_T(x) = \frac{1}{k} \sum_{y \in N_k(x)} x \cdot y, \quad
              r_S(y) = \frac{1}{k} \sum_{x \in N_k(y)} x \cdot y

    Parameters
    ----------
    X, Y
        Finite matrices (n, dim) and (m, dim). For cosines, rows must have length one.
    k
        Neighbours; all rows of a side that has fewer.
    progress
        Hears how many strips of the product are done.

    Returns
    -------
    source_means, target_means
        (n,) and (m,).
    """
    for_x, for_y = _search_both(X, Y, k, "neighbourhood means", progress)
    return mean_best(for_x.scores), mean_best(for_y.scores)
