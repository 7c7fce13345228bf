"""The rotation that brings paired rows closest together."""

import numpy as np

from isoalign._types import Matrix
from isoalign.alignment._base import AbstractDirectAligner, LinearMap, Maps

__all__ = ["Procrustes", "orthogonal_map"]


def orthogonal_map(X: Matrix, Y: Matrix) -> LinearMap:
    r"""Return the orthogonal W that minimises :math:`\lVert X W - Y \rVert_F`.

    .. math:: W = U V^\top, \quad U S V^\top = \mathrm{svd}(X^\top Y)

    Every pair counts, so a word with two translations counts twice.

    Parameters
    ----------
    X, Y
        Paired rows (p, dim).
    """
    U, _, Vt = np.linalg.svd(X.astype(np.float64).T @ Y.astype(np.float64))
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

    def _solve(self, X: Matrix, Y: Matrix) -> Maps:
        return Maps(orthogonal_map(X, Y))
