"""Products with a matrix."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from isoalign._core.arrays import row_blocks
from isoalign._core.spill import empty_rows
from isoalign._core.state import State
from isoalign._core.types import FloatVector, LinearMap, Matrix
from isoalign.errors import ShapeError
from isoalign.maps._base import AbstractMap

__all__ = ["MatrixMap"]

_LARGEST = 1e30  # larger values could overflow float32 in products


class MatrixMap(AbstractMap):
    r"""Multiply rows by a matrix and, optionally, add an offset: :math:`x \mapsto x W + b`.

    Parameters
    ----------
    matrix
        W, (dim_in, dim_out).
    offset
        b, (dim_out,); None is zero.
    """

    def __init__(self, matrix: Any, offset: Any = None) -> None:
        self.matrix: LinearMap = np.array(matrix, dtype=np.float64)
        if self.matrix.ndim != 2 or not self.matrix.size or not np.abs(self.matrix).max() < _LARGEST:
            raise ShapeError(f"A map must be a finite matrix (dim_in, dim_out). Got shape {self.matrix.shape}.")
        self.offset: NDArray[np.float64] | None = None if offset is None else np.array(offset, dtype=np.float64)
        if self.offset is not None and (
            self.offset.shape != self.matrix.shape[1:] or not np.abs(self.offset).max() < _LARGEST
        ):
            raise ShapeError(
                f"The offset must be {self.matrix.shape[1]} finite numbers. Got shape {self.offset.shape}."
            )

    @property
    def dim_in(self) -> int:
        """Number of rows of the matrix."""
        return int(self.matrix.shape[0])

    @property
    def dim_out(self) -> int:
        """Number of columns of the matrix."""
        return int(self.matrix.shape[1])

    def _apply(self, X: Matrix) -> Matrix:
        result = empty_rows(len(X), self.dim_out)
        self._apply_into(X, result)
        return result

    def _apply_into(self, X: Matrix, out: Matrix) -> None:
        offset = self._multiply_into(X, out)
        if offset is not None:
            out += offset

    def _multiply_into(self, X: Matrix, out: Matrix) -> FloatVector | None:
        """Write the product to a given matrix, and return the offset that is still to be added."""
        W, offset = self._single
        for rows in row_blocks(len(X)):
            np.matmul(X[rows], W, out=out[rows])
        return offset

    @cached_property
    def _single(self) -> tuple[Matrix, FloatVector | None]:
        """Matrix and offset as float32, cached because converting them takes longer than mapping a single row."""
        return self.matrix.astype(np.float32), None if self.offset is None else self.offset.astype(np.float32)

    def to_matrix(self) -> LinearMap | None:
        """Return the matrix, or None if there is an offset."""
        return self.matrix if self.offset is None else None

    def describe(self) -> dict[str, Any]:
        """Return no settings: the arrays define the map."""
        return {}

    def get_state(self) -> State:
        """Return the matrix and the offset."""
        return {"matrix": self.matrix} | ({} if self.offset is None else {"offset": self.offset})

    @classmethod
    def from_state(cls, description: Mapping[str, Any], state: Mapping[str, NDArray[Any]]) -> Self:  # noqa: ARG003
        """Restore the map."""
        return cls(state["matrix"], state.get("offset"))
