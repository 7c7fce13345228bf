"""The base class of retrievers: checked data, one score per query and target, the k best targets."""

from abc import ABC, abstractmethod
from typing import Any, Self

import numpy as np

from isoalign._core.arrays import row_lengths, unit_rows
from isoalign._core.estimator import AbstractEstimator
from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.types import IntVector, Matrix, MatrixLike
from isoalign._core.validate import check_choice, check_count, check_matrix, check_same_dim
from isoalign.errors import ParameterError, ShapeError
from isoalign.neighbors.engine import check_products, longest_row

__all__ = ["METRICS", "AbstractRetriever"]

METRICS = ("cosine", "inner")

_UNIT_TOLERANCE = 1e-6  # rows of nearly length one are used as they are, so that a mapped file is not copied


class AbstractRetriever(AbstractEstimator, ABC):
    """Rank the rows of a target matrix for every query.

    Every retriever has the setting ``metric``: ``"cosine"`` compares rows scaled to unit length, ``"inner"`` compares
    rows as they are. ``targets_`` holds the rows to search and ``longest_`` the length of the longest of them.
    """

    metric: str
    targets_: Matrix
    longest_: float

    @abstractmethod
    def fit(self, Y: MatrixLike, X: MatrixLike | None = None, *, progress: Progress = ignore_progress) -> Self:
        """Store targets Y (m, dim) and, if the score depends on them, all source words X (n, dim)."""

    def kneighbors(
        self, Q: MatrixLike, k: int = 10, *, progress: Progress = ignore_progress
    ) -> tuple[Matrix, IntVector]:
        """Find the best targets of every query.

        Parameters
        ----------
        Q
            Queries (q, dim).
        k
            Number of targets to find; all m if there are fewer.
        progress
            Progress callback.

        Returns
        -------
        scores, rows
            (q, min(k, m)), best first; ties go to the lower row.
        """
        k = check_count(k, name="k")
        return self._best(self._prepare_queries(Q), min(k, len(self.targets_)), progress)

    def rank_targets(self, Q: MatrixLike, rows: IntVector, *, progress: Progress = ignore_progress) -> IntVector:
        """Find the rank of one target per query among all targets.

        Parameters
        ----------
        Q
            Queries (q, dim).
        rows
            A target row for every query, (q,).
        progress
            Progress callback.

        Returns
        -------
        ndarray
            Ranks (q,), counted from 1.
        """
        queries, rows = self._prepare_queries(Q), np.asarray(rows, dtype=np.int64)
        m = len(self.targets_)
        if rows.shape != (len(queries),) or (rows < 0).any() or (rows >= m).any():
            raise ShapeError(f"rows must hold one target row below {m} per query. Got shape {rows.shape}.")
        return self._ranks(queries, rows, progress)

    @abstractmethod
    def _best(self, queries: Matrix, k: int, progress: Progress) -> tuple[Matrix, IntVector]:
        """Return scores and rows of the k best for prepared queries."""

    @abstractmethod
    def _ranks(self, queries: Matrix, rows: IntVector, progress: Progress) -> IntVector:
        """Return the rank of one row per prepared query."""

    def _prepare(self, X: Any, *, name: str) -> Matrix:
        """Return checked rows, scaled to unit length for cosines."""
        check_choice(self.metric, METRICS, name="metric")
        matrix = check_matrix(X, name=name)
        if self.metric == "inner":
            return matrix
        lengths = row_lengths(matrix)
        if np.abs(lengths[lengths > 0] - 1).max(initial=0.0) <= _UNIT_TOLERANCE:
            return matrix
        return unit_rows(matrix)

    def _prepare_targets(self, Y: Any) -> None:
        self.targets_ = self._prepare(Y, name="Y")
        self.longest_ = 1 + 2 * _UNIT_TOLERANCE if self.metric == "cosine" else longest_row(row_lengths(self.targets_))

    def _prepare_sources(self, X: Any) -> Matrix:
        if X is None:
            raise ParameterError(f"{type(self).__name__} compares with all source words. Pass them: fit(Y, X).")
        return self._prepare_other(X, name="X", what="X and Y")

    def _prepare_queries(self, Q: Any) -> Matrix:
        self.check_fitted()
        return self._prepare_other(Q, name="Q", what="Queries and targets")

    def _prepare_other(self, X: Any, *, name: str, what: str) -> Matrix:
        """Return checked rows that can be multiplied with the targets."""
        matrix = self._prepare(X, name=name)
        check_same_dim(matrix, self.targets_, what=what)
        if self.metric == "inner":
            check_products(matrix, self.targets_, longest_row(row_lengths(matrix)), self.longest_, names=(name, "Y"))
        return matrix
