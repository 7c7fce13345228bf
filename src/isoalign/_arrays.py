"""Small operations on matrices whose rows are words."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from isoalign._types import Matrix

__all__ = ["BLOCK_ROWS", "column_mean", "row_blocks", "row_lengths", "unit_rows"]

BLOCK_ROWS = 8192
"""Rows handled at once where a whole matrix would need too much memory."""


def row_blocks(n: int, size: int = BLOCK_ROWS) -> Iterator[slice]:
    """Yield slices that cover ``range(n)`` in order."""
    for start in range(0, n, size):
        yield slice(start, min(start + size, n))


def row_lengths(X: Matrix) -> NDArray[np.float64]:
    """Return the Euclidean length of every row, (n,), summed in float64."""
    lengths = np.empty(len(X))
    for rows in row_blocks(len(X)):
        block = X[rows].astype(np.float64)
        lengths[rows] = np.sqrt(np.einsum("ij,ij->i", block, block))
    return lengths


def column_mean(X: Matrix) -> NDArray[np.float64]:
    """Return the mean row, (dim,), summed in float64."""
    total = np.zeros(X.shape[1])
    for rows in row_blocks(len(X)):
        total += X[rows].sum(axis=0, dtype=np.float64)
    return total / max(len(X), 1)


def unit_rows(X: Matrix) -> Matrix:
    """Return a copy whose rows have length one; zero rows stay zero."""
    result = np.empty(X.shape, dtype=np.float32)
    for rows in row_blocks(len(X)):
        lengths = row_lengths(X[rows])
        lengths[lengths == 0] = 1
        np.divide(X[rows], lengths[:, None], out=result[rows], casting="unsafe")
    return result
