"""What every aligner shares: the maps it learns and how they are applied."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from isoalign._arrays import row_blocks, unit_rows
from isoalign._estimator import AbstractEstimator
from isoalign._progress import Progress, ignore_progress
from isoalign._types import FloatVector, Matrix, MatrixLike
from isoalign._validate import check_matrix, check_pairs, check_same_dim
from isoalign.errors import ShapeError

__all__ = [
    "AbstractAligner",
    "AbstractDirectAligner",
    "LinearMap",
    "Maps",
    "StepCallback",
    "Trajectory",
    "apply_map",
    "unit_space",
]

LinearMap: TypeAlias = NDArray[np.float64]
"""(dim, p), applied on the right: ``X @ W``."""


class Maps(NamedTuple):
    """The maps of both sides after a step.

    Attributes
    ----------
    source, target
        (d_s, p) and (d_t, p); ``target`` None is the identity.
    target_means
        Where the step has computed them: mean cosine of every mapped target to its nearest sources, for CSLS.
    """

    source: LinearMap
    target: LinearMap | None = None
    target_means: FloatVector | None = None


class Trajectory(NamedTuple):
    """One fit that passes through several candidates for selection.

    Attributes
    ----------
    settings
        To fit with.
    candidates
        For the steps worth judging: the settings that end at that step.
    """

    settings: dict[str, Any]
    candidates: dict[int, dict[str, Any]]


StepCallback: TypeAlias = Callable[[int, Maps], None]
"""Called with the number of a step and the maps after it."""


class AbstractAligner(AbstractEstimator, ABC):
    """Learn maps from paired rows, and where it helps from the two whole spaces.

    Attributes
    ----------
    source_map_, target_map_
        (d_s, p) and (d_t, p), float64; ``target_map_`` None is the identity.
    history_
        What each step saw: one dictionary per step; empty for maps found in one step.
    """

    same_dim: ClassVar[bool] = True
    """Whether both sides must have the same number of columns."""

    source_map_: LinearMap
    target_map_: LinearMap | None
    history_: list[dict[str, Any]]

    def fit(
        self,
        X: MatrixLike,
        Y: MatrixLike,
        *,
        source_space: MatrixLike | None = None,
        target_space: MatrixLike | None = None,
        callback: StepCallback | None = None,
        progress: Progress = ignore_progress,
    ) -> Self:
        """Learn the maps.

        Parameters
        ----------
        X, Y
            Paired rows (p, d_s) and (p, d_t): a source word and its translation.
        source_space, target_space
            All words of both sides, most frequent first. None: the paired rows.
        callback
            Called with every step's number, from 0, and its maps.
        progress
            Hears how far the steps have come.
        """
        X, Y = check_pairs(X, Y, same_dim=self.same_dim)
        sources = X if source_space is None else check_matrix(source_space, name="source_space")
        targets = Y if target_space is None else check_matrix(target_space, name="target_space")
        check_same_dim(X, sources, what="X and source_space")
        check_same_dim(Y, targets, what="Y and target_space")
        with self.learning():
            self.history_ = []
            self._learn(X, Y, sources, targets, callback or _ignore_step, progress)
        return self

    @abstractmethod
    def _learn(
        self, X: Matrix, Y: Matrix, sources: Matrix, targets: Matrix, callback: StepCallback, progress: Progress
    ) -> None:
        """Set the learned attributes from checked matrices, calling back after every step."""

    def trajectories(self) -> list[Trajectory]:
        """Return the fits that pass through every setting left open; none where nothing is open."""
        return []

    @property
    def maps_(self) -> Maps:
        """Both maps."""
        self.check_fitted()
        return Maps(self.source_map_, self.target_map_)

    def transform(self, X: MatrixLike) -> Matrix:
        """Map source rows into the shared space."""
        return apply_map(check_matrix(X), self.maps_.source)

    def transform_target(self, Y: MatrixLike) -> Matrix:
        """Map target rows into the shared space; where the map is the identity, rows that fit come back themselves."""
        return apply_map(check_matrix(Y, name="Y"), self.maps_.target)


class AbstractDirectAligner(AbstractAligner):
    """Learn both maps from the paired rows in one step."""

    @abstractmethod
    def _solve(self, X: Matrix, Y: Matrix) -> Maps:
        """Return the maps for checked paired rows."""

    def _learn(
        self,
        X: Matrix,
        Y: Matrix,
        sources: Matrix,  # noqa: ARG002
        targets: Matrix,  # noqa: ARG002
        callback: StepCallback,
        progress: Progress,  # noqa: ARG002
    ) -> None:
        maps = self._solve(X, Y)
        self.source_map_, self.target_map_ = maps.source, maps.target
        callback(0, maps)


def _ignore_step(step: int, maps: Maps) -> None:
    """Drop a step."""


def apply_map(X: Matrix, W: LinearMap | None) -> Matrix:
    """Return ``X @ W`` in float32, a block of rows at a time; None is the identity and returns ``X`` itself."""
    if W is None:
        return X
    if X.shape[1] != W.shape[0]:
        raise ShapeError(f"The map takes {W.shape[0]} columns. Got vectors with {X.shape[1]}.")
    W = W.astype(np.float32)
    result = np.empty((len(X), W.shape[1]), dtype=np.float32)
    for rows in row_blocks(len(X)):
        np.matmul(X[rows], W, out=result[rows])
    return result


def unit_space(X: Matrix, W: LinearMap | None) -> Matrix:
    """Return the rows of ``X @ W`` at length one: the words of one side in the shared space."""
    mapped = apply_map(X, W)
    return unit_rows(mapped, out=None if mapped is X else mapped)
