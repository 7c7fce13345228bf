"""Inverted softmax: the share of the query in the softmax of a target over all source words."""

from typing import Self

import numpy as np

from isoalign._core.arrays import row_lengths
from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.types import FloatVector, IntVector, Matrix, MatrixLike
from isoalign._core.validate import check_number
from isoalign.errors import ParameterError
from isoalign.neighbors._retriever import AbstractRetriever
from isoalign.neighbors._top_k import top_k
from isoalign.neighbors.engine import check_products, count_ranks, current_backend, longest_row

__all__ = ["InvertedSoftmax", "log_partition"]


def log_partition(Y: Matrix, X: Matrix, beta: float, *, progress: Progress = ignore_progress) -> FloatVector:
    r"""Return :math:`\log \sum_x \exp(\beta\, x \cdot y)` for every row of Y, (m,), over all rows of X."""
    check_products(Y, X, longest_row(row_lengths(Y)), longest_row(row_lengths(X)), scale=beta, names=("Y", "X"))
    return current_backend().log_partition(Y, X, beta, progress=progress)


class InvertedSoftmax(AbstractRetriever):
    r"""Rank targets by the softmax of their cosines over all source words.

    .. math:: \mathrm{ISF}(x, y) = \frac{\exp(\beta \cos(x, y))}{\sum_{x'} \exp(\beta \cos(x', y))}

    Parameters
    ----------
    beta
        Inverse temperature. MUSE uses 30, VecMap's evaluator 1.
    metric
        ``"cosine"``, or ``"inner"`` for inner products of the rows as they are.

    Attributes
    ----------
    targets_
        The rows to search, (m, dim).
    log_partition_
        Logarithm of the denominator for every target, (m,).

    References
    ----------
    Smith, Turban, Hamblin, Hammerla, "Offline bilingual word vectors, orthogonal transformations and the inverted
    softmax", ICLR 2017, equation 5; the sum is over all source words, not a sample.
    """

    def __init__(self, beta: float = 30.0, *, metric: str = "cosine") -> None:
        self.beta = beta
        self.metric = metric

    def fit(self, Y: MatrixLike, X: MatrixLike | None = None, *, progress: Progress = ignore_progress) -> Self:
        """Store targets Y (m, dim), and compute their denominators from all source words X (n, dim)."""
        if not 0 < check_number(self.beta, name="beta") < np.inf:
            raise ParameterError(f"beta must be a positive number. Got {self.beta!r}.")
        self._prepare_targets(Y)
        self.log_partition_ = log_partition(self.targets_, self._prepare_sources(X), self.beta, progress=progress)
        return self

    def _best(self, queries: Matrix, k: int, progress: Progress) -> tuple[Matrix, IntVector]:
        logs, rows = top_k(
            queries,
            self.targets_,
            k,
            scale=self.beta,
            bias=self.log_partition_,
            longest=self.longest_,
            progress=progress,
        )
        return np.exp(logs), rows

    def _ranks(self, queries: Matrix, rows: IntVector, progress: Progress) -> IntVector:
        return count_ranks(
            queries,
            self.targets_,
            rows,
            scale=self.beta,
            bias=self.log_partition_,
            longest=self.longest_,
            progress=progress,
        )
