"""Linear regression, shrunk towards a rotation."""

from isoalign.maps import AbstractMap
from isoalign.migration._methods._grid import with_grid
from isoalign.migration._methods._ridge import RIDGES, ridge_solution
from isoalign.migration._pairs import PairedRows

__all__ = ["fit_shrunk"]


@with_grid(ridge=RIDGES)
def fit_shrunk(pairs: PairedRows, *, ridge: float = 0.3) -> AbstractMap:
    r"""Fit a linear map with a penalty on its distance from the rotation R of Procrustes.

    .. math:: W = (X^\top X + \lambda I)^{-1} (X^\top Y + \lambda R)

    Directions with little evidence are rotated instead of being shrunk to zero.
    """
    return pairs.finish(pairs.affine(ridge_solution(pairs, ridge, towards=pairs.rotation)))
