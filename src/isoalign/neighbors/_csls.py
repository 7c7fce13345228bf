"""Cross-domain similarity local scaling: cosines corrected for the density of both neighbourhoods."""

from threading import Lock
from typing import Any, Self

import numpy as np

from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.types import FloatVector, IntVector, Matrix, MatrixLike
from isoalign._core.validate import check_choice, check_count
from isoalign.errors import ShapeError
from isoalign.neighbors._retriever import AbstractRetriever
from isoalign.neighbors._top_k import top_k
from isoalign.neighbors.engine import (
    ENGINES,
    LazySettings,
    MeanBounds,
    TopRows,
    choose_engine,
    count_ranks,
    lazy_top_k,
    mean_best,
    search,
)

__all__ = ["CSLS"]

_learning = Lock()  # shared by all retrievers: a search uses all threads anyway, and a lock cannot be copied
_DEFAULTS = LazySettings()


class CSLS(AbstractRetriever):
    r"""Rank targets by cosine, corrected by the mean cosines of both words to their nearest neighbours.

    .. math:: \mathrm{CSLS}(x, y) = 2 \cos(x, y) - r_T(x) - r_S(y)

    where :math:`r_T(x)` is the mean cosine of x to its k nearest targets and :math:`r_S(y)` that of y to its k nearest
    sources, over all words.

    Parameters
    ----------
    k
        Number of neighbours in a mean.
    engine
        ``"full"`` computes the means of all targets in ``fit``. ``"lazy"`` computes only the means that a search needs:
        the same answers, in less time if there are few queries. ``"auto"`` is lazy for 10,000 targets or more, as long
        as there are more than 25 targets per query.
    metric
        ``"cosine"``, or ``"inner"`` for inner products of the rows as they are.
    lazy
        Thresholds of ``"auto"`` and ``"lazy"``. They decide the time, never the answers.

    Attributes
    ----------
    targets_
        The rows to search, (m, dim).
    engine_
        Engine of the last search: ``"given"`` (``fit`` received the means), ``"full"`` or ``"lazy"``.
    target_means_
        :math:`r_S(y)` of every target, (m,); None while they are computed lazily.

    References
    ----------
    Conneau, Lample, Ranzato, Denoyer, Jégou, "Word translation without parallel data", ICLR 2018, equation 3.
    """

    target_means_: FloatVector | None
    _bounds: MeanBounds | None

    def __init__(
        self, k: int = 10, *, engine: str = "auto", metric: str = "cosine", lazy: LazySettings = _DEFAULTS
    ) -> None:
        self.k = k
        self.engine = engine
        self.metric = metric
        self.lazy = lazy

    def fit(
        self,
        Y: MatrixLike,
        X: MatrixLike | None = None,
        *,
        target_means: Any = None,
        progress: Progress = ignore_progress,
    ) -> Self:
        """Store targets and all source words, and compute the means unless the engine is lazy.

        Parameters
        ----------
        Y
            Targets (m, dim).
        X
            All source words (n, dim). Not needed with ``target_means``.
        target_means
            Mean cosine of every target to its k nearest sources, (m,). None: computed.
        progress
            Progress callback.
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
        if choose_engine(self.engine, len(self.targets_), settings=self.lazy) == "full":
            self._learn_means(progress)
        return self

    def _learn_means(self, progress: Progress) -> FloatVector:
        """Compute the target means that are not known yet, and return all of them."""
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
        engine = choose_engine(self.engine, len(self.targets_), len(queries), settings=self.lazy)
        if self.target_means_ is None and engine == "lazy":
            return self._best_lazily(queries, k, progress)
        means = self._learn_means(progress)
        wanted = [TopRows(self.k), TopRows(k, scale=2, bias=means)]
        near, best = search(queries, self.targets_, wanted, longest=self.longest_, progress=progress)
        return best.scores - mean_best(near.scores)[:, None], best.rows

    def _best_lazily(self, queries: Matrix, k: int, progress: Progress) -> tuple[Matrix, IntVector]:
        with _learning:  # what one search learns about the means is kept for the next
            if self._bounds is None:
                n = len(queries)
                self._bounds = MeanBounds(
                    self.targets_, self._sources, self.k, settings=self.lazy, n_queries=n, progress=progress
                )
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
