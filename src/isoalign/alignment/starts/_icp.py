"""Iterative closest points: many random starts in few dimensions, of which the best continues in all dimensions."""

from typing import NamedTuple

import numpy as np

from isoalign._core.types import IntVector, LinearMap, Matrix
from isoalign._core.validate import check_count, check_same_dim
from isoalign.alignment._procrustes import orthogonal_map
from isoalign.alignment.starts._map_start import AbstractMapStart
from isoalign.neighbors import top_k

__all__ = ["ICP", "map_by_icp"]


class _Fit(NamedTuple):
    error: float
    forward: LinearMap
    backward: LinearMap


def map_by_icp(
    X: Matrix,
    Z: Matrix,
    *,
    rng: np.random.Generator,
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
    A, B = (_principal_components(side[:start_rank], n_components) for side in (X, Z))
    fits = [_fit(A, B, _first_map(rng, n_components, i), max_iter, cycle, tol) for i in range(n_starts)]
    best = min(fits, key=lambda fit: fit.error)
    i, j = _mutual(_nearest(_apply(A, best.forward), B), _nearest(_apply(B, best.backward), A))
    W = orthogonal_map(X[i], Z[j])
    A, B = X[:max_rank], Z[:max_rank]
    for _ in range(max_iter):
        before = W
        S = _apply(A, W)
        i, j = _mutual(_nearest(S, B), _nearest(B, S))
        W = orthogonal_map(A[i], B[j])
        if np.abs(W - before).max() < tol:
            break
    return W


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


def _fit(A: Matrix, B: Matrix, forward: LinearMap, max_iter: int, cycle: float, tol: float) -> _Fit:
    """Let both sides choose their nearest rows and solve for both maps, until the error no longer decreases."""
    backward, error = forward.T, np.inf
    A_solve: LinearMap = np.linalg.pinv(A.astype(np.float64))
    B_solve: LinearMap = np.linalg.pinv(B.astype(np.float64))
    for _ in range(max_iter):
        to_b, to_a = _nearest(_apply(A, forward), B), _nearest(_apply(B, backward), A)
        forward = _with_cycle(A_solve @ B[to_b], backward, cycle)
        backward = _with_cycle(B_solve @ A[to_a], forward, cycle)
        before, error = error, _error(A, B[to_b], forward) + _error(B, A[to_a], backward)
        if not error < (1 - tol) * before:
            break
    return _Fit(error, forward, backward)


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

    def _find_map(self, X: Matrix, Z: Matrix, rng: np.random.Generator) -> LinearMap:
        return map_by_icp(X, Z, rng=rng, **self.get_params())
