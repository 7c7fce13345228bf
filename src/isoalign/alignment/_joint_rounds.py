"""Learn the maps of many spaces in rounds: every round induces dictionaries for the next one."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.types import LinearMap, Matrix, RowPairs
from isoalign.alignment._base import unit_space
from isoalign.alignment._dictionary import CslsSpaces, induce_pairs
from isoalign.alignment._graph import Edge
from isoalign.alignment._joint_maps import JointProblem, solve_joint
from isoalign.alignment._joint_middle import meet_in_the_middle
from isoalign.maps import MatrixMap

__all__ = ["JoinSettings", "JointRefinement", "Round", "map_spaces"]


class JoinSettings(NamedTuple):
    """Settings of a joint space that can be chosen, see `join`."""

    refine: int = 0
    reweight: bool = False
    middle: bool = False


class Round(NamedTuple):
    """Result of one round.

    Attributes
    ----------
    number
        Number of the round; round 0 learns from the given dictionaries only.
    problem
        With the dictionaries of this round.
    maps
        One matrix per space.
    objective
        See `JointMaps`.
    """

    number: int
    problem: JointProblem
    maps: dict[str, LinearMap]
    objective: list[float]

    @property
    def record(self) -> dict[str, Any]:
        """Summary of the round, as JSON values."""
        sizes = {"-".join(edge): len(pairs) for edge, pairs in self.problem.pairs.items()}
        return {"round": self.number, "objective": self.objective, "dictionary_sizes": sizes}

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

    def rounds(self, n: int, *, reweight: bool, progress: Progress = ignore_progress) -> Iterator[Round]:
        """Learn from the given dictionaries, then ``n`` times from these and induced ones."""
        problem = self.problem
        for number in range(n + 1):
            progress("joining", number, n + 1)
            maps, objective = solve_joint(problem, method=self.method, reweight=reweight)
            yield Round(number, problem, maps, objective)
            if number < n:
                problem = self.problem.with_pairs(self._induce(maps, progress))
        progress("joining", n + 1, n + 1)

    def _induce(self, maps: Mapping[str, LinearMap], progress: Progress) -> dict[Edge, RowPairs]:
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


def map_spaces(spaces: Mapping[str, Matrix], maps: Mapping[str, LinearMap]) -> dict[str, Matrix]:
    """Return all spaces in the shared one, rows of unit length."""
    return {name: unit_space(X, MatrixMap(maps[name])) for name, X in spaces.items()}
