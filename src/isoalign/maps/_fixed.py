"""Maps without learned state: the identity, and scaling to unit length."""

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from isoalign._core.arrays import unit_rows
from isoalign._core.state import State
from isoalign._core.types import LinearMap, Matrix
from isoalign._core.validate import check_count
from isoalign.maps._base import AbstractMap

__all__ = ["IdentityMap", "UnitMap"]


class AbstractFixedMap(AbstractMap):
    """A map within one space, defined by its number of columns."""

    def __init__(self, dim: int) -> None:
        self.dim = check_count(dim, name="dim")

    @property
    def dim_in(self) -> int:
        """Number of columns."""
        return self.dim

    @property
    def dim_out(self) -> int:
        """Number of columns."""
        return self.dim

    def describe(self) -> dict[str, Any]:
        """Return the dimension."""
        return {"dim": self.dim}

    def get_state(self) -> State:
        """Return an empty state."""
        return {}

    @classmethod
    def from_state(cls, description: Mapping[str, Any], state: Mapping[str, NDArray[Any]]) -> Self:  # noqa: ARG003
        """Restore the map."""
        return cls(description["dim"])


class IdentityMap(AbstractFixedMap):
    """Return rows unchanged.

    Parameters
    ----------
    dim
        Number of columns.
    """

    def _apply(self, X: Matrix) -> Matrix:
        return X

    def to_matrix(self) -> LinearMap:
        """Return the identity matrix."""
        return np.eye(self.dim)


class UnitMap(AbstractFixedMap):
    r"""Scale rows to unit length: :math:`x \mapsto x / \lVert x \rVert`; zero rows stay zero.

    Parameters
    ----------
    dim
        Number of columns.
    """

    def _apply(self, X: Matrix) -> Matrix:
        return unit_rows(X)

    def _apply_to_own(self, X: Matrix) -> Matrix:
        return unit_rows(X, out=X)
