"""Match the points of two spaces by their inner products: a quadratic assignment, solved by exchanges."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from isoalign._core.types import IntVector

__all__ = ["Assignment", "assign_points"]

_LEAST_GAIN = 1e-9  # of the largest possible value; smaller ones are rounding errors, and might go in circles


class Assignment(NamedTuple):
    """For every row of the first matrix its row of the second one, and the value of the objective."""

    columns: IntVector
    value: float


def assign_points(
    A: NDArray[np.float64], B: NDArray[np.float64], *, n_starts: int, rng: np.random.Generator
) -> Assignment:
    r"""Return the permutation with the largest :math:`\sum_{ij} A_{ij} B_{p_i p_j}` among those found.

    From every random permutation, the exchange of two rows with the largest gain follows until none helps. All starts
    proceed at the same time, so a thousand of them take no longer than thirty of a general solver, and find a better
    optimum.

    Parameters
    ----------
    A, B
        Symmetric matrices (n, n).
    n_starts
        Number of random permutations.
    rng
        Random generator.
    """
    permutations = rng.permuted(np.tile(np.arange(len(A)), (n_starts, 1)), axis=1)
    least_gain = _LEAST_GAIN * np.linalg.norm(A) * np.linalg.norm(B)
    live = np.arange(n_starts)
    while len(live):
        gains = _exchange_gains(A, _reorder(B, permutations[live])).reshape(len(live), -1)
        best = gains.argmax(axis=1)
        better = gains[np.arange(len(live)), best] > least_gain
        live = live[better]
        i, j = np.divmod(best[better], len(A))
        permutations[live, i], permutations[live, j] = permutations[live, j], permutations[live, i]
    values = (A * _reorder(B, permutations)).sum(axis=(1, 2))
    return Assignment(permutations[values.argmax()], float(values.max()))


def _reorder(B: NDArray[np.float64], permutations: IntVector) -> NDArray[np.float64]:
    """Return B in every order, (starts, n, n)."""
    return B[permutations[:, :, None], permutations[:, None, :]]


def _exchange_gains(A: NDArray[np.float64], B: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return what exchanging rows i and j of each B (starts, n, n) would gain, (starts, n, n)."""
    products = A @ B
    same = np.diagonal(products, axis1=1, axis2=2)
    a, b = np.diagonal(A), np.diagonal(B, axis1=1, axis2=2)
    own = (a[:, None] - A) * (B - b[:, :, None])  # the two exchanged rows themselves
    gains = products - own - same[:, :, None]
    twice: NDArray[np.float64] = 2 * (gains + gains.swapaxes(1, 2))
    twice += (a[:, None] - a) * (b[:, None, :] - b[:, :, None])
    return twice
