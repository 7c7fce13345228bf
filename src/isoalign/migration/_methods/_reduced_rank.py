"""Linear regression through few directions of the target."""

import numpy as np

from isoalign._core.threads import single_threaded_blas
from isoalign.maps import AbstractMap
from isoalign.migration._methods._grid import with_grid
from isoalign.migration._methods._ridge import RIDGES, ridge_solution
from isoalign.migration._pairs import PairedRows

__all__ = ["fit_reduced_rank"]


@with_grid(ridge=RIDGES, share=(0.25, 0.5, 0.75, 1.0))
def fit_reduced_rank(pairs: PairedRows, *, ridge: float = 0.1, share: float = 0.75) -> AbstractMap:
    r"""Fit a ridge map and project it onto the strongest directions of the fitted values.

    .. math:: W V_r V_r^\top, \quad V \text{ the eigenvectors of } W^\top (X^\top X + \lambda I) W

    Parameters
    ----------
    pairs
        The rows.
    ridge
        Penalty in units of the mean eigenvalue.
    share
        Rank as a share of the largest possible one.
    """
    W = ridge_solution(pairs, ridge)
    rank = max(1, round(share * min(W.shape)))
    fitted = W.T @ pairs.scatter @ W + pairs.penalty(ridge) * (W.T @ W)
    with single_threaded_blas():
        strongest = np.linalg.eigh(fitted)[1][:, -rank:]
    return pairs.finish(pairs.affine(W @ strongest @ strongest.T))
