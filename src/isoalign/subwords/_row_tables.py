"""Tables of vectors, plain or product-quantised, that compute means of rows."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from isoalign._core.compile import compiled
from isoalign._core.types import FloatVector, IntVector, Matrix

__all__ = ["CENTROIDS", "DenseTable", "QuantizedTable", "RowTable"]

CENTROIDS = 256
"""Each part of a quantised row is one byte: the number of a centroid."""


class RowTable(Protocol):
    """Rows of ``dim`` numbers, which need not be stored as a matrix."""

    @property
    def dim(self) -> int:
        """The number of columns."""
        ...

    def __len__(self) -> int: ...

    def mean_rows(self, rows: IntVector, ends: IntVector) -> Matrix:
        """Return the means of groups of rows, (groups, dim); the mean of an empty group is zero.

        Parameters
        ----------
        rows
            Concatenated row numbers of the groups.
        ends
            End of each group in ``rows``.
        """
        ...


@dataclass(frozen=True)
class DenseTable:
    """A float32 matrix, (n, dim), in memory or mapped from a file."""

    matrix: Matrix

    @property
    def dim(self) -> int:
        """The number of columns."""
        return int(self.matrix.shape[1])

    def __len__(self) -> int:
        return len(self.matrix)

    def mean_rows(self, rows: IntVector, ends: IntVector) -> Matrix:
        """Return the mean of several groups of rows, see `RowTable`."""
        means = np.zeros((len(ends), self.dim), dtype=np.float32)
        _sum_dense(self.matrix, rows, ends, means)
        return _divide_by_counts(means, ends)


@dataclass(frozen=True)
class QuantizedTable:
    """Rows split into parts, each represented by one of 256 centroids (Jégou 2011), as in fastText's ``.ftz``.

    Attributes
    ----------
    codes
        (n, parts): the centroid of each part.
    centroids
        (dim * 256,): the 256 centroids of the first part, then of the second, …
    width
        Numbers per part; the last part may be shorter.
    lengths
        (n,): factor of each row; None for no scaling.

    References
    ----------
    Joulin et al. 2016, "FastText.zip: Compressing text classification models", section 3.
    """

    codes: NDArray[np.uint8]
    centroids: FloatVector
    width: int
    lengths: FloatVector | None = None

    @property
    def dim(self) -> int:
        """The number of columns."""
        return len(self.centroids) // CENTROIDS

    def __len__(self) -> int:
        return len(self.codes)

    def mean_rows(self, rows: IntVector, ends: IntVector) -> Matrix:
        """Return the mean of several groups of rows, see `RowTable`."""
        means = np.zeros((len(ends), self.dim), dtype=np.float32)
        lengths = np.empty(0, dtype=np.float32) if self.lengths is None else self.lengths
        _sum_quantized(self.codes, self.centroids, self.width, lengths, rows, ends, means)
        return _divide_by_counts(means, ends)


def _divide_by_counts(sums: Matrix, ends: IntVector) -> Matrix:
    counts = np.diff(ends, prepend=0)
    sums *= (1.0 / np.maximum(counts, 1)).astype(np.float32)[:, None]
    return sums


@compiled()
def _sum_dense(matrix: Matrix, rows: IntVector, ends: IntVector, sums: Matrix) -> None:
    start = 0
    for group in range(len(ends)):
        total = sums[group]
        for at in range(start, ends[group]):
            row = matrix[rows[at]]
            for column in range(len(total)):
                total[column] += row[column]
        start = ends[group]


@compiled()
def _sum_quantized(
    codes: NDArray[np.uint8],
    centroids: FloatVector,
    width: int,
    lengths: FloatVector,
    rows: IntVector,
    ends: IntVector,
    sums: Matrix,
) -> None:
    dim = sums.shape[1]
    start = 0
    for group in range(len(ends)):
        total = sums[group]
        for at in range(start, ends[group]):
            row = rows[at]
            length = lengths[row] if len(lengths) else np.float32(1)
            for part in range(codes.shape[1]):
                column = part * width
                numbers = min(width, dim - column)
                centroid = column * CENTROIDS + codes[row, part] * numbers
                for place in range(numbers):
                    total[column + place] += length * centroids[centroid + place]
        start = ends[group]
