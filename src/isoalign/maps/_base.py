"""Base class of maps, which transform rows of one space to rows of another."""

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
    ``from_state``, which are used for saving; a linear map also implements ``to_matrix``.
    """

    @property
    @abstractmethod
    def dim_in(self) -> int:
        """Number of input columns."""

    @property
    @abstractmethod
    def dim_out(self) -> int:
        """Number of output columns."""

    @abstractmethod
    def _apply(self, X: Matrix) -> Matrix:
        """Map validated rows (n, dim_in) to (n, dim_out), without changing the input."""

    def _apply_to_own(self, X: Matrix) -> Matrix:
        """Map validated rows that nobody else needs; a map may override this to save memory."""
        return self._apply(X)

    def _apply_into(self, X: Matrix, out: Matrix) -> None:
        """Map validated rows to a given matrix (n, dim_out); a map may override this to save memory."""
        out[:] = self._apply(X)

    @abstractmethod
    def describe(self) -> dict[str, Any]:
        """Return the settings as JSON values; together with ``get_state`` they define the map."""

    @abstractmethod
    def get_state(self) -> State:
        """Return the learned state as arrays."""

    @classmethod
    @abstractmethod
    def from_state(cls, description: Mapping[str, Any], state: Mapping[str, NDArray[Any]]) -> Self:
        """Restore a map from the results of ``describe`` and ``get_state``."""

    @property
    def is_linear(self) -> bool:
        """Whether the map is a product with a matrix."""
        return self.to_matrix() is not None

    def to_matrix(self) -> LinearMap | None:
        """Return the matrix (dim_in, dim_out) of a linear map, applied on the right; None for other maps."""
        return None

    def as_fitted(self) -> "AbstractMap":
        """Return the map as it was fitted, for maps that treat the rows they were learned from like new rows.

        As queries, dictionary words are mapped like new words. As neighbours of targets, in the means of CSLS, they
        are mapped as fitted, close to their known translations.
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
            (n, dim_out), float32. The identity returns ``X`` itself if it is already such a matrix.
        """
        X = check_matrix(X)
        if X.shape[1] != self.dim_in:
            raise ShapeError(f"The map needs vectors with {self.dim_in} columns. Got {X.shape[1]}.")
        return self._apply(X)

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:
        matrix = self.to_matrix()
        if matrix is None:
            raise TypeError(f"{type(self).__name__} is not linear and has no matrix.")
        return np.array(matrix, dtype=dtype, copy=copy)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.dim_in} → {self.dim_out})"
