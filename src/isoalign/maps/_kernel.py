r"""Kernel correction: learn the residuals of a linear map as a smooth function on the space.

With anchors :math:`u_i` of unit length, their residuals :math:`r_i` and :math:`k(a, b) = \exp((a \cdot b - 1) / h)`,

.. math:: \alpha = (K + \lambda I)^{-1} R, \qquad u'(x) = \mathrm{unit}\Big(u(x) + \sum_i k(u(x), u_i)\, \alpha_i\Big)
"""

import numpy as np
import scipy  # imports linalg on first use, which only fitting needs
from numpy.typing import NDArray

from isoalign._core.arrays import row_blocks, unit_rows
from isoalign._core.spill import copy_rows
from isoalign._core.threads import map_threads, single_threaded_blas
from isoalign._core.types import IntVector, Matrix, RowPairs

__all__ = [
    "MAX_ANCHORS",
    "add_correction",
    "apply_correction",
    "fit_correction",
    "left_out_residuals",
    "mean_residuals",
]

MAX_ANCHORS = 10_000
"""Number of anchors up to which the system is solved exactly; its matrix then takes 800 MB."""

_SAME = 1e-5  # rows whose cosine differs from one by at most this are equal up to rounding
_BLOCK = 256  # rows at once: a block of kernel values stays in the cache


def mean_residuals(U: Matrix, V: Matrix, pairs: RowPairs) -> tuple[IntVector, Matrix]:
    """Return the distinct source rows of a dictionary and their differences to the means of their translations.

    Parameters
    ----------
    U, V
        Both mapped spaces (n, p) and (m, p).
    pairs
        Row pairs of translations; a repeated pair counts once.
    """
    pairs = np.unique(pairs, axis=0)
    sources, starts, counts = np.unique(pairs[:, 0], return_index=True, return_counts=True)
    means = np.add.reduceat(V[pairs[:, 1]], starts, axis=0, dtype=np.float64) / counts[:, None]
    return sources, (means - U[sources]).astype(np.float32)


def fit_correction(
    anchors: Matrix, residuals: Matrix, *, bandwidth: float, penalty: float, max_anchors: int = MAX_ANCHORS
) -> tuple[Matrix, Matrix]:
    r"""Return the anchors in use and their coefficients :math:`\alpha`.

    Above ``max_anchors``, kernels are placed at that many evenly spaced anchors and fitted to all residuals (Nyström,
    subset of regressors): :math:`\alpha = (K_{mn} K_{nm} + \lambda K_{mm})^{-1} K_{mn} R`.

    Parameters
    ----------
    anchors
        Rows of unit length, (n, p).
    residuals
        Desired correction at the anchors, (n, p).
    bandwidth
        h.
    penalty
        :math:`\lambda`, positive.
    max_anchors
        Maximum number of kernels.
    """
    if len(anchors) > max_anchors:
        return _fit_fewer(anchors, residuals, bandwidth, penalty, max_anchors)
    factor = _factorize(anchors, bandwidth, penalty)
    return anchors, _solve(factor, residuals).astype(np.float32)


def apply_correction(
    X: Matrix, anchors: Matrix, coefficients: Matrix, *, bandwidth: float, omit_self: bool = False
) -> Matrix:
    """Return corrected rows, scaled to unit length.

    Parameters
    ----------
    X
        Mapped rows of unit length, (n, p).
    anchors, coefficients
        As returned by :func:`fit_correction`.
    bandwidth
        h.
    omit_self
        Correct a row that is an anchor by the other anchors only. A dictionary word is then mapped like any other
        word, and not onto its known translations.
    """
    corrected = copy_rows(X)
    add_correction(corrected, X, anchors, coefficients, bandwidth=bandwidth, omit_self=omit_self)
    return unit_rows(corrected, out=corrected)


def add_correction(
    rows: Matrix, U: Matrix, anchors: Matrix, coefficients: Matrix, *, bandwidth: float, omit_self: bool = False
) -> None:
    r"""Add :math:`\sum_i k(u, u_i)\, \alpha_i` to rows (n, q) in place.

    Parameters
    ----------
    rows
        The rows to correct; may have a different number of columns than the anchors.
    U
        The same items in the space of the kernel: rows of unit length, (n, p).
    anchors, coefficients
        (m, p) and (m, q).
    bandwidth, omit_self
        As for :func:`apply_correction`.
    """

    def correct(block: slice) -> None:
        values = _kernel(U[block], anchors, bandwidth)
        if omit_self:
            values[values > np.exp(-_SAME / bandwidth)] = 0
        rows[block] += values @ coefficients

    if len(U) <= _BLOCK:
        correct(slice(0, len(U)))
    else:
        with single_threaded_blas():
            map_threads(correct, row_blocks(len(U), _BLOCK))


