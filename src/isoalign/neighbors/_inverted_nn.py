"""Inverted nearest neighbours: the target that ranks the query highest among all source words."""

from typing import Self

import numpy as np

from isoalign._core.arrays import row_blocks, row_lengths
from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.types import IntVector, Matrix, MatrixLike
from isoalign._core.validate import check_count
from isoalign.neighbors._retriever import AbstractRetriever
from isoalign.neighbors._top_k import top_k
from isoalign.neighbors.engine import (
    DEEPENING,
    NO_KEY,
    TILING,
    PlaceKeys,
    Rows,
    collect_places,
    error_margins,
    read_places,
    sort_heaps,
)

__all__ = ["InvertedNN"]


class InvertedNN(AbstractRetriever):
    """Rank targets by the place of the query among the neighbours of the target.

    The place is one more than the number of source words with a higher cosine. Of equal places the higher cosine
    comes first, then the lower row. The score is one divided by the place.

    Parameters
    ----------
    metric
        ``"cosine"``, or ``"inner"`` for inner products of the rows as they are.
    depth
        Number of neighbours per target found in ``fit``. It decides the time, never the answers.

    Attributes
    ----------
    targets_, sources_
        Targets (m, dim) and source words (n, dim).
    nearest_
        The best cosines of every target with source words, (m, depth), best first.

    Notes
    -----
    The first neighbours of every target settle most queries. The others need deeper lists, which take further products
    of all targets with all source words. Ranks of given targets need the deepest lists.
    """

    def __init__(self, *, metric: str = "cosine", depth: int = 64) -> None:
        self.metric = metric
        self.depth = depth

    def fit(self, Y: MatrixLike, X: MatrixLike | None = None, *, progress: Progress = ignore_progress) -> Self:
        """Store targets Y (m, dim) and all source words X (n, dim), and find the first neighbours of every target."""
        check_count(self.depth, name="depth")
        self._prepare_targets(Y)
        self.sources_ = self._prepare_sources(X)
        self.nearest_, _ = top_k(self.targets_, self.sources_, self.depth, progress=progress)
        return self

    def _best(self, queries: Matrix, k: int, progress: Progress) -> tuple[Matrix, IntVector]:
        scores, rows = np.empty((len(queries), k), dtype=np.float32), np.empty((len(queries), k), dtype=np.int64)
        left, depth = np.arange(len(queries)), self.nearest_.shape[1]
        while len(left):
            keys, found = self._search(queries[left], k, depth, progress)
            done = (keys > NO_KEY).all(axis=1)
            scores[left[done]] = 1 / read_places(keys[done])
            rows[left[done]] = found[done]
            left = left[~done]
            depth = min(DEEPENING.growth * depth, len(self.sources_))
        return scores, rows

    def _search(self, queries: Matrix, k: int, depth: int, progress: Progress) -> tuple[PlaceKeys, Rows]:
        """Return keys and rows of the best targets that have a query among their first ``depth`` source words."""
        keys = np.full((len(queries), k), NO_KEY)
        rows = np.full((len(queries), k), np.iinfo(np.int32).max, dtype=np.int32)
        margins = error_margins(row_lengths(queries), self.longest_, queries.shape[1])
        for block in row_blocks(len(self.targets_), max(TILING.rows, DEEPENING.values // depth)):
            targets = self.targets_[block]
            if depth == self.nearest_.shape[1]:
                nearest = self.nearest_[block]
            else:
                nearest, _ = top_k(targets, self.sources_, depth, progress=progress)
            if depth == len(self.sources_):  # a query below all source words has the last place
                nearest = np.column_stack([nearest, np.full(len(nearest), -np.inf, dtype=np.float32)])
            collect_places(queries, targets, block.start, nearest, margins, keys, rows)
        sort_heaps(keys, rows)
        return keys, rows

    def _ranks(self, queries: Matrix, rows: IntVector, progress: Progress) -> IntVector:
        ranks = np.empty(len(queries), dtype=np.int64)
        m = len(self.targets_)
        for block in row_blocks(len(queries), max(1, DEEPENING.values // m)):
            _, order = self._best(queries[block], m, progress)
            ranks[block] = 1 + (order == rows[block, None]).argmax(axis=1)
        return ranks
