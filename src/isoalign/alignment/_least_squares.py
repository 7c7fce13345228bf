"""The linear map, rotation or not, that brings paired rows closest together."""

import numpy as np

from isoalign._core.types import LinearMap, Matrix
from isoalign._core.validate import check_number
from isoalign.alignment._base import AbstractDirectAligner, Maps
from isoalign.alignment._problem import Problem
from isoalign.errors import ParameterError
from isoalign.maps import IdentityMap, MatrixMap

__all__ = ["LeastSquares", "least_squares_map"]


def least_squares_map(X: Matrix, Y: Matrix, *, ridge: float = 0.0) -> LinearMap:
    r"""Return W that minimises :math:`\lVert X W - Y \rVert_F^2 + \lambda \lVert W \rVert_F^2`.

    Without ridge and with fewer independent pairs than columns, the W of smallest norm is returned.

    Parameters
    ----------
    X, Y
        Paired rows (p, d_s) and (p, d_t).
    ridge
        :math:`\lambda`.
    """
    X64, Y64 = X.astype(np.float64), Y.astype(np.float64)
    if ridge:
        W = np.linalg.solve(X64.T @ X64 + ridge * np.eye(X.shape[1]), X64.T @ Y64)
    else:
        W = np.linalg.lstsq(X64, Y64, rcond=None)[0]
    return W.astype(np.float64, copy=False)


class LeastSquares(AbstractDirectAligner):
    r"""Map source vectors onto target vectors by linear regression; the two sides may differ in dimension.

    .. math:: W = \underset{W}{\mathrm{arg\,min}} \lVert X W - Y \rVert_F^2 + \lambda \lVert W \rVert_F^2

    Parameters
    ----------
    ridge
        :math:`\lambda`; 0 is plain least squares.

    References
    ----------
    Mikolov, Le, Sutskever (2013).
    """

    same_dim = False

    weighs_pairs = True

    def __init__(self, ridge: float = 0.0) -> None:
        self.ridge = ridge

    def _solve(self, problem: Problem) -> Maps:
        if not check_number(self.ridge, name="ridge") >= 0:
            raise ParameterError(f"ridge must not be negative. Got {self.ridge!r}.")
        X, Y = problem.paired_rows()
        return Maps(MatrixMap(least_squares_map(X, Y, ridge=self.ridge)), IdentityMap(Y.shape[1]))
