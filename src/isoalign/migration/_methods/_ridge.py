"""Regularised linear regression between models."""

import numpy as np

from isoalign._core.types import LinearMap
from isoalign.maps import AbstractMap
from isoalign.migration._methods._grid import with_grid
from isoalign.migration._pairs import PairedRows

__all__ = ["RIDGES", "fit_ridge", "ridge_solution"]

RIDGES = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0)


def ridge_solution(pairs: PairedRows, ridge: float, *, towards: LinearMap | None = None) -> LinearMap:
    r"""Return :math:`(X^\top X + \lambda I)^{-1} (X^\top Y + \lambda W_0)` of centred rows.

    Parameters
    ----------
    pairs
        The rows.
    ridge
        :math:`\lambda` in units of the mean eigenvalue of :math:`X^\top X`; 0 is the smallest least-squares solution.
    towards
        :math:`W_0`; None is zero.
    """
    values, vectors = pairs.spectrum
    penalty = pairs.penalty(ridge)
    right = pairs.cross if towards is None else pairs.cross + penalty * towards
    damped = values + penalty
    known = damped > values[-1] * len(values) * np.finfo(np.float64).eps
    inverse = np.divide(1.0, damped, where=known, out=np.zeros_like(damped))
    W: LinearMap = (vectors * inverse) @ (vectors.T @ right)
    return W


@with_grid(ridge=RIDGES)
def fit_ridge(pairs: PairedRows, *, ridge: float = 0.1) -> AbstractMap:
    """Fit a linear map with a penalty on its size; see `ridge_solution`."""
    return pairs.finish(pairs.affine(ridge_solution(pairs, ridge)))
