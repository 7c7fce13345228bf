"""Cross-domain similarity local scaling: cosines corrected for how crowded both neighbourhoods are."""

from typing import Any, Self

import numpy as np

from isoalign._progress import Progress, ignore_progress
from isoalign._types import FloatVector, IntVector, Matrix, MatrixLike
from isoalign._validate import check_count
from isoalign.errors import ShapeError
from isoalign.neighbors._ranks import count_ranks
from isoalign.neighbors._retriever import AbstractRetriever
from isoalign.neighbors._search import Selection, mean_best, search, top_k

__all__ = ["CSLS"]


class CSLS(AbstractRetriever):
    r"""Rank targets by cosine, less the mean cosine of each side to its nearest words on the other.

    .. math:: \mathrm{CSLS}(x, y) = 2 \cos(x, y) - r_T(x) - r_S(y)

    where :math:`r_T(x)` is the mean cosine of x to its k nearest targets and :math:`r_S(y)` that of y to its k nearest
    sources, over all words.

    Parameters
    ----------
    k
        Neighbours in a mean.
    metric
        ``"cosine"``, or ``"inner"`` for inner products of the rows as they are.

    Attributes
    ----------
    targets_
        The rows searched, (m, dim).
    target_means_
        :math:`r_S(y)` of every target, (m,).
    engine_
        Where the means came from: ``"given"`` or ``"full"``.

    References
    ----------
    Conneau, Lample, Ranzato, Denoyer, Jégou, "Word translation without parallel data", ICLR 2018, equation 3.
    """

    def __init__(self, k: int = 10, *, metric: str = "cosine") -> None:
        self.k = k
        self.metric = metric

    def fit(
        self,
        Y: MatrixLike,
        X: MatrixLike | None = None,
        *,
        target_means: Any = None,
        progress: Progress = ignore_progress,
    ) -> Self:
        """Take targets and all source words.

        Parameters
        ----------
        Y
            Targets (m, dim).
        X
            All source words (n, dim); not needed with ``target_means``.
        target_means
            Mean cosine of every target to its k nearest sources, (m,), where it is known.
        progress
            Hears how far the search has come.
        """
        k = check_count(self.k, name="k")
        self._prepare_targets(Y)
        if target_means is not None:
            self.engine_, self.target_means_ = "given", _check_means(target_means, len(self.targets_))
        else:
            sources = self._prepare_sources(X)
            self.engine_, self.target_means_ = "full", mean_best(top_k(self.targets_, sources, k, progress=progress)[0])
        return self

    def _best(self, queries: Matrix, k: int, progress: Progress) -> tuple[Matrix, IntVector]:
        near, choice = Selection(self.k), Selection(k, scale=2, bias=self.target_means_)
        (cosines, _), (scores, rows) = search(
            queries, self.targets_, [near, choice], longest=self.longest_, progress=progress
        )
        return scores - mean_best(cosines)[:, None], rows

    def _ranks(self, queries: Matrix, rows: IntVector, progress: Progress) -> IntVector:
        return count_ranks(
            queries, self.targets_, rows, scale=2, bias=self.target_means_, longest=self.longest_, progress=progress
        )


def _check_means(means: Any, m: int) -> FloatVector:
    vector: FloatVector = np.ascontiguousarray(means, dtype=np.float32)
    if vector.shape != (m,) or not np.isfinite(vector).all():
        raise ShapeError(f"target_means must hold one finite number per target, ({m},). Got shape {vector.shape}.")
    return vector
