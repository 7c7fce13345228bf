"""The rotation with the lowest cost of transporting one cloud of words to the other."""

import numpy as np
from numpy.typing import NDArray

from isoalign._core.optional import import_extra
from isoalign._core.types import LinearMap, Matrix
from isoalign._core.validate import check_count, check_same_dim
from isoalign.alignment._procrustes import nearest_rotation, orthogonal_map
from isoalign.alignment.starts._map_start import AbstractMapStart

__all__ = ["Wasserstein", "map_by_wasserstein"]

Plan = NDArray[np.float64]


def map_by_wasserstein(
    X: Matrix,
    Z: Matrix,
    *,
    rng: np.random.Generator,
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
    W = _convex_start(X, Z, min(len(X), len(Z), start_rank), start_iter, reg)
    largest = min(len(X), len(Z), max_rank)
    for epoch in range(epochs):
        size = min(batch * 2**epoch, largest)
        for _ in range(n_iter // 4**epoch):
            A = X[rng.choice(min(len(X), max_rank), size, replace=False)].astype(np.float64)
            B = Z[rng.choice(min(len(Z), max_rank), size, replace=False)].astype(np.float64)
            plan = _transport(-(A @ W) @ B.T, reg)
            W = nearest_rotation(W + lr * (A.T @ plan @ B))
    return W


def _convex_start(X: Matrix, Z: Matrix, size: int, n_iter: int, reg: float) -> LinearMap:
    """Minimise the distance of permuted Gram matrices over doubly stochastic matrices by Frank–Wolfe.

    Between centred spaces the uniform matrix is also a minimum, which a uniform start never leaves. The search
    therefore begins at the plan between sorted rows of both Gram matrices.
    """
    A, B = X[:size].astype(np.float64), Z[:size].astype(np.float64)
    B *= np.sqrt(np.linalg.norm(A.T @ A) / np.linalg.norm(B.T @ B))  # now both Gram matrices have the same norm
    P = size * _transport(_squared_distances(np.sort(A @ A.T, axis=1), np.sort(B @ B.T, axis=1)), reg)
    residual = A @ (A.T @ P) - (P @ B) @ B.T
    for _ in range(n_iter):
        gradient = A @ (A.T @ residual) - (residual @ B) @ B.T
        step = size * _transport(gradient, reg) - P
        change = A @ (A.T @ step) - (step @ B) @ B.T
        length = -float(np.vdot(residual, change)) / max(float(np.vdot(change, change)), np.finfo(np.float64).tiny)
        if length <= 0:
            break
        P += min(length, 1.0) * step
        residual += min(length, 1.0) * change
    return orthogonal_map(A.astype(np.float32), (P @ B).astype(np.float32))


def _squared_distances(A: Plan, B: Plan) -> Plan:
    """Return the squared Euclidean distances of all rows, (n, m)."""
    distances: Plan = (A**2).sum(axis=1)[:, None] + (B**2).sum(axis=1) - 2 * A @ B.T
    return distances


def _transport(cost: Plan, reg: float) -> Plan:
    """Return the entropic transport plan between uniform weights, (n, m), of mass 1."""
    ot = import_extra("ot", extra="ot")
    cost = cost - cost.min(axis=1, keepdims=True)  # does not change the plan, and prevents overflow
    cost -= cost.min(axis=0, keepdims=True)
    n, m = cost.shape
    plan: Plan = ot.sinkhorn(np.full(n, 1 / n), np.full(m, 1 / m), cost, reg, numItermax=100, stopThr=1e-6, warn=False)
    return plan


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

    def _find_map(self, X: Matrix, Z: Matrix, rng: np.random.Generator) -> LinearMap:
        return map_by_wasserstein(X, Z, rng=rng, **self.get_params())
