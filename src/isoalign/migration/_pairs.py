"""Vectors of the same items from two models: the rows that an adapter is fitted on, and their moments."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from isoalign._core.arrays import column_mean, row_blocks, row_lengths, unique_rows
from isoalign._core.threads import single_threaded_blas
from isoalign._core.types import DoubleVector, IntVector, LinearMap, Matrix
from isoalign._core.validate import check_pairs
from isoalign.alignment import nearest_rotation
from isoalign.errors import ShapeError
from isoalign.maps import AbstractMap, ComposedMap, MatrixMap, UnitMap

__all__ = ["PairedRows", "duplicate_groups", "has_unit_rows"]

_UNIT_TOLERANCE = 5e-3  # float16 keeps three digits


class ScatterSpectrum(NamedTuple):
    """Eigenvalues and eigenvectors of the scatter matrix of the source rows."""

    values: DoubleVector
    vectors: LinearMap


@dataclass(frozen=True)
class PairedRows:
    """Rows of the source and the target that belong together; moments are computed once, when first needed.

    Attributes
    ----------
    X, Y
        (n, d_source) and (n, d_target).
    unit
        Whether mapped rows must have unit length, like the rows of the target.
    """

    X: Matrix
    Y: Matrix
    unit: bool

    @classmethod
    def from_rows(cls, X: Any, Y: Any) -> Self:
        """Check the rows, and detect whether those of the target have unit length."""
        X, Y = check_pairs(X, Y, same_dim=False)
        if len(X) < 2:
            raise ShapeError(f"An adapter needs at least 2 pairs. Got {len(X)}.")
        return cls(X, Y, has_unit_rows(Y))

    def __len__(self) -> int:
        return len(self.X)

    def take(self, rows: NDArray[Any]) -> "PairedRows":
        """Return some of the pairs."""
        return PairedRows(self.X[rows], self.Y[rows], self.unit)

    @cached_property
    def x_mean(self) -> DoubleVector:
        """Mean source row."""
        return column_mean(self.X)

    @cached_property
    def y_mean(self) -> DoubleVector:
        """Mean target row."""
        return column_mean(self.Y)

    @cached_property
    def cross(self) -> LinearMap:
        """Products of centred source and target columns, (d_source, d_target)."""
        return centered_product(self.X, self.x_mean, self.Y, self.y_mean)

    @cached_property
    def scatter(self) -> LinearMap:
        """Products of centred source columns, (d_source, d_source)."""
        return centered_product(self.X, self.x_mean, self.X, self.x_mean)

    @cached_property
    def spectrum(self) -> ScatterSpectrum:
        """Eigendecomposition of the scatter matrix, which serves every ridge."""
        with single_threaded_blas():  # several threads take longer for matrices of this size
            values, vectors = np.linalg.eigh(self.scatter)
        return ScatterSpectrum(np.maximum(values, 0), vectors)

    @cached_property
    def rotation(self) -> LinearMap:
        """The rotation of Procrustes on centred rows, thin where dimensions differ."""
        with single_threaded_blas():
            return nearest_rotation(self.cross)

    @cached_property
    def swapped(self) -> "PairedRows":
        """The same pairs with source and target exchanged."""
        return PairedRows(self.Y, self.X, self.unit)

    def penalty(self, ridge: float) -> float:
        """Return the ridge in units of the mean eigenvalue, so that one grid suits every model and sample size."""
        return ridge * max(float(self.spectrum.values.mean()), np.finfo(np.float64).tiny)

    def centered(self) -> tuple[Matrix, Matrix]:
        """Return both sides minus their means."""
        return self.X - self.x_mean.astype(np.float32), self.Y - self.y_mean.astype(np.float32)

    def affine(self, W: LinearMap) -> MatrixMap:
        """Return the map that subtracts the source mean, multiplies by W and adds the target mean."""
        return MatrixMap(W, self.y_mean - self.x_mean @ W)

    def finish(self, one: AbstractMap) -> AbstractMap:
        """Scale the mapped rows to unit length if those of the target have it."""
        return ComposedMap([one, UnitMap(one.dim_out)]) if self.unit else one


def centered_product(X: Matrix, x_mean: DoubleVector, Y: Matrix, y_mean: DoubleVector) -> LinearMap:
    """Return ``(X - x_mean).T @ (Y - y_mean)`` summed in float64, a block of rows at a time."""
    total = np.zeros((X.shape[1], Y.shape[1]))
    for rows in row_blocks(len(X)):
        total += (X[rows] - x_mean).T @ (Y[rows] - y_mean)
    return total


def has_unit_rows(Y: Matrix) -> bool:
    """Return whether all rows have unit length, up to the rounding of float16."""
    return bool(np.abs(row_lengths(Y) - 1).max(initial=0.0) < _UNIT_TOLERANCE)


def duplicate_groups(X: Matrix, Y: Matrix) -> IntVector:
    """Group pairs so that pairs with an equal row on either side, directly or through others, share a number."""
    sides = [unique_rows(X)[1], unique_rows(Y)[1]]
    groups = np.arange(len(X))
    while True:
        before = groups
        for side in sides:
            lowest = np.full(int(side.max()) + 1, len(X))
            np.minimum.at(lowest, side, groups)
            groups = lowest[side]
        if np.array_equal(groups, before):
            return groups
