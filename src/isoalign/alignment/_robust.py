"""A rotation that is robust to wrong pairs."""

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

    The sum contains distances instead of their squares, so a wrong pair has no more influence than a correct one. It is
    minimised by repeated rotations with the weights
    :math:`w_i = p_i / \max(\lVert x_i W - y_i \rVert, \varepsilon)`; no round increases the sum.

    Parameters
    ----------
    X, Y
        Paired rows (p, dim).
    prior
        :math:`p_i`, the given weights of the pairs, (p,). None for equal weights.
    epsilon
        Distances below this one count as this one.
    max_iter
        Maximum number of rounds.
    tol
        Stop when the sum decreases by less than this share.

    Returns
    -------
    W
        (dim, dim).
    weights
        (p,), with mean one; lowest for the pairs that fit worst.
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
    r"""Rotate source vectors onto target vectors, minimising distances instead of squared distances.

    .. math:: W = \underset{W^\top W = I}{\mathrm{arg\,min}} \sum_i \lVert x_i W - y_i \rVert

    Parameters
    ----------
    epsilon
        Distances below this one count as this one.

    Attributes
    ----------
    weights_
        (p,), with mean one; lowest for the pairs that fit worst, which are often mistakes in the dictionary.
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
