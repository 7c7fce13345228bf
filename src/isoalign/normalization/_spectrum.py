"""Second moments of rows: covariance, and the eigenvalues that tell how normalisation will go."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from isoalign._arrays import column_mean, row_blocks
from isoalign._types import IntVector, Matrix

__all__ = ["Spectrum", "covariance", "unit_spectrum"]

_SAMPLE_ROWS = 8192
_BLOCK_ROWS = 2048
_LEADING = 16
_RANK_ONE = 1e-10  # second eigenvalue of rows of length one that differ only by float32 rounding: about 1e-14


class Spectrum(NamedTuple):
    """What the eigenvalues of ``XᵀX/n`` say.

    Attributes
    ----------
    largest
        The largest eigenvalue.
    rank_one
        Whether every row is a multiple of one direction (or zero).
    """

    largest: float
    rank_one: bool


def covariance(X: Matrix) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the mean row (dim,) and the covariance (dim, dim) of the rows, divided by n."""
    mean = column_mean(X)
    return mean, _moment(X, np.arange(len(X)), mean)


def unit_spectrum(X: Matrix) -> Spectrum:
    """Measure the spectrum of ``XᵀX/n`` for rows of length one.

    Up to 8,192 rows the eigenvalue is exact. Beyond, the 16 leading directions of 8,192 evenly spaced rows are
    measured on all rows (Rayleigh–Ritz): a lower bound whose error is of second order in the error of the
    directions, at a small part of the cost of the whole product.
    """
    every_row = np.arange(len(X))
    if len(X) <= _SAMPLE_ROWS:
        values = np.linalg.eigvalsh(_moment(X, every_row))
        return Spectrum(float(values[-1]), _is_rank_one(values))
    sample = np.linspace(0, len(X) - 1, _SAMPLE_ROWS).astype(np.int64)
    values, directions = np.linalg.eigh(_moment(X, sample))
    # A sample of rank one proves nothing about the other rows.
    rank_one = _is_rank_one(values) and _is_rank_one(np.linalg.eigvalsh(_moment(X, every_row)))
    leading = directions[:, -_LEADING:].astype(np.float32)
    projected = np.zeros((leading.shape[1], leading.shape[1]))
    for rows in row_blocks(len(X)):
        coordinates = X[rows] @ leading
        projected += coordinates.T @ coordinates
    return Spectrum(float(np.linalg.eigvalsh(projected)[-1]) / len(X), rank_one)


def _is_rank_one(values: NDArray[np.floating[Any]]) -> bool:
    return len(values) == 1 or bool(values[-2] <= _RANK_ONE)


def _moment(X: Matrix, rows: IntVector, mean: NDArray[np.float64] | float = 0.0) -> NDArray[np.float64]:
    """Return the second moment about ``mean`` of the given rows, gathered a block at a time."""
    moment = np.zeros((X.shape[1], X.shape[1]))
    for block in row_blocks(len(rows), _BLOCK_ROWS):
        centered = np.subtract(X[rows[block]], mean, dtype=np.float64)
        moment += centered.T @ centered
    return moment / max(len(rows), 1)
