"""The rotation that brings paired rows closest together."""

import numpy as np

from isoalign._core.types import LinearMap, Matrix
from isoalign.alignment._base import AbstractDirectAligner, Maps
from isoalign.alignment._problem import Problem
from isoalign.maps import IdentityMap, MatrixMap

__all__ = ["Procrustes", "nearest_rotation", "orthogonal_map"]


def orthogonal_map(X: Matrix, Y: Matrix) -> LinearMap:
    r"""Return the orthogonal W that minimises :math:`\lVert X W - Y \rVert_F`.

    .. math:: W = U V^\top, \quad U S V^\top = \mathrm{svd}(X^\top Y)

    Every pair counts, so a word with two translations counts twice.

    Parameters
    ----------
    X, Y
        Paired rows (p, dim).
    """
    return nearest_rotation(X.astype(np.float64).T @ Y.astype(np.float64))


def nearest_rotation(M: LinearMap) -> LinearMap:
    r"""Return the orthogonal matrix nearest to M, which also maximises :math:`\mathrm{tr}(W^\top M)`."""
    U, _, Vt = np.linalg.svd(M, full_matrices=False)
    W: LinearMap = U @ Vt
    return W


class Procrustes(AbstractDirectAligner):
    r"""Rotate source vectors onto target vectors.

    .. math:: W = \underset{W^\top W = I}{\mathrm{arg\,min}} \lVert X W - Y \rVert_F

    References
    ----------
    Schönemann (1966); Xing, Wang, Liu, Lin (2015); Artetxe, Labaka, Agirre (2016).

    Examples
    --------
    >>> X = np.array([[1, 0], [0, 1]], dtype=np.float32)
    >>> Procrustes().fit(X, X[::-1]).transform(X)
    array([[0., 1.],
           [1., 0.]], dtype=float32)
    """

    weighs_pairs = True

    def _solve(self, problem: Problem) -> Maps:
        X, Y = problem.paired_rows()
        return Maps(MatrixMap(orthogonal_map(X, Y)), IdentityMap(Y.shape[1]))
