"""Refinement: repeatedly induce a larger dictionary with the map, and learn from it."""

import warnings
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from isoalign._core.validate import check_choice, check_count
from isoalign.alignment._base import AbstractAligner, AbstractIterativeAligner, LoopState, Trajectory
from isoalign.alignment._cost import Sizes
from isoalign.alignment._dictionary import CslsSpaces, Induced, induce_pairs
from isoalign.alignment._problem import Problem
from isoalign.alignment._wrapper import AbstractWrapper
from isoalign.errors import IsoalignWarning
from isoalign.neighbors import SearchMemory

__all__ = ["Refine"]

_INDUCING = 1.5  # measured time of inducing a dictionary relative to the product: benchmarks/results/search.json


@dataclass(frozen=True, kw_only=True)
class _RefinedMaps(LoopState):
    """A round, and the dictionary that its maps induce for the next one; None after the last."""

    induced: Induced | None = None


class Refine(AbstractWrapper, AbstractIterativeAligner[_RefinedMaps]):
    """Learn a map, induce a dictionary with it, learn from that dictionary, and repeat this five times.

    A round scales the mapped vectors to unit length, lets the most frequent words of both sides choose their best
    partner by CSLS among all words, keeps the pairs that chose each other, and fits the aligner to these.

    Parameters
    ----------
    aligner
        The aligner fitted in every round, or its name; None is `Procrustes`.
    n_iter
        Number of rounds after the first map.
    direction, max_rank, min_margin, min_size, max_size, k
        Selection of the induced pairs, see `induce_pairs`.
    keep_seed
        Whether to add the given pairs to every induced dictionary.
    quirks
        With ``"muse"``, the word of rank ``max_rank`` itself may be chosen, as in MUSE.

    Attributes
    ----------
    history_
        Size of the dictionary that the map of every round was learned from, from round 0.

    References
    ----------
    Conneau, Lample, Ranzato, Denoyer, Jégou (2018), section 2.2. MUSE chooses the best round by accuracy on the test
    words; this class does not choose.
    """

    default_aligner: ClassVar[str] = "procrustes"
    judges_steps: ClassVar[bool] = True  # MUSE keeps the round with the best accuracy on the test words

    def __init__(
        self,
        aligner: AbstractAligner | str | None = None,
        n_iter: int = 5,
        direction: str = "mutual",
        max_rank: int | None = 10_000,
        min_margin: float = 0.0,
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
        self.min_margin = min_margin
        self.min_size = min_size
        self.max_size = max_size
        self.keep_seed = keep_seed
        self.k = k
        self.quirks = quirks

    def trajectories(self) -> list[Trajectory]:
        """Every round is a candidate, including round 0."""
        return [Trajectory({}, {step: {"n_iter": step} for step in range(self.max_steps() + 1)})]

    def max_steps(self) -> int:
        """Return the number of rounds."""
        return check_count(self.n_iter, name="n_iter", minimum=0)

    def start(self, problem: Problem) -> _RefinedMaps:
        """Learn from the given pairs."""
        if self.quirks is not None:
            check_choice(self.quirks, ("muse",), name="quirks")
        return self._round(problem, 0, None)

    def step(self, problem: Problem, state: _RefinedMaps) -> _RefinedMaps:
        """Learn from the dictionary that the last maps induced."""
        assert state.induced is not None  # only the last round induces nothing, and no step follows it
        pairs = state.induced.pairs
        if self.keep_seed:
            pairs = np.concatenate([problem.known_pairs, pairs])
        return self._round(problem.with_pairs(pairs), state.number + 1, state.induced.memory)

    def finished(self, state: _RefinedMaps) -> bool:
        """Whether the last maps induced no pair to learn from."""
        if state.induced is None or len(state.induced.pairs) or self.keep_seed:
            return False
        _warn_stop(state.number + 1)
        return True

    def step_cost(self, sizes: Sizes) -> float:
        """Return the operations of a round: inducing the dictionary, and the inner fit."""
        return _INDUCING * sizes.product + self._make_inner().cost(sizes)

    def judging_cost(self, sizes: Sizes) -> float:
        """Return the operations of scoring a round, whose CSLS means are already known from inducing pairs."""
        return sizes.questions

    def _round(self, problem: Problem, number: int, about: SearchMemory | None) -> _RefinedMaps:
        record = {"round": number, "dictionary_size": len(problem.known_pairs)}
        maps = self._make_inner().fit_problem(problem).maps_
        if number == self.max_steps():
            return _RefinedMaps(number=number, maps=maps, record=record)
        induced = induce_pairs(
            CslsSpaces(*maps.spaces(problem.X, problem.Y)),
            direction=self.direction,
            max_rank=problem.limits(self.max_rank),
            min_margin=self.min_margin,
            min_size=self.min_size,
            max_size=self.max_size,
            k=self.k,
            keep_rank_limit=self.quirks == "muse",
            about=about,
        )
        maps = maps._replace(target_means=induced.target_means)
        return _RefinedMaps(number=number, maps=maps, record=record, induced=induced)


def _warn_stop(number: int) -> None:
    warnings.warn(
        f"Round {number} of refinement found no pair of words to learn from, so the map of round {number - 1} is kept. "
        "Give a larger dictionary, a lower min_margin, or keep_seed=True.",
        IsoalignWarning,
        stacklevel=6,
    )
