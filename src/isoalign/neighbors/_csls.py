"""Cross-domain similarity local scaling: cosines corrected for how crowded both neighbourhoods are."""

from threading import Lock
from typing import Any, Self

import numpy as np

from isoalign._progress import Progress, ignore_progress
from isoalign._types import FloatVector, IntVector, Matrix, MatrixLike
from isoalign._validate import check_choice, check_count
from isoalign.errors import ShapeError
from isoalign.neighbors._bounds import MeanBounds
from isoalign.neighbors._lazy import lazy_top_k
from isoalign.neighbors._ranks import count_ranks
from isoalign.neighbors._retriever import AbstractRetriever
from isoalign.neighbors._search import Selection, mean_best, search, top_k

__all__ = ["CSLS", "ENGINES"]

ENGINES = ("auto", "full", "lazy")

_LAZY_TARGETS = 50_000  # from here on a lazy search may pay
_LAZY_SHARE = 1 / 25  # queries per target up to which it does
_learning = Lock()  # one for all: a search uses all threads anyway, and a fitted retriever can be copied


class CSLS(AbstractRetriever):
    r"""Rank targets by cosine, less the mean cosine of each side to its nearest words on the other.

    .. math:: \mathrm{CSLS}(x, y) = 2 \cos(x, y) - r_T(x) - r_S(y)

    where :math:`r_T(x)` is the mean cosine of x to its k nearest targets and :math:`r_S(y)` that of y to its k nearest
    sources, over all words.

    Parameters
    ----------
    k
        Neighbours in a mean.
    engine
        ``"full"`` computes the means of all targets in ``fit``. ``"lazy"`` computes in every search the means that its
        queries need: the same answers, sooner if the queries are few. ``"auto"`` is lazy from 50,000 targets on while
        there are 25 targets or more for every query.
    metric
        ``"cosine"``, or ``"inner"`` for inner products of the rows as they are.

    Attributes
    ----------
    targets_
        The rows searched, (m, dim).
    engine_
        What was done last: ``"given"`` (means came from outside), ``"full"`` or ``"lazy"``.
    target_means_
        :math:`r_S(y)` of every target, (m,); None while they are computed lazily.

    References
    ----------
    Conneau, Lample, Ranzato, Denoyer, Jégou, "Word translation without parallel data", ICLR 2018, equation 3.
    """

    target_means_: FloatVector | None
    _bounds: MeanBounds | None

    def __init__(self, k: int = 10, *, engine: str = "auto", metric: str = "cosine") -> None:
        self.k = k
        self.engine = engine
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
        check_count(self.k, name="k")
        check_choice(self.engine, ENGINES, name="engine")
        self._prepare_targets(Y)
        self.target_means_ = self._bounds = None
        if target_means is not None:
            self.engine_, self.target_means_ = "given", _check_means(target_means, len(self.targets_))
            return self
        self._sources = self._prepare_sources(X)
        self.engine_ = "lazy"
        if self.engine == "full" or (self.engine == "auto" and len(self.targets_) < _LAZY_TARGETS):
            self._learn_means(progress)
        return self

    def _learn_means(self, progress: Progress) -> FloatVector:
        """Compute the means of all targets that are not known yet."""
        with _learning:
            if self.target_means_ is None:
                if self._bounds is None:
                    scores, _ = top_k(self.targets_, self._sources, self.k, progress=progress)
                    self.target_means_ = mean_best(scores)
                else:
                    self._bounds.learn(np.flatnonzero(~self._bounds.known), progress=progress)
                    self.target_means_ = self._bounds.means
                self.engine_, self._bounds = "full", None
            return self.target_means_

    def _best(self, queries: Matrix, k: int, progress: Progress) -> tuple[Matrix, IntVector]:
        if self.target_means_ is None and (self.engine == "lazy" or len(queries) < _LAZY_SHARE * len(self.targets_)):
            return self._best_lazily(queries, k, progress)
        means = self._learn_means(progress)
        near, choice = Selection(self.k), Selection(k, scale=2, bias=means)
        (cosines, _), (scores, rows) = search(
            queries, self.targets_, [near, choice], longest=self.longest_, progress=progress
        )
        return scores - mean_best(cosines)[:, None], rows

    def _best_lazily(self, queries: Matrix, k: int, progress: Progress) -> tuple[Matrix, IntVector]:
        with _learning:  # what one search learns about the means serves the next
            if self._bounds is None:
                self._bounds = MeanBounds(self.targets_, self._sources, self.k, progress=progress)
            scores, rows, means = lazy_top_k(queries, self._bounds, k, longest=self.longest_, progress=progress)
            if self._bounds.known.all():
                self.engine_, self.target_means_, self._bounds = "full", self._bounds.means, None
        return scores - means[:, None], rows

    def _ranks(self, queries: Matrix, rows: IntVector, progress: Progress) -> IntVector:
        bias = self._learn_means(progress)
        return count_ranks(queries, self.targets_, rows, scale=2, bias=bias, longest=self.longest_, progress=progress)


def _check_means(means: Any, m: int) -> FloatVector:
    vector: FloatVector = np.ascontiguousarray(means, dtype=np.float32)
    if vector.shape != (m,) or not np.isfinite(vector).all():
        raise ShapeError(f"target_means must hold one finite number per target, ({m},). Got shape {vector.shape}.")
    return vector