def left_out_residuals(anchors: Matrix, residuals: Matrix, *, bandwidth: float, penalty: float) -> Matrix:
    r"""Return the residual of every anchor minus the correction by all other anchors.

    .. math:: r_i - \hat r_{-i} = \alpha_i \,/\, \big[(K + \lambda I)^{-1}\big]_{ii}

    This takes one Cholesky factor and its inverse instead of n fits. These are the residuals of new words only if the
    linear map has not seen the words either.

    Parameters
    ----------
    anchors, residuals, bandwidth, penalty
        As for :func:`fit_correction`.
    """
    factor = _factorize(anchors, bandwidth, penalty)
    coefficients = _solve(factor, residuals)
    inverse, _ = scipy.linalg.lapack.dtrtri(factor, lower=1, overwrite_c=1)
    diagonal = np.array([column[i:] @ column[i:] for i, column in enumerate(inverse.T)])
    residuals_without: Matrix = (coefficients / diagonal[:, None]).astype(np.float32)
    return residuals_without


def _kernel(X: Matrix, anchors: Matrix, bandwidth: float) -> Matrix:
    values: Matrix = X @ anchors.T
    values -= np.float32(1)
    values *= np.float32(1 / bandwidth)
    np.exp(values, out=values)
    return values


def _fill_kernel(out: NDArray[np.float64], X: Matrix, anchors: Matrix, bandwidth: float) -> None:
    """Write kernel values to ``out``, (n, anchors)."""

    def fill(rows: slice) -> None:
        out[rows] = _kernel(X[rows], anchors, bandwidth)

    with single_threaded_blas():
        map_threads(fill, row_blocks(len(X), _BLOCK))


def _factorize(anchors: Matrix, bandwidth: float, penalty: float) -> NDArray[np.float64]:
    """Return the lower Cholesky factor of the kernel matrix plus the penalty; the upper triangle is undefined."""
    K = np.empty((len(anchors), len(anchors)))
    _fill_kernel(K, anchors, anchors, bandwidth)
    K.flat[:: len(K) + 1] = 1 + penalty  # exactly symmetric values are not needed: only one triangle is read
    factor: NDArray[np.float64] = scipy.linalg.cho_factor(K.T, lower=True, overwrite_a=True, check_finite=False)[0]
    return factor


def _solve(factor: NDArray[np.float64], R: Matrix, *, lower: bool = True) -> NDArray[np.float64]:
    solution: NDArray[np.float64] = scipy.linalg.cho_solve((factor, lower), R.astype(np.float64), check_finite=False)
    return solution


def _fit_fewer(
    anchors: Matrix, residuals: Matrix, bandwidth: float, penalty: float, max_anchors: int
) -> tuple[Matrix, Matrix]:
    chosen = anchors[np.linspace(0, len(anchors) - 1, max_anchors).round().astype(np.int64)]
    A = np.empty((max_anchors, max_anchors))
    _fill_kernel(A, chosen, chosen, bandwidth)
    A *= penalty
    right = np.zeros((max_anchors, residuals.shape[1]))
    for rows in row_blocks(len(anchors), 4 * _BLOCK):
        values = _kernel(anchors[rows], chosen, bandwidth)
        right += values.T @ residuals[rows]
        for columns in row_blocks(max_anchors, 4 * _BLOCK):
            A[columns] += values[:, columns].T @ values
    factor, lower = _factorize_rounded(A)
    return chosen, _solve(factor, right.astype(np.float32), lower=lower).astype(np.float32)


def _factorize_rounded(A: NDArray[np.float64]) -> tuple[NDArray[np.float64], bool]:
    """Factorise a positive matrix of products in float32, which rounding may turn negative where anchors are equal.

    Then about twice the rounding errors is added to the diagonal. The first attempt overwrites the diagonal and one
    triangle; the second uses the other one.
    """
    diagonal = A.diagonal().copy()
    try:
        return scipy.linalg.cho_factor(A.T, lower=True, overwrite_a=True, check_finite=False)[0], True
    except np.linalg.LinAlgError:
        rounding = 2 * np.finfo(np.float32).eps * diagonal.max() * np.sqrt(len(A))
    A.flat[:: len(A) + 1] = diagonal + 2 * rounding
    return scipy.linalg.cho_factor(A.T, lower=False, overwrite_a=True, check_finite=False)[0], False
