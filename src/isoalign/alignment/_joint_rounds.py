"""Learn the maps of many spaces in rounds: every round induces dictionaries for the next one."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.types import LinearMap, Matrix, RowPairs
from isoalign.alignment._base import unit_space
from isoalign.alignment._dictionary import CslsSpaces, induce_pairs
from isoalign.alignment._graph import Edge
from isoalign.alignment._joint_maps import JointProblem, solve_joint
from isoalign.alignment._joint_middle import meet_in_the_middle
from isoalign.alignment._loop import AbstractSteps, Run, StepState, run_loop
from isoalign.maps import MatrixMap

__all__ = ["JoinSettings", "JointRefinement", "Round", "map_spaces"]


class JoinSettings(NamedTuple):
    """Settings of a joint space that can be chosen, see `join`."""

    refine: int = 0
    reweight: bool = False
    middle: bool = False


@dataclass(frozen=True, kw_only=True)
class Round(StepState):
    """State after a round; round 0 learns from the given dictionaries only.

    Attributes
    ----------
    number, record, value
        See `StepState`.
    problem
        With the dictionaries of this round.
    maps
        One matrix per space.
    """

    problem: JointProblem
    maps: dict[str, LinearMap]

    def final_maps(self, *, middle: bool) -> dict[str, LinearMap]:
        """Return the maps, after meeting in the middle if requested."""
        return meet_in_the_middle(self.problem, self.maps) if middle else self.maps


@dataclass(frozen=True)
class JointRefinement:
    """Refinement of the maps of a problem.

    Attributes
    ----------
    problem
        With the given dictionaries.
    method
        See `solve_joint`.
    refined
        Pairs of spaces that induce dictionaries.
    guessed
        Dictionaries that were not given: induced ones replace them.
    """

    problem: JointProblem
    method: str
    refined: Collection[Edge]
    guessed: Collection[Edge] = ()

    def run(
        self,
        n: int,
        *,
        reweight: bool,
        callback: Callable[[Round], None] | None = None,
        progress: Progress = ignore_progress,
    ) -> Run[Round]:
        """Learn from the given dictionaries, then ``n`` times from these and induced ones; see `run_loop`."""
        steps = _JointSteps(self, n, reweight, progress)
        return run_loop(steps, self.problem, what="joining", callback=callback, progress=progress)

    def induce(self, maps: Mapping[str, LinearMap], progress: Progress) -> dict[Edge, RowPairs]:
        """Return the given dictionaries, extended by the mutual pairs that the maps induce, and new ones."""
        mapped = map_spaces(self.problem.spaces, maps)
        found = dict(self.problem.pairs)
        for a, b in self.refined:
            induced = induce_pairs(CslsSpaces(mapped[a], mapped[b]), progress=progress).pairs
            if (b, a) in found:
                a, b, induced = b, a, induced[:, ::-1]
            known = found.get((a, b))
            both = induced if known is None or (a, b) in self.guessed else np.concatenate([known, induced])
            if len(both):
                found[a, b] = np.unique(both, axis=0)
        return found


@dataclass(frozen=True)
class _JointSteps(AbstractSteps[JointProblem, Round]):
    """Induce dictionaries with the last maps, and learn from them."""

    refinement: JointRefinement
    n: int
    reweight: bool
    progress: Progress

    def max_steps(self) -> int:
        """Return the number of rounds after the first."""
        return self.n

    def start(self, problem: JointProblem) -> Round:
        """Learn from the given dictionaries."""
        return self._round(0, problem)

    def step(self, problem: JointProblem, state: Round) -> Round:
        """Learn from the dictionaries that the last maps induce."""
        return self._round(state.number + 1, problem.with_pairs(self.refinement.induce(state.maps, self.progress)))

    def _round(self, number: int, problem: JointProblem) -> Round:
        maps, objective = solve_joint(problem, method=self.refinement.method, reweight=self.reweight)
        sizes = {"-".join(edge): len(pairs) for edge, pairs in problem.pairs.items()}
        record = {"round": number, "objective": objective, "dictionary_sizes": sizes}
        return Round(number=number, record=record, problem=problem, maps=maps)


def map_spaces(spaces: Mapping[str, Matrix], maps: Mapping[str, LinearMap]) -> dict[str, Matrix]:
    """Return all spaces in the shared one, rows of unit length."""
    return {name: unit_space(X, MatrixMap(maps[name])) for name, X in spaces.items()}
