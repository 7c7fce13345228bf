"""The rotation that pairs agree on, however wrong some of them are."""

import numpy as np

from isoalign._core.arrays import row_lengths
from isoalign._core.types import DoubleVector, LinearMap, Matrix
from isoalign._core.validate import check_number
from isoalign.alignment._base import AbstractDirectAligner, Maps
from isoalign.alignment._problem import Problem
from isoalign.alignment._procrustes import nearest_rotation
from isoalign.errors import ParameterError
from isoalign.maps import IdentityMap, MatrixMap

__all__ = ["RobustProcrustes", "robust_rotation"]


def robust_rotation(
    X: Matrix,
    Y: Matrix,
    *,
    prior: DoubleVector | None = None,
    epsilon: float = 1e-3,
    max_iter: int = 100,
    tol: float = 1e-7,
) -> tuple[LinearMap, DoubleVector]:
    r"""Return an orthogonal W that minimises :math:`\sum_i p_i \lVert x_i W - y_i \rVert`, and the pairs' weights.

    Lengths instead of squares: a wrong pair pulls no harder than a right one. Rotations with the weights
    :math:`w_i = p_i / \max(\lVert x_i W - y_i \rVert, \varepsilon)` are repeated; no round raises the sum.

    Parameters
    ----------
    X, Y
        Paired rows (p, dim).
    prior
        :math:`p_i`, how much every pair counts, (p,). None: all alike.
    epsilon
        Distances below this one count as this one.
    max_iter
        Rounds at most.
    tol
        Stop when the sum falls by less than this share of itself.

    Returns
    -------
    W
        (dim, dim).
    weights
        (p,), their mean is one; the lowest belong to the pairs that fit least.
    """
    prior = np.ones(len(X)) if prior is None else prior.astype(np.float64)
    weights, before = prior, np.inf
    for _ in range(max_iter):
        W = nearest_rotation((X * weights[:, None]).T @ Y.astype(np.float64))
        distances = np.maximum(row_lengths(X @ W - Y), epsilon)
        weights, total = prior / distances, float(prior @ distances)
        if before - total < tol * total:
            break
        before = total
    return W, weights / weights.mean()


class RobustProcrustes(AbstractDirectAligner):
    r"""Rotate source vectors onto target vectors by lengths instead of squares, so that wrong pairs pull little.

    .. math:: W = \underset{W^\top W = I}{\mathrm{arg\,min}} \sum_i \lVert x_i W - y_i \rVert

    Parameters
    ----------
    epsilon
        Distances below this one count as this one.

    Attributes
    ----------
    weights_
        (p,), with mean one; the lowest belong to the pairs that fit least, often mistakes of the dictionary.
    """

    weights_: DoubleVector

    weighs_pairs = True

    def __init__(self, epsilon: float = 1e-3) -> None:
        self.epsilon = epsilon

    def _solve(self, problem: Problem) -> Maps:
        if not check_number(self.epsilon, name="epsilon") > 0:
            raise ParameterError(f"epsilon must be positive. Got {self.epsilon!r}.")
        pairs = problem.known_pairs
        X, Y = problem.X[pairs[:, 0]], problem.Y[pairs[:, 1]]
        W, self.weights_ = robust_rotation(X, Y, prior=problem.weights, epsilon=self.epsilon)
        return Maps(MatrixMap(W), IdentityMap(Y.shape[1]))
