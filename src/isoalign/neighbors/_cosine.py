"""Plain nearest neighbours by cosine."""

from typing import Self

from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.types import IntVector, Matrix, MatrixLike
from isoalign.neighbors._retriever import AbstractRetriever
from isoalign.neighbors._top_k import top_k
from isoalign.neighbors.engine import count_ranks

__all__ = ["Cosine"]


class Cosine(AbstractRetriever):
    """Rank targets by their cosine with the query.

    Parameters
    ----------
    metric
        ``"cosine"``, or ``"inner"`` for inner products of the rows as they are.

    Attributes
    ----------
    targets_
        The rows to search, (m, dim).
    """

    def __init__(self, *, metric: str = "cosine") -> None:
        self.metric = metric

    def fit(self, Y: MatrixLike, X: MatrixLike | None = None, *, progress: Progress = ignore_progress) -> Self:  # noqa: ARG002
        """Store targets Y (m, dim); X is ignored, since cosines do not depend on other source words."""
        self._prepare_targets(Y)
        return self

    def _best(self, queries: Matrix, k: int, progress: Progress) -> tuple[Matrix, IntVector]:
        return top_k(queries, self.targets_, k, longest=self.longest_, progress=progress)

    def _ranks(self, queries: Matrix, rows: IntVector, progress: Progress) -> IntVector:
        return count_ranks(queries, self.targets_, rows, longest=self.longest_, progress=progress)
