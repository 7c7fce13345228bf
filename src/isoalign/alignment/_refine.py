"""Refinement: let the map induce a larger dictionary, learn from that, and again."""

import warnings

import numpy as np

from isoalign._progress import Progress
from isoalign._types import Matrix
from isoalign._validate import check_choice, check_count
from isoalign.alignment._base import AbstractAligner, Maps, StepCallback, Trajectory, unit_space
from isoalign.alignment._dictionary import Induced, induce_pairs
from isoalign.alignment._registry import make_aligner
from isoalign.errors import IsoalignWarning

__all__ = ["Refine"]


class Refine(AbstractAligner):
    """Learn a map, induce a dictionary with it, learn from that dictionary; five times.

    A round scales the mapped vectors to length one, lets the most frequent words of both sides choose their best
    partner by CSLS among all words, keeps the pairs that chose each other, and fits the aligner to these.

    Parameters
    ----------
    aligner
        What is fitted in every round, or its name; None is `Procrustes`.
    n_iter
        Rounds after the first map.
    direction, max_rank, threshold, min_size, max_size, k
        Which pairs enter the dictionary, see `induce_pairs`.
    keep_seed
        Add the given pairs to every induced dictionary.
    quirks
        ``"muse"`` lets the word of rank ``max_rank`` itself be chosen, as MUSE does.

    Attributes
    ----------
    history_
        Size of the dictionary behind the map of every round, from round 0.

    References
    ----------
    Conneau, Lample, Ranzato, Denoyer, Jégou (2018), section 2.2. MUSE chooses the best round by accuracy on the test
    words; this class never chooses.
    """

    def __init__(
        self,
        aligner: AbstractAligner | str | None = None,
        n_iter: int = 5,
        direction: str = "mutual",
        max_rank: int | None = 10_000,
        threshold: float = 0.0,
        min_size: int = 0,
        max_size: int | None = None,
        keep_seed: bool = False,
        k: int = 10,
        quirks: str | None = None,
    ) -> None:
        self.aligner = aligner
        self.n_iter = n_iter
        self.direction = direction
        self.max_rank = max_rank
        self.threshold = threshold
        self.min_size = min_size
        self.max_size = max_size
        self.keep_seed = keep_seed
        self.k = k
        self.quirks = quirks

    @property
    def same_dim(self) -> bool:  # type: ignore[override]
        """Whether the inner aligner needs both sides to have the same number of columns."""
        return self._make_inner().same_dim

    def trajectories(self) -> list[Trajectory]:
        """Every round is a candidate, round 0 included."""
        n_iter = check_count(self.n_iter, name="n_iter", minimum=0)
        return [Trajectory({}, {step: {"n_iter": step} for step in range(n_iter + 1)})]

    def _learn(
        self, X: Matrix, Y: Matrix, sources: Matrix, targets: Matrix, callback: StepCallback, progress: Progress
    ) -> None:
        n_iter = check_count(self.n_iter, name="n_iter", minimum=0)
        if self.quirks is not None:
            check_choice(self.quirks, ("muse",), name="quirks")
        maps = self._fit_inner(X, Y, sources, targets)
        self.history_ = [{"round": 0, "dictionary_size": len(X)}]
        for number in range(1, n_iter + 1):
            progress("refining", number - 1, n_iter)
            induced = self._induce(sources, targets, maps)
            callback(number - 1, maps._replace(target_means=induced.target_means))
            rows_x, rows_y = sources[induced.pairs[:, 0]], targets[induced.pairs[:, 1]]
            if self.keep_seed:
                rows_x, rows_y = np.concatenate([X, rows_x]), np.concatenate([Y, rows_y])
            if len(rows_x) == 0:
                _warn_stop(number)
                break
            maps = self._fit_inner(rows_x, rows_y, sources, targets)
            self.history_.append({"round": number, "dictionary_size": len(rows_x)})
        else:
            callback(n_iter, maps)
        progress("refining", n_iter, n_iter)
        self.source_map_, self.target_map_ = maps.source, maps.target

    def _make_inner(self) -> AbstractAligner:
        if self.aligner is None or isinstance(self.aligner, str):
            return make_aligner(self.aligner or "procrustes")
        return self.aligner.unfitted_copy()

    def _fit_inner(self, X: Matrix, Y: Matrix, sources: Matrix, targets: Matrix) -> Maps:
        return self._make_inner().fit(X, Y, source_space=sources, target_space=targets).maps_

    def _induce(self, sources: Matrix, targets: Matrix, maps: Maps) -> Induced:
        return induce_pairs(
            unit_space(sources, maps.source),
            unit_space(targets, maps.target),
            direction=self.direction,
            max_rank=self.max_rank,
            threshold=self.threshold,
            min_size=self.min_size,
            max_size=self.max_size,
            k=self.k,
            keep_rank_limit=self.quirks == "muse",
        )


def _warn_stop(number: int) -> None:
    warnings.warn(
        f"Round {number} of refinement found no pair of words to learn from, so the map of round {number - 1} stays. "
        "Give a larger dictionary, a lower threshold, or keep_seed=True.",
        IsoalignWarning,
        stacklevel=5,
    )
