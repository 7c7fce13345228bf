"""What every map shares: checked rows in, rows of another space out, and a state of plain arrays."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import DTypeLike, NDArray

from isoalign._core.state import State
from isoalign._core.types import LinearMap, Matrix, MatrixLike
from isoalign._core.validate import check_matrix
from isoalign.errors import ShapeError

__all__ = ["AbstractMap"]


class AbstractMap(ABC):
    """A function from rows of one space to rows of another.

    A subclass implements ``_apply`` for checked rows, the two dimensions, and ``describe``, ``get_state`` and
    ``from_state``, by which an alignment is saved; a linear map also implements ``to_matrix``.
    """

    @property
    @abstractmethod
    def dim_in(self) -> int:
        """Number of columns that the map takes."""

    @property
    @abstractmethod
    def dim_out(self) -> int:
        """Number of columns that come out."""

    @abstractmethod
    def _apply(self, X: Matrix) -> Matrix:
        """Map checked rows (n, dim_in) to (n, dim_out); the rows passed in are not changed."""

    @abstractmethod
    def describe(self) -> dict[str, Any]:
        """Return the settings as JSON values; with ``get_state`` it defines the map."""

    @abstractmethod
    def get_state(self) -> State:
        """Return everything learned as arrays."""

    @classmethod
    @abstractmethod
    def from_state(cls, description: Mapping[str, Any], state: Mapping[str, NDArray[Any]]) -> Self:
        """Restore a map from what ``describe`` and ``get_state`` returned."""

    @property
    def is_linear(self) -> bool:
        """Whether the map is a product with a matrix."""
        return self.to_matrix() is not None

    def to_matrix(self) -> LinearMap | None:
        """Return the matrix (dim_in, dim_out) of a linear map, applied on the right; None for other maps."""
        return None

    def as_fitted(self) -> "AbstractMap":
        """Return the map as it was fitted; it differs where a map treats rows that it was learned from like new ones.

        Words of a dictionary that ask for a translation are mapped like new words. Where they crowd around targets, as
        in the neighbourhoods of CSLS, they count where the dictionary puts them.
        """
        return self

    def apply(self, X: MatrixLike) -> Matrix:
        """Map rows.

        Parameters
        ----------
        X
            (n, dim_in), finite.

        Returns
        -------
        ndarray
            (n, dim_out), float32. The identity returns ``X`` itself where it already is such a matrix.
        """
        X = check_matrix(X)
        if X.shape[1] != self.dim_in:
            raise ShapeError(f"The map takes {self.dim_in} columns. Got vectors with {X.shape[1]}.")
        return self._apply(X)

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:
        matrix = self.to_matrix()
        if matrix is None:
            raise TypeError(f"{type(self).__name__} is not linear and has no matrix.")
        return np.array(matrix, dtype=dtype, copy=copy)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.dim_in} → {self.dim_out})"
