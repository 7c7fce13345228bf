"""Neighbours and neighbourhood means in both directions from one walk over the product."""

from contextlib import AbstractContextManager
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
    """

    def __init__(self, X: Matrix, Y: Matrix, k: int) -> None:
        self.X, self.Y = X, Y
        x_lengths, y_lengths = row_lengths(X).astype(np.float32), row_lengths(Y).astype(np.float32)
        self.x_margins = error_margins(x_lengths, y_lengths.max(initial=0), X.shape[1])
        self.y_margins = error_margins(y_lengths, x_lengths.max(initial=0), X.shape[1])
        self.x_scores, self.x_rows = empty_heaps((len(X), min(k, len(Y))))
        self.y_scores, self.y_rows = empty_heaps((len(Y), min(k, len(X))))
        self.y_floors = np.empty(len(Y), dtype=np.float32)
        self.locks = [Lock() for _ in range(0, len(Y), TILE_COLUMNS)]

    def visit(self, tile: Tile) -> None:
        """Take what is best in a tile of a plan by :func:`plan_rounds`."""
        with self.lock(tile):
            self.scan(tile)

    def lock(self, tile: Tile) -> AbstractContextManager[object]:
        """Return the lock for the columns of a tile; its rows belong to the worker that walks over them."""
        lock: AbstractContextManager[object] = self.locks[tile.columns.start // TILE_COLUMNS]
        return lock

    def scan(self, tile: Tile) -> None:
        """As `visit`, for who holds the lock."""
        rows, columns = tile.rows, tile.columns
        scan_both(
            tile.values,
            self.X[rows],
            self.Y[columns],
            rows.start,
            columns.start,
            self.x_margins[rows],
            self.y_margins[columns],
            self.x_scores[rows],
            self.x_rows[rows],
            self.y_scores[columns],
            self.y_rows[columns],
            self.y_floors[columns],
        )

    def result(self) -> tuple[Best, Best]:
        """Return the best for the rows of X, then for those of Y."""
        sort_heaps(self.x_scores, self.x_rows)
        sort_heaps(self.y_scores, self.y_rows)
        return Best(self.x_scores, self.x_rows.astype(np.int64)), Best(self.y_scores, self.y_rows.astype(np.int64))


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
