"""Base classes of aligners, which learn maps from a problem."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Self, TypeAlias, TypeVar

import numpy as np

from isoalign._core.arrays import unit_rows
from isoalign._core.estimator import AbstractEstimator
from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.types import FloatVector, Matrix, MatrixLike
from isoalign.alignment._checkpoint import Checkpoint
from isoalign.alignment._cost import Sizes
from isoalign.alignment._loop import AbstractSteps, StepState, run_loop
from isoalign.alignment._problem import Problem
from isoalign.alignment._registry import name_of
from isoalign.errors import ShapeError
from isoalign.maps import AbstractMap

__all__ = [
    "AbstractAligner",
    "AbstractDirectAligner",
    "AbstractIterativeAligner",
    "LoopState",
    "Maps",
    "StepCallback",
    "Trajectory",
    "unit_space",
]


def unit_space(X: MatrixLike, one: AbstractMap) -> Matrix:
    """Map rows into the shared space and scale them to unit length."""
    mapped = one.apply(X)
    # The identity returns its input, or a view of it, which must not be changed.
    return unit_rows(mapped, out=None if np.may_share_memory(mapped, np.asarray(X)) else mapped)


class Maps(NamedTuple):
    """Maps of a pair of spaces.

    Attributes
    ----------
    source, target
        Maps of both sides into the shared space.
    forward, backward
        Query stages: maps of unit rows of the shared space, applied to source words when they are used to search for
        targets, and to target words when they are used to search for sources. None if there is no query stage.
    target_means
        Mean cosine of every mapped target to its nearest sources, for CSLS, if already computed.
    """

    source: AbstractMap
    target: AbstractMap
    forward: AbstractMap | None = None
    backward: AbstractMap | None = None
    target_means: FloatVector | None = None

    def reverse(self) -> "Maps":
        """Return the maps of the other direction, without the means."""
        return Maps(self.target, self.source, self.backward, self.forward)

    def spaces(self, X: Matrix, Y: Matrix) -> tuple[Matrix, Matrix]:
        """Return source rows, placed as neighbours of targets, and target rows; both of unit length."""
        source = unit_space(X, self.source)
        if self.forward is not None:
            source = unit_space(source, self.forward.as_fitted())
        return source, unit_space(Y, self.target)


class Trajectory(NamedTuple):
    """One fit that passes through several candidates for selection.

    Attributes
    ----------
    settings
        Settings of the fit.
    candidates
        The steps to score, with the settings that end at each step.
    """

    settings: dict[str, Any]
    candidates: dict[int, dict[str, Any]]


StepCallback: TypeAlias = Callable[[int, Maps], None]
"""Called with the number of a step and the maps after it."""


class AbstractAligner(AbstractEstimator, ABC):
    """Learn maps from paired rows and, for some methods, from the two whole spaces.

    Attributes
    ----------
    maps_
        The learned maps, see `Maps`.
    history_
        One dictionary per step; empty for methods without steps.
    """

    same_dim: ClassVar[bool] = True
    """Whether both sides must have the same number of columns."""
    needs_pairs: ClassVar[bool] = True
    """Whether the method needs pairs of rows."""
    judges_steps: ClassVar[bool] = False
    """Whether experiments record the accuracy after every step, because published results chose among them."""
    grows_pairs: ClassVar[bool] = False
    """Whether the method finds further pairs, so that a few are enough to begin with."""
    weighs_pairs: ClassVar[bool] = False
    """Whether the method supports weights of pairs."""
    is_random: ClassVar[bool] = False
    """Whether the result depends on the seed of the problem."""
    can_continue: ClassVar[bool] = False
    """Whether an interrupted run can be resumed from a checkpoint."""

    maps_: Maps
    history_: list[dict[str, Any]]

    def fit(
        self,
        X: MatrixLike,
        Y: MatrixLike,
        *,
        callback: StepCallback | None = None,
        progress: Progress = ignore_progress,
    ) -> Self:
        """Learn from paired rows (p, d_s) and (p, d_t), which are also the whole spaces.

        Parameters
        ----------
        X, Y
            Row ``i`` of X and row ``i`` of Y belong together: a word and its translation.
        callback
            Called with the number of every step, from 0, and its maps.
        progress
            Progress callback.
        """
        problem = Problem.from_pairs(X, Y, same_dim=self.same_dim)
        return self.fit_problem(problem, callback=callback, progress=progress)

    def fit_problem(
        self,
        problem: Problem,
        *,
        callback: StepCallback | None = None,
        progress: Progress = ignore_progress,
        checkpoint: Checkpoint | None = None,
    ) -> Self:
        """Learn from a problem; see `fit`.

        Parameters
        ----------
        problem
            The learning problem.
        callback, progress
            As in `fit`.
        checkpoint
            Where to save the run and to resume it from, if the method supports it.
        """
        if self.same_dim and problem.X.shape[1] != problem.Y.shape[1]:
            raise ShapeError(
                f"{type(self).__name__} needs spaces of equal dimension. "
                f"Got {problem.X.shape[1]} and {problem.Y.shape[1]}."
            )
        if self.needs_pairs:
            problem.known_pairs  # noqa: B018  (refuses a problem without pairs)
        with self.learning():
            self.maps_, self.history_ = self._learn(problem, callback or _ignore_step, progress, checkpoint)
        return self

    @abstractmethod
    def _learn(
        self, problem: Problem, callback: StepCallback, progress: Progress, checkpoint: Checkpoint | None
    ) -> tuple[Maps, list[dict[str, Any]]]:
        """Return the maps and a record of each step; the callback is called after every step."""

    def trajectories(self) -> list[Trajectory]:
        """Return the fits that pass through all candidates of open settings, preferred ones first; empty if none."""
        return []

    def cost(self, sizes: Sizes) -> float:  # noqa: ARG002
        """Return the multiplications and additions of a fit, leaving out what does not grow with the vocabularies."""
        return 0.0

    def judging_cost(self, sizes: Sizes) -> float:
        """Return the operations of judging the maps of one step on held-out words."""
        return sizes.csls(best=1)

    @property
    def source_map_(self) -> AbstractMap:
        """Map of the source side."""
        self.check_fitted()
        return self.maps_.source

    @property
    def target_map_(self) -> AbstractMap:
        """Map of the target side."""
        self.check_fitted()
        return self.maps_.target

    def transform(self, X: MatrixLike) -> Matrix:
        """Map source rows into the shared space."""
        return self.source_map_.apply(X)

    def transform_target(self, Y: MatrixLike) -> Matrix:
        """Map target rows into the shared space; the identity may return its argument."""
        return self.target_map_.apply(Y)


class AbstractDirectAligner(AbstractAligner):
    """Learn the maps in one step."""

    @abstractmethod
    def _solve(self, problem: Problem) -> Maps:
        """Return the maps."""

    def _learn(
        self,
        problem: Problem,
        callback: StepCallback,
        progress: Progress,  # noqa: ARG002
        checkpoint: Checkpoint | None,  # noqa: ARG002
    ) -> tuple[Maps, list[dict[str, Any]]]:
        maps = self._solve(problem)
        callback(0, maps)
        return maps, []


@dataclass(frozen=True, kw_only=True)
class LoopState(StepState):
    """State of an iterative aligner; methods add the fields they need.

    Attributes
    ----------
    number
        Number of steps taken.
    maps
        The current maps.
    record, value
        See `StepState`.
    """

    maps: Maps


StateT = TypeVar("StateT", bound=LoopState)


class AbstractIterativeAligner(AbstractAligner, AbstractSteps[Problem, StateT]):
    """Learn the maps iteratively, with a start, a step and a stopping criterion. `run_loop` does the rest."""

    def step_cost(self, sizes: Sizes) -> float:
        """Return the operations of one step."""
        return sizes.product

    def cost(self, sizes: Sizes) -> float:
        """Return the operations of all steps; if their number is open, of the largest number of steps."""
        steps = [max(trajectory.candidates) for trajectory in self.trajectories()]
        return max(steps, default=self.max_steps()) * self.step_cost(sizes)

    def _learn(
        self, problem: Problem, callback: StepCallback, progress: Progress, checkpoint: Checkpoint | None
    ) -> tuple[Maps, list[dict[str, Any]]]:
        run = run_loop(
            self,
            problem,
            what=name_of(self),
            callback=lambda state: callback(state.number, state.maps),
            progress=progress,
            place=None if checkpoint is None or not self.can_continue else checkpoint.place_of(self, problem),
        )
        return run.state.maps, list(run.history)


def _ignore_step(step: int, maps: Maps) -> None:
    """Ignore a step."""
