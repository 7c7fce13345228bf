"""Inverted nearest neighbours: the target that ranks the query highest among all source words."""

from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from isoalign._arrays import row_blocks, row_lengths
from isoalign._compile import compiled
from isoalign._progress import Progress, ignore_progress
from isoalign._types import FloatVector, IntVector, Matrix, MatrixLike
from isoalign.neighbors._kernels import Rows, push, similarity, sort_heaps
from isoalign.neighbors._retriever import AbstractRetriever
from isoalign.neighbors._search import error_margins, top_k
from isoalign.neighbors._tiles import TILE_ROWS, Tile, multiply_tiles, plan_rounds, walk_tiles

__all__ = ["InvertedNN"]

_DEPTH = 64  # ranks looked at first; eight times as many for queries with too few targets
_BLOCK_VALUES = 2**24  # similarities kept at once


@compiled()
def _scan_ranks(
    tile: Matrix,
    Q: Matrix,
    Y: Matrix,
    first: int,
    nearest: Matrix,
    floors: FloatVector,
    margins: FloatVector,
    keys: NDArray[np.float64],
    rows: Rows,
) -> None:
    """Keep the columns at which a row of the tile has the smallest rank.

    ``nearest`` (c, depth) holds the best similarities of every column, best first: a rank is one more than the number
    of those above the row's own. ``floors`` (c,) is its last column. A key is minus the rank plus a fraction that
    rises with the similarity.
    """
    depth = nearest.shape[1]
    for i in range(tile.shape[0]):
        for j in range(tile.shape[1]):
            if tile[i, j] < floors[j] - margins[i]:
                continue
            own = np.float32(similarity(Q[i], Y[j]))
            low, high = 0, depth
            while low < high:
                middle = (low + high) // 2
                if nearest[j, middle] > own:
                    low = middle + 1
                else:
                    high = middle
            if low < depth:
                key = -1.0 - low + 0.5 * own / (1.0 + abs(own))
                row = first + j
                if key > keys[i, 0] or (key == keys[i, 0] and row < rows[i, 0]):
                    push(keys[i], rows[i], key, row)


class _RankVisitor(NamedTuple):
    """The arguments of :func:`_scan_ranks` for a whole product, to be cut for a tile."""

    queries: Matrix
    targets: Matrix
    first: int
    nearest: Matrix
    margins: FloatVector
    keys: NDArray[np.float64]
    rows: Rows

    def visit(self, tile: Tile) -> None:
        """Take what is best in a tile."""
        rows, columns = tile.rows, tile.columns
        nearest = self.nearest[columns]
        _scan_ranks(
            tile.values,
            self.queries[rows],
            self.targets[columns],
            self.first + columns.start,
            nearest,
            nearest[:, -1].copy(),
            self.margins[rows],
            self.keys[rows],
            self.rows[rows],
        )


class InvertedNN(AbstractRetriever):
    """Rank targets by the place that the query takes among the neighbours of the target.

    The place is one more than the number of source words with a higher cosine. Equal places go to the target with the
    higher cosine, then to the lower row. The score is one divided by the place.

    Parameters
    ----------
    metric
        ``"cosine"``, or ``"inner"`` for inner products of the rows as they are.

    Attributes
    ----------
    targets_, sources_
        Targets (m, dim) and source words (n, dim).
    nearest_
        The best cosines of every target with source words, (m, 64), best first.

    Notes
    -----
    The first 64 neighbours of every target settle most queries; the others need deeper lists, which take further
    products of all targets with all source words. Ranks of given targets need the deepest.
    """

    def __init__(self, *, metric: str = "cosine") -> None:
        self.metric = metric

    def fit(self, Y: MatrixLike, X: MatrixLike | None = None, *, progress: Progress = ignore_progress) -> Self:
        """Take targets Y (m, dim) and all source words X (n, dim), and find the first neighbours of every target."""
        self._prepare_targets(Y)
        self.sources_ = self._prepare_sources(X)
        self.nearest_, _ = top_k(self.targets_, self.sources_, _DEPTH, progress=progress)
        return self

    def _best(self, queries: Matrix, k: int, progress: Progress) -> tuple[Matrix, IntVector]:
        scores, rows = np.empty((len(queries), k), dtype=np.float32), np.empty((len(queries), k), dtype=np.int64)
        left, depth = np.arange(len(queries)), self.nearest_.shape[1]
        while len(left):
            keys, found = self._search(queries[left], k, depth, progress)
            # At full depth only a query below every source word of a target stays without a rank there.
            done = np.isfinite(keys).all(axis=1)
            scores[left[done]] = 1 / np.ceil(-keys[done] - 0.5)
            rows[left[done]] = found[done]
            left = left[~done]
            depth = min(8 * depth, len(self.sources_))
        return scores, rows

    def _search(self, queries: Matrix, k: int, depth: int, progress: Progress) -> tuple[NDArray[np.float64], Rows]:
        """Return keys and rows of the best targets that have a query among their first ``depth`` source words."""
        keys = np.full((len(queries), k), -np.inf)
        rows = np.full((len(queries), k), np.iinfo(np.int32).max, dtype=np.int32)
        margins = error_margins(row_lengths(queries).astype(np.float32), self.longest_, queries.shape[1])
        for block in row_blocks(len(self.targets_), max(TILE_ROWS, _BLOCK_VALUES // depth)):
            targets = self.targets_[block]
            if depth == self.nearest_.shape[1]:
                nearest = self.nearest_[block]
            else:
                nearest, _ = top_k(targets, self.sources_, depth, progress=progress)
            if depth == len(self.sources_):  # below the last of all source words every query has a place
                nearest = np.column_stack([nearest, np.full(len(nearest), -np.inf, dtype=np.float32)])
            visitor = _RankVisitor(queries, targets, block.start, np.ascontiguousarray(nearest), margins, keys, rows)
            walk_tiles(plan_rounds(len(queries), len(targets)), multiply_tiles(queries, targets), visitor.visit)
        sort_heaps(keys, rows)
        return keys, rows

    def _ranks(self, queries: Matrix, rows: IntVector, progress: Progress) -> IntVector:
        ranks = np.empty(len(queries), dtype=np.int64)
        m = len(self.targets_)
        for block in row_blocks(len(queries), max(1, _BLOCK_VALUES // m)):
            _, order = self._best(queries[block], m, progress)
            ranks[block] = 1 + (order == rows[block, None]).argmax(axis=1)
        return ranks
