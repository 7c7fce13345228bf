"""The rotation with the lowest cost of transporting one cloud of words to the other."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from isoalign._core.optional import import_extra
from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.types import LinearMap, Matrix
from isoalign._core.validate import check_count, check_same_dim
from isoalign.alignment._loop import AbstractSteps, StepState, run_loop
from isoalign.alignment._procrustes import nearest_rotation, orthogonal_map
from isoalign.alignment.starts._map_start import AbstractMapStart, MapState

__all__ = ["Wasserstein", "map_by_wasserstein"]

_LARGEST_COST = 40.0  # in units of the entropy; the kernel and its scalings then fit into float32


def map_by_wasserstein(
    X: Matrix,
    Z: Matrix,
    *,
    rng: np.random.Generator,
    progress: Progress = ignore_progress,
    max_rank: int,
    start_rank: int,
    start_iter: int,
    batch: int,
    n_iter: int,
    epochs: int,
    reg: float,
    lr: float,
) -> LinearMap:
    r"""Return the rotation of the Wasserstein–Procrustes problem.

    .. math:: \min_{W^\top W = I} \min_{P} \lVert X W - P Z \rVert_F^2

    A convex relaxation on the Gram matrices gives the first rotation, which stochastic steps on growing batches refine.

    Parameters
    ----------
    X, Z
        Normalised spaces (n, dim) and (m, dim), most frequent words first.
    rng
        Random generator for the batches.
    progress
        Progress callback.
    max_rank
        Number of most frequent words that batches are drawn from.
    start_rank, start_iter
        Words and Frank–Wolfe steps of the convex relaxation.
    batch, n_iter, epochs
        Batch size and number of steps of the first epoch; every epoch doubles the former and quarters the latter.
    reg
        Strength of the entropy in all transport plans.
    lr
        Learning rate, for plans of mass 1.

    References
    ----------
    Grave, Joulin, Berthet (2019). Plans by POT.
    """
    import_extra("ot", extra="ot")
    check_same_dim(X, Z, what="X and Z")
    for name, value in (("start_rank", start_rank), ("batch", batch), ("max_rank", max_rank)):
        check_count(value, name=name)
    size = min(len(X), len(Z), start_rank)
    A, B = X[:size], Z[:size]
    B = B * np.sqrt(np.linalg.norm(A.T @ A) / np.linalg.norm(B.T @ B))  # now both Gram matrices have the same norm
    relaxed = run_loop(_Relaxation(start_iter, reg), (A, B), what="wasserstein, relaxed", progress=progress).state
    W = orthogonal_map(A, relaxed.P @ B)
    transport = _Transport(W, rng, batch, n_iter, epochs, reg, lr)
    return run_loop(transport, (X[:max_rank], Z[:max_rank]), what="wasserstein", progress=progress).state.W


@dataclass(frozen=True, kw_only=True)
class _Relaxed(StepState):
    """A doubly stochastic matrix, the difference of the Gram matrices that it permutes, and whether it is the last."""

    P: Matrix
    residual: Matrix
    done: bool = False


@dataclass(frozen=True)
class _Relaxation(AbstractSteps[tuple[Matrix, Matrix], _Relaxed]):
    """Minimise the distance of permuted Gram matrices over doubly stochastic matrices by Frank–Wolfe.

    Between centred spaces the uniform matrix is also a minimum, which a uniform start never leaves. The search
    therefore begins at the plan between sorted rows of both Gram matrices.
    """

    n_iter: int
    reg: float

    def max_steps(self) -> int:
        """Return the maximum number of Frank–Wolfe steps."""
        return self.n_iter

    def start(self, problem: tuple[Matrix, Matrix]) -> _Relaxed:
        """Begin at the plan between sorted rows."""
        A, B = problem
        cost = _squared_distances(np.sort(A @ A.T, axis=1), np.sort(B @ B.T, axis=1))
        P = len(A) * _transport(cost, self.reg)
        return _Relaxed(P=P, residual=_compare_grams(A, B, P))

    def step(self, problem: tuple[Matrix, Matrix], state: _Relaxed) -> _Relaxed:
        """Move to the minimum on the line to the best plan of the linearised problem."""
        (A, B), residual = problem, state.residual
        gradient = _compare_grams(A, B, residual)
        step = len(A) * _transport(gradient, self.reg) - state.P
        change = _compare_grams(A, B, step)
        square = float(np.vdot(change, change))
        length = -float(np.vdot(residual, change)) / square if square > 0 else 0.0
        state = replace(state, number=state.number + 1)
        if length <= 0:
            return replace(state, done=True)
        length = min(length, 1.0)
        return replace(state, P=state.P + length * step, residual=residual + length * change)

    def finished(self, state: _Relaxed) -> bool:
        """Return whether no step decreases the distance."""
        return state.done


@dataclass(frozen=True)
class _Transport(AbstractSteps[tuple[Matrix, Matrix], MapState]):
    """Stochastic steps on growing batches."""

    first: LinearMap
    rng: np.random.Generator
    batch: int
    n_iter: int
    epochs: int
    reg: float
    lr: float

    @cached_property
    def _sizes(self) -> list[int]:
        """The batch size of every step."""
        epochs = range(self.epochs)
        return [self.batch * 2**epoch for epoch in epochs for _ in range(self.n_iter // 4**epoch)]

    def max_steps(self) -> int:
        """Return the number of steps of all epochs."""
        return len(self._sizes)

    def start(self, problem: tuple[Matrix, Matrix]) -> MapState:  # noqa: ARG002
        """Begin with the rotation of the relaxation."""
        return MapState(W=self.first)

    def step(self, problem: tuple[Matrix, Matrix], state: MapState) -> MapState:
        """Rotate towards the transport plan of a batch."""
        size = min(self._sizes[state.number], *map(len, problem))
        A, B = (side[self.rng.choice(len(side), size, replace=False)] for side in problem)
        plan = _transport(-(A @ state.W.astype(np.float32)) @ B.T, self.reg)
        return MapState(number=state.number + 1, W=nearest_rotation(state.W + self.lr * (A.T @ plan @ B)))


def _compare_grams(A: Matrix, B: Matrix, P: Matrix) -> Matrix:
    """Return the difference of the Gram matrices of the rows of A and B, permuted by P: A Aᵀ P - P B Bᵀ."""
    difference: Matrix = A @ (A.T @ P)
    difference -= (P @ B) @ B.T
    return difference


def _squared_distances(A: Matrix, B: Matrix) -> Matrix:
    """Return the squared Euclidean distances of all rows, (n, m)."""
    distances: Matrix = (A**2).sum(axis=1)[:, None] + (B**2).sum(axis=1) - 2 * A @ B.T
    return distances


def _transport(cost: Matrix, reg: float) -> Matrix:
    """Return the entropic transport plan between uniform weights, (n, m), of mass 1."""
    ot = import_extra("ot", extra="ot")
    cost = cost - cost.min(axis=1, keepdims=True)  # does not change the plan, and prevents overflow
    cost -= cost.min(axis=0, keepdims=True)
    if cost.max() > _LARGEST_COST * reg:
        cost = cost.astype(np.float64)
    weights = (np.full(n, 1 / n, dtype=cost.dtype) for n in cost.shape)
    plan = ot.sinkhorn(*weights, cost, reg, numItermax=100, stopThr=1e-6, warn=False)
    return np.asarray(plan, dtype=np.float32)


class Wasserstein(AbstractMapStart):
    """Rotate one cloud of words so that the cost of transporting it to the other is lowest.

    Parameters
    ----------
    max_rank, start_rank, start_iter, batch, n_iter, epochs, reg, lr
        See `map_by_wasserstein`.
    """

    def __init__(
        self,
        max_rank: int = 20_000,
        start_rank: int = 2500,
        start_iter: int = 100,
        batch: int = 500,
        n_iter: int = 5000,
        epochs: int = 5,
        reg: float = 0.05,
        lr: float = 500.0,
    ) -> None:
        self.max_rank = max_rank
        self.start_rank = start_rank
        self.start_iter = start_iter
        self.batch = batch
        self.n_iter = n_iter
        self.epochs = epochs
        self.reg = reg
        self.lr = lr

    def _find_map(self, X: Matrix, Z: Matrix, rng: np.random.Generator, progress: Progress) -> LinearMap:
        return map_by_wasserstein(X, Z, rng=rng, progress=progress, **self.get_params())
