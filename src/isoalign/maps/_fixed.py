"""Maps that learn nothing: the identity, and the map to length one."""

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
    """A map within one space, known by its number of columns."""

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
        """Return nothing: there is nothing to learn."""
        return {}

    @classmethod
    def from_state(cls, description: Mapping[str, Any], state: Mapping[str, NDArray[Any]]) -> Self:  # noqa: ARG003
        """Restore the map."""
        return cls(description["dim"])


class IdentityMap(AbstractFixedMap):
    """Leave rows as they are.

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
    r"""Scale rows to length one: :math:`x \mapsto x / \lVert x \rVert`; zero rows stay zero.

    Parameters
    ----------
    dim
        Number of columns.
    """

    def _apply(self, X: Matrix) -> Matrix:
        return unit_rows(X)
