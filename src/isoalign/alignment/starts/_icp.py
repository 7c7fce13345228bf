"""Iterative closest points: many random starts in few dimensions, of which the best continues in all dimensions."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.types import IntVector, LinearMap, Matrix
from isoalign._core.validate import check_count, check_same_dim
from isoalign.alignment._loop import AbstractSteps, StepState, run_loop
from isoalign.alignment._procrustes import orthogonal_map
from isoalign.alignment.starts._map_start import AbstractMapStart
from isoalign.neighbors import top_k

__all__ = ["ICP", "map_by_icp"]


def map_by_icp(
    X: Matrix,
    Z: Matrix,
    *,
    rng: np.random.Generator,
    progress: Progress = ignore_progress,
    max_rank: int,
    start_rank: int,
    n_components: int,
    n_starts: int,
    max_iter: int,
    cycle: float,
    tol: float,
) -> LinearMap:
    """Return the rotation that iterative closest points find from the best of many random starts.

    Parameters
    ----------
    X, Z
        Normalised spaces (n, dim) and (m, dim), most frequent words first.
    rng
        Random generator for the starts: alternately random signs of the principal axes and random rotations.
    progress
        Progress callback.
    max_rank, start_rank
        Number of most frequent words used in all dimensions, and in few dimensions.
    n_components
        Principal components used by the starts.
    n_starts
        Number of starts.
    max_iter
        Maximum number of rounds, for every start and for the last fit.
    cycle
        Weight of the condition that the maps of both directions are inverse to each other.
    tol
        Stop a fit when its error decreases by a smaller share.

    References
    ----------
    Hoshen, Wolf (2018). Least squares in closed form instead of gradient steps.
    """
    check_same_dim(X, Z, what="X and Z")
    n_components = min(check_count(n_components, name="n_components"), X.shape[1])
    n_starts = check_count(n_starts, name="n_starts")
    clouds = _Clouds.of(*(_principal_components(side[:start_rank], n_components) for side in (X, Z)))
    starts = _RandomStarts(rng, n_starts, max_iter, cycle, tol)
    best = run_loop(starts, clouds, what="icp, random starts", progress=progress).state.fit
    assert best is not None  # at least one start
    i, j = _mutual(*clouds.nearest(best.forward, best.backward))
    closest = _ClosestPoints(orthogonal_map(X[i], Z[j]), max_iter, tol)
    return run_loop(closest, (X[:max_rank], Z[:max_rank]), what="icp", progress=progress).state.W


class _Clouds(NamedTuple):
    """Rows of both sides, and their pseudo-inverses."""

    A: Matrix
    B: Matrix
    A_solve: LinearMap
    B_solve: LinearMap

    @classmethod
    def of(cls, A: Matrix, B: Matrix) -> "_Clouds":
        """Return the clouds of these rows."""
        return cls(A, B, *(np.linalg.pinv(side.astype(np.float64)) for side in (A, B)))

    def nearest(self, forward: LinearMap, backward: LinearMap) -> tuple[IntVector, IntVector]:
        """Return for every mapped row of one side the nearest row of the other."""
        return _nearest(_apply(self.A, forward), self.B), _nearest(_apply(self.B, backward), self.A)


def _principal_components(X: Matrix, n: int) -> Matrix:
    centered = X - X.mean(axis=0, dtype=np.float64).astype(np.float32)
    _, vectors = np.linalg.eigh(centered.astype(np.float64).T @ centered)
    return _apply(centered, vectors[:, ::-1][:, :n])


def _first_map(rng: np.random.Generator, dim: int, number: int) -> LinearMap:
    """Return alternately random signs, which suffice if the axes correspond, and a random rotation."""
    if number % 2 == 0:
        return np.diag(rng.choice([-1.0, 1.0], dim))
    Q, R = np.linalg.qr(rng.standard_normal((dim, dim)))
    W: LinearMap = Q * np.sign(np.diag(R))
    return W


@dataclass(frozen=True, kw_only=True)
class _Fit(StepState):
    """Maps of both directions, and their error in this round and in the one before."""

    forward: LinearMap
    backward: LinearMap
    error: float = np.inf
    before: float = np.inf


@dataclass(frozen=True)
class _NearestFit(AbstractSteps[_Clouds, _Fit]):
    """Let both sides choose their nearest rows and solve for both maps, until the error no longer decreases."""

    first: LinearMap
    max_iter: int
    cycle: float
    tol: float

    def max_steps(self) -> int:
        """Return the maximum number of rounds."""
        return self.max_iter

    def start(self, problem: _Clouds) -> _Fit:  # noqa: ARG002
        """Begin with the first map and its inverse."""
        return _Fit(forward=self.first, backward=self.first.T)

    def step(self, problem: _Clouds, state: _Fit) -> _Fit:
        """Choose the nearest rows, and solve."""
        A, B, A_solve, B_solve = problem
        to_b, to_a = problem.nearest(state.forward, state.backward)
        forward = _with_cycle(A_solve @ B[to_b], state.backward, self.cycle)
        backward = _with_cycle(B_solve @ A[to_a], forward, self.cycle)
        error = _error(A, B[to_b], forward) + _error(B, A[to_a], backward)
        return _Fit(number=state.number + 1, forward=forward, backward=backward, error=error, before=state.error)

    def finished(self, state: _Fit) -> bool:
        """Return whether the error no longer decreases."""
        return state.number > 0 and not state.error < (1 - self.tol) * state.before


@dataclass(frozen=True, kw_only=True)
class _StartFit(StepState):
    """The fit from one start."""

    fit: _Fit | None = None


@dataclass(frozen=True)
class _RandomStarts(AbstractSteps[_Clouds, _StartFit]):
    """One fit from a random map in every step."""

    rng: np.random.Generator
    n_starts: int
    max_iter: int
    cycle: float
    tol: float

    def max_steps(self) -> int:
        """Return the number of random maps."""
        return self.n_starts

    def start(self, problem: _Clouds) -> _StartFit:  # noqa: ARG002
        """Begin without a fit."""
        return _StartFit()

    def step(self, problem: _Clouds, state: _StartFit) -> _StartFit:
        """Fit from another random map."""
        first = _first_map(self.rng, problem.A.shape[1], state.number)
        fit = run_loop(_NearestFit(first, self.max_iter, self.cycle, self.tol), problem, what="icp").state
        return _StartFit(number=state.number + 1, record={"error": fit.error}, value=-fit.error, fit=fit)


@dataclass(frozen=True, kw_only=True)
class _Rotation(StepState):
    """The rotation, and its largest change in the last round."""

    W: LinearMap
    change: float = np.inf


@dataclass(frozen=True)
class _ClosestPoints(AbstractSteps[tuple[Matrix, Matrix], _Rotation]):
    """Rotate by the rows that choose each other, until the rotation no longer changes."""

    first: LinearMap
    max_iter: int
    tol: float

    def max_steps(self) -> int:
        """Return the maximum number of rounds."""
        return self.max_iter

    def start(self, problem: tuple[Matrix, Matrix]) -> _Rotation:  # noqa: ARG002
        """Begin with the rotation of the best start."""
        return _Rotation(W=self.first)

    def step(self, problem: tuple[Matrix, Matrix], state: _Rotation) -> _Rotation:
        """Pair rows that choose each other, and rotate."""
        A, B = problem
        S = _apply(A, state.W)
        i, j = _mutual(_nearest(S, B), _nearest(B, S))
        W = orthogonal_map(A[i], B[j])
        change = float(np.abs(W - state.W).max())
        return _Rotation(number=state.number + 1, record={"change": change}, W=W, change=change)

    def finished(self, state: _Rotation) -> bool:
        """Return whether the rotation no longer changes."""
        return state.change < self.tol


def _with_cycle(solution: LinearMap, inverse: LinearMap, weight: float) -> LinearMap:
    """Move a least-squares map towards the inverse of the other one: the minimum of |AW − B|² + weight |AWV − A|²."""
    right = (solution + weight * inverse.T).T.astype(np.float64)
    left: LinearMap = np.eye(len(inverse)) + weight * (inverse @ inverse.T)
    W: LinearMap = np.linalg.solve(left, right).T.astype(np.float64, copy=False)
    return W


def _error(A: Matrix, B: Matrix, W: LinearMap) -> float:
    return float(np.square(_apply(A, W) - B).sum(axis=1, dtype=np.float64).mean())


def _apply(A: Matrix, W: LinearMap) -> Matrix:
    return A @ W.astype(np.float32)


def _nearest(A: Matrix, B: Matrix) -> IntVector:
    """Return the row of B nearest to every row of A by Euclidean distance."""
    return top_k(A, B, 1, scale=2.0, bias=np.square(B).sum(axis=1))[1][:, 0]


def _mutual(forward: IntVector, backward: IntVector) -> tuple[IntVector, IntVector]:
    """Return the rows that choose each other."""
    mutual = np.flatnonzero(backward[forward] == np.arange(len(forward)))
    return mutual, forward[mutual]


class ICP(AbstractMapStart):
    """Rotate by iterative closest points, from the best of many random starts.

    Parameters
    ----------
    max_rank, start_rank, n_components, n_starts, max_iter, cycle, tol
        See `map_by_icp`.
    """

    def __init__(
        self,
        max_rank: int = 7500,
        start_rank: int = 5000,
        n_components: int = 25,
        n_starts: int = 100,
        max_iter: int = 100,
        cycle: float = 0.1,
        tol: float = 1e-4,
    ) -> None:
        self.max_rank = max_rank
        self.start_rank = start_rank
        self.n_components = n_components
        self.n_starts = n_starts
        self.max_iter = max_iter
        self.cycle = cycle
        self.tol = tol

    def _find_map(self, X: Matrix, Z: Matrix, rng: np.random.Generator, progress: Progress) -> LinearMap:
        return map_by_icp(X, Z, rng=rng, progress=progress, **self.get_params())
