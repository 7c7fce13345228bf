"""A map of queries that gives the same ranking of the old index as mapping the index."""

from isoalign.maps import AbstractMap, MatrixMap
from isoalign.migration._methods._grid import with_grid
from isoalign.migration._methods._ridge import RIDGES, ridge_solution
from isoalign.migration._pairs import PairedRows

__all__ = ["fit_adjoint"]


@with_grid(ridge=RIDGES)
def fit_adjoint(pairs: PairedRows, *, ridge: float = 0.1) -> AbstractMap:
    r"""Fit a map W from target to source, shrunk towards the rotation, and apply its transpose.

    .. math:: x \mapsto x W^\top, \quad (x W^\top) \cdot y = x \cdot (y W)

    The inner product of a mapped query with a stored vector y is that of the query with the mapped y. So ranking is
    that of a mapped index, up to the lengths of its vectors, while the index is not changed. Offsets would add the
    same number to the score of every stored vector, so there are none.
    """
    backward = pairs.swapped
    return pairs.finish(MatrixMap(ridge_solution(backward, ridge, towards=backward.rotation).T))
