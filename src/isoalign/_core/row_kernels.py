"""Compiled loops over the rows of a matrix; `arrays` calls them, on several threads."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from isoalign._core.compile import SUM_FLAGS, compiled
from isoalign._core.types import Matrix, MatrixLike

__all__ = ["measure_rows", "scale_rows"]


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
def scale_rows(X: MatrixLike, out: Matrix) -> None:
    """Write the rows of X, scaled to unit length, to ``out``, which may be X itself; zero rows stay zero."""
    for i in range(X.shape[0]):
        length = _length(X[i])
        scale = 1.0 / length if length > 0.0 else 0.0
        for column in range(X.shape[1]):
            out[i, column] = np.float32(X[i, column] * scale)
