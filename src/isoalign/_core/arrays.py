"""Basic operations on matrices whose rows are words."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from isoalign._core.spill import empty_rows
from isoalign._core.threads import map_threads, single_threaded_blas
from isoalign._core.types import FloatVector, IntVector, Matrix, MatrixLike

__all__ = [
    "BLOCK_ROWS",
    "column_mean",
    "mean_rows",
    "multiply",
    "principal_plane",
    "row_blocks",
    "row_lengths",
    "shift_to_unit",
    "unique_rows",
    "unit_rows",
]

BLOCK_ROWS = 8192
"""Block size, in rows, for operations that would need too much memory on a whole matrix."""

_TASK_ROWS = 2048  # rows that a thread takes at a time
_TASK_MEANS = 256  # means of about ten rows
_TASK_PRODUCT = 2**17  # values of the left factor that a thread takes at a time,
_FEWEST_ROWS = 128  # but at least this many rows: BLAS copies the right factor for every task


def row_blocks(n: int, size: int = BLOCK_ROWS) -> Iterator[slice]:
    """Yield slices that cover ``range(n)`` in order."""
    for start in range(0, n, size):
        yield slice(start, min(start + size, n))


def row_lengths(X: MatrixLike) -> NDArray[np.float64]:
    """Return the Euclidean length of every row, (n,), summed in float64."""
    from isoalign._core.row_kernels import measure_rows  # needs numba, which most of this module does not

    lengths = np.empty(len(X))
    map_threads(lambda rows: measure_rows(_for_kernel(X[rows]), lengths[rows]), row_blocks(len(X), _TASK_ROWS))
    return lengths


def column_mean(X: MatrixLike) -> NDArray[np.float64]:
    """Return the mean row, (dim,), summed in float64."""
    total = np.zeros(X.shape[1])
    for rows in row_blocks(len(X)):
        total += X[rows].sum(axis=0, dtype=np.float64)
    return total / max(len(X), 1)


def mean_rows(X: MatrixLike, rows: IntVector) -> NDArray[np.float64]:
    """Return the means of some rows of X, (n, dim), summed in float64; ``rows`` (n, k) lists those of each mean."""
    from isoalign._core.row_kernels import average_rows

    means = np.empty((len(rows), X.shape[1]))
    map_threads(lambda some: average_rows(X, rows[some], means[some]), row_blocks(len(rows), _TASK_MEANS))
    return means


def multiply(A: NDArray[np.float64], B: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return ``A @ B``, computed by our threads with one BLAS thread each.

    After a product of its own threads, OpenBLAS lets them spin for some 25 ms, which takes a core from whatever our
    threads do next. So steps that alternate products and searches use this function. Its values do not depend on the
    number of threads.
    """
    product = np.empty((len(A), B.shape[1]))
    blocks = row_blocks(len(A), max(_FEWEST_ROWS, _TASK_PRODUCT // max(len(B), 1)))
    with single_threaded_blas():
        map_threads(lambda rows: np.matmul(A[rows], B, out=product[rows]), blocks)
    return product


def principal_plane(X: Matrix) -> tuple[NDArray[np.float64], float]:
    """Project rows onto the two directions in which they vary most.

    Returns
    -------
    points, share
        (n, 2), and the share of the variance that they explain. The sign of each direction is chosen so that the
        largest coordinate is positive, which makes figures reproducible.
    """
    centered = X.astype(np.float64) - X.mean(axis=0, dtype=np.float64)
    U, S, _ = np.linalg.svd(centered, full_matrices=False)
    points: NDArray[np.float64] = np.zeros((len(X), 2))
    points[:, : len(S[:2])] = U[:, :2] * S[:2]
    strongest = points[np.abs(points).argmax(axis=0), [0, 1]]
    points *= np.where(strongest < 0, -1, 1)
    return points, float((S[:2] ** 2).sum() / ((S**2).sum() or 1))


def unique_rows(X: Matrix) -> tuple[IntVector, IntVector]:
    """Find rows that are bitwise equal.

    Returns
    -------
    first
        (u,): the first row of each set of equal rows, ascending.
    groups
        (n,): row ``i`` equals row ``first[groups[i]]``.
    """
    X = np.ascontiguousarray(X)
    as_bytes = X.view(np.dtype((np.void, X.itemsize * X.shape[1]))).ravel()
    _, first, groups = np.unique(as_bytes, return_index=True, return_inverse=True)
    order = np.argsort(first)
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    return first[order], place[groups.ravel()]


def unit_rows(X: MatrixLike, *, out: Matrix | None = None) -> Matrix:
    """Return the rows of X scaled to unit length; zero rows stay zero.

    Parameters
    ----------
    X
        (n, dim); not changed unless it is also ``out``.
    out
        Output matrix, which may be X itself; None allocates a new matrix.
    """
    from isoalign._core.row_kernels import scale_own_rows, scale_rows

    result = empty_rows(*X.shape) if out is None else out

    def scale(rows: slice) -> None:
        if out is X:
            scale_own_rows(result[rows])
        else:
            scale_rows(_for_kernel(X[rows]), result[rows])

    map_threads(scale, row_blocks(len(X), _TASK_ROWS))
    return result


def shift_to_unit(X: Matrix, offset: FloatVector | None) -> None:
    """Add an offset (dim,) to the rows of X, then scale them to unit length: in place, and in one pass."""
    from isoalign._core.row_kernels import shift_and_scale_rows

    if offset is None:
        unit_rows(X, out=X)
        return
    map_threads(lambda rows: shift_and_scale_rows(X[rows], offset), row_blocks(len(X), _TASK_ROWS))


def _for_kernel(X: MatrixLike) -> MatrixLike:
    """Return rows in a type that kernels support; float16 is converted."""
    return X if X.dtype in (np.float32, np.float64) else X.astype(np.float32)
