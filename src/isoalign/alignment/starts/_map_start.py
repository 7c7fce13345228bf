"""Base class of starts that find a rotation first."""

from abc import abstractmethod
from dataclasses import dataclass

import numpy as np

from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.types import LinearMap, Matrix, RowPairs
from isoalign.alignment._loop import StepState
from isoalign.alignment._problem import Problem
from isoalign.alignment.starts._base import AbstractStart, Words
from isoalign.alignment.starts._from_map import pairs_from_map

__all__ = ["AbstractMapStart", "MapState"]


@dataclass(frozen=True, kw_only=True)
class MapState(StepState):
    """State of steps whose only result is a map of the source space."""

    W: LinearMap


class AbstractMapStart(AbstractStart):
    """Find a rotation, and pair the words that it brings together."""

    same_dim = True

    @abstractmethod
    def _find_map(self, X: Matrix, Z: Matrix, rng: np.random.Generator, progress: Progress) -> LinearMap:
        """Return a map of the source space."""

    def find_pairs(
        self,
        problem: Problem,
        words: Words | None = None,  # noqa: ARG002
        *,
        progress: Progress = ignore_progress,
    ) -> RowPairs:
        """See `AbstractStart.find_pairs`."""
        X, Z = problem.candidate_rows()
        return pairs_from_map(X, Z, self._find_map(X, Z, problem.rng(), progress))
