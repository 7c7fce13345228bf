"""The best rows in both directions from one walk over the product."""

from contextlib import AbstractContextManager
from threading import Lock

import numpy as np

from isoalign._core.arrays import row_blocks
from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.threads import map_threads
from isoalign._core.types import IntVector, Matrix
from isoalign._core.validate import check_count
from isoalign.neighbors.engine._backend import current_backend
from isoalign.neighbors.engine._kernels import Rows, empty_heaps, least_similarity, scan_both, sort_heaps
from isoalign.neighbors.engine._margins import as_rows, margins_both
from isoalign.neighbors.engine._tiles import TILING, Tile, Tiling
from isoalign.neighbors.engine._top_rows import Best

__all__ = ["TopRowsBoth", "search_both"]

_BLOCK = 1024


class TopRowsBoth:
    """Collect the best rows of Y for every row of X, and of X for every row of Y, during a walk.

    Parameters
    ----------
    X, Y
        C-contiguous float32 matrices (n, dim) and (m, dim).
    k
        Number of rows to keep.
    tiling
        Tile shape of the walk.
    known
        For both sides different rows of the other that are probably near, (n, k) and (m, k), or None. They affect the
        speed, never the result.
    """

    def __init__(
        self,
        X: Matrix,
        Y: Matrix,
        k: int,
        tiling: Tiling = TILING,
        known: tuple[IntVector | None, IntVector | None] = (None, None),
    ) -> None:
        self.X, self.Y = X, Y
        self.x_margins, self.y_margins = margins_both(X, Y)
        self.x_scores, self.x_rows = _start_heaps(X, Y, k, known[0])
        self.y_scores, self.y_rows = _start_heaps(Y, X, k, known[1])
        self.y_floors = np.empty(len(Y), dtype=np.float32)
        self.columns = tiling.columns
        self.locks = [Lock() for _ in range(0, len(Y), tiling.columns)]

    def visit(self, tile: Tile) -> None:
        """Keep the best of a tile from :func:`plan_rounds`."""
        with self.lock(tile):
            self.scan(tile)

    def lock(self, tile: Tile) -> AbstractContextManager[object]:
        """Return the lock for the columns of a tile; its rows belong to one worker."""
        lock: AbstractContextManager[object] = self.locks[tile.columns.start // self.columns]
        return lock

    def scan(self, tile: Tile) -> None:
        """Keep the best of a tile whose lock is held."""
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
        """Return the best rows for X, then for Y."""
        sort_heaps(self.x_scores, self.x_rows)
        sort_heaps(self.y_scores, self.y_rows)
        return Best(self.x_scores, self.x_rows.astype(np.int64)), Best(self.y_scores, self.y_rows.astype(np.int64))


def _start_heaps(Q: Matrix, Y: Matrix, k: int, known: IntVector | None) -> tuple[Matrix, Rows]:
    """Return heaps that accept what is at least as good as the worst of the known rows, which are k different ones."""
    k = min(k, len(Y))
    scores, rows = empty_heaps((len(Q), k))
    if known is not None and known.shape == scores.shape:

        def lower(block: slice) -> None:
            worst = least_similarity(Q[block], Y, known[block])
            scores[block] = np.nextafter(worst, np.float32(-np.inf))[:, None]

        map_threads(lower, row_blocks(len(Q), _BLOCK))
    return scores, rows


def search_both(
    X: Matrix,
    Y: Matrix,
    k: int,
    *,
    tiling: Tiling = TILING,
    what: str = "search",
    progress: Progress = ignore_progress,
) -> tuple[Best, Best]:
    """Find the k best rows of Y for every row of X, and of X for every row of Y.

    Parameters
    ----------
    X, Y
        Matrices (n, dim) and (m, dim).
    k
        Number of rows to find; all rows if the other side has fewer.
    tiling
        Tile shape; has no influence on the result.
    what, progress
        Name of the stage, and the progress callback.
    """
    k = check_count(k, name="k")
    return current_backend().top_both(as_rows(X), as_rows(Y), k, tiling=tiling, what=what, progress=progress)
