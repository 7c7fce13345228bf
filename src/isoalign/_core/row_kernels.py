"""Compiled loops over the rows of a matrix; `arrays` calls them, on several threads."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from isoalign._core.compile import SUM_FLAGS, compiled
from isoalign._core.types import Matrix, MatrixLike

__all__ = ["average_rows", "measure_rows", "scale_own_rows", "scale_rows", "shift_and_scale_rows"]


@compiled(fastmath=SUM_FLAGS)
def _length(row: Any) -> Any:
    square = 0.0
    for column in range(row.shape[0]):
        value = np.float64(row[column])
        square += value * value
    return np.sqrt(square)


@compiled()
def measure_rows(X: MatrixLike, lengths: NDArray[np.float64]) -> None:
    """Write the length of every row, summed in float64, to ``lengths`` (n,)."""
    for i in range(X.shape[0]):
        lengths[i] = _length(X[i])


@compiled()
def average_rows(X: MatrixLike, rows: NDArray[np.int64], out: NDArray[np.float64]) -> None:
    """Write to ``out`` (n, dim) the means of rows of X; ``rows`` (n, k) lists those of each mean."""
    for i in range(rows.shape[0]):
        for column in range(X.shape[1]):
            out[i, column] = X[rows[i, 0], column]
        for place in range(1, rows.shape[1]):
            for column in range(X.shape[1]):
                out[i, column] += X[rows[i, place], column]
        for column in range(X.shape[1]):
            out[i, column] /= rows.shape[1]


@compiled()
def _scale(row: Any) -> Any:
    length = _length(row)
    return 1.0 / length if length > 0.0 else 0.0


@compiled()
def scale_rows(X: MatrixLike, out: Matrix) -> None:
    """Write the rows of X, scaled to unit length, to ``out``, which may be X itself; zero rows stay zero."""
    for i in range(X.shape[0]):
        scale = _scale(X[i])
        for column in range(X.shape[1]):
            out[i, column] = np.float32(X[i, column] * scale)


@compiled()
def scale_own_rows(X: Matrix) -> None:
    """Do the same in place, in half the time that `scale_rows` takes if ``out`` is X."""
    for i in range(X.shape[0]):
        scale = _scale(X[i])
        for column in range(X.shape[1]):
            X[i, column] = np.float32(X[i, column] * scale)


@compiled()
def shift_and_scale_rows(X: Matrix, offset: NDArray[np.float32]) -> None:
    """Add the offset to every row of X, then scale the row to unit length, in place."""
    for i in range(X.shape[0]):
        for column in range(X.shape[1]):
            X[i, column] += offset[column]
        scale = _scale(X[i])
        for column in range(X.shape[1]):
            X[i, column] = np.float32(X[i, column] * scale)
