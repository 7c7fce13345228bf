"""Matrices too large for memory, stored in memory-mapped temporary files.

A matrix of more than :data:`LARGE_BYTES` is created in an unnamed file in the folder for temporary files. The operating
system keeps as much of it in memory as there is room for, and the file disappears with the last array that uses it,
even if the process is killed.
"""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from isoalign._core.types import IntVector, Matrix
from isoalign.errors import FileAccessError

__all__ = ["LARGE_BYTES", "RowSpool", "copy_rows", "empty_rows", "gather_rows"]

LARGE_BYTES = 1 << 28
"""Size above which a matrix is not kept in memory: slightly more than 200,000 words of 300 columns."""

_BLOCK_ROWS = 8192


def empty_rows(n: int, dim: int) -> Matrix:
    """Return an uninitialised float32 matrix (n, dim), in memory or, if it is large, in a mapped temporary file."""
    if 4 * n * dim <= LARGE_BYTES:
        return np.empty((n, dim), dtype=np.float32)
    with _room_for(4 * n * dim), tempfile.TemporaryFile(prefix="isoalign-") as file:
        _reserve(file, 4 * n * dim)
        return _map_file(file, n, dim, np.float32)


def copy_rows(X: NDArray[Any]) -> Matrix:
    """Return a copy of any matrix as float32, in memory or, if it is large, in a mapped temporary file."""
    result = empty_rows(*X.shape)
    for start in range(0, len(X), _BLOCK_ROWS):
        result[start : start + _BLOCK_ROWS] = X[start : start + _BLOCK_ROWS]
    return result


def gather_rows(X: Matrix, rows: IntVector) -> Matrix:
    """Return ``X[rows]``, in memory or, if it is large, in a mapped temporary file."""
    result = empty_rows(len(rows), X.shape[1])
    for start in range(0, len(rows), _BLOCK_ROWS):
        result[start : start + _BLOCK_ROWS] = X[rows[start : start + _BLOCK_ROWS]]
    return result


class RowSpool:
    """Collect rows block by block when their number is not known in advance.

    Parameters
    ----------
    dim
        Number of columns.
    dtype
        Type of the values.
    """

    def __init__(self, dim: int, dtype: DTypeLike) -> None:
        self._dim, self._dtype = dim, np.dtype(dtype)
        self._file = tempfile.TemporaryFile(prefix="isoalign-")  # noqa: SIM115  (open until all rows are there)

    def append(self, rows: NDArray[Any]) -> None:
        """Append rows."""
        with _room_for(rows.nbytes):
            self._file.write(np.ascontiguousarray(rows, dtype=self._dtype).data)

    def close(self) -> NDArray[Any]:
        """Return all rows, mapped."""
        with _room_for(0), self._file:
            size = self._file.tell()
            self._file.flush()
            return _map_file(self._file, size // (self._dim * self._dtype.itemsize), self._dim, self._dtype)


def _map_file(file: IO[bytes], n: int, dim: int, dtype: DTypeLike) -> NDArray[Any]:
    return np.memmap(file, dtype=dtype, mode="r+", shape=(n, dim)).view(np.ndarray)


def _reserve(file: IO[bytes], size: int) -> None:
    """Reserve disk space now: if the disk is full when a mapped page is written, the process is killed."""
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(file.fileno(), 0, size)
    else:
        file.truncate(size)


@contextmanager
def _room_for(size: int) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise FileAccessError(
            f"{tempfile.gettempdir()}: cannot store {size / 1e9:.2g} GB of vectors there: {error.strerror or error}. "
            "Set TMPDIR to a folder on a larger disk."
        ) from error
