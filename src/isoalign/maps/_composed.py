"""Composition of maps."""

from collections.abc import Mapping, Sequence
from functools import reduce
from itertools import pairwise
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from isoalign._core.arrays import shift_to_unit
from isoalign._core.state import State, nest_state, part_of_state
from isoalign._core.types import LinearMap, Matrix
from isoalign.errors import ParameterError, ShapeError
from isoalign.maps._base import AbstractMap
from isoalign.maps._fixed import UnitMap
from isoalign.maps._matrix import MatrixMap
from isoalign.maps._registry import describe_map, restore_map

__all__ = ["ComposedMap"]


class ComposedMap(AbstractMap):
    """Apply maps in order.

    Parameters
    ----------
    maps
        At least one; each is applied to the result of the previous one.
    """

    def __init__(self, maps: Sequence[AbstractMap]) -> None:
        self.maps = tuple(maps)
        if not self.maps:
            raise ParameterError("A composed map needs at least one map.")
        for first, second in pairwise(self.maps):
            if first.dim_out != second.dim_in:
                raise ShapeError(f"{first!r} returns {first.dim_out} columns, but {second!r} needs {second.dim_in}.")

    @property
    def dim_in(self) -> int:
        """Number of input columns of the first map."""
        return self.maps[0].dim_in

    @property
    def dim_out(self) -> int:
        """Number of output columns of the last map."""
        return self.maps[-1].dim_out

    def _apply(self, X: Matrix) -> Matrix:
        given = X
        for one in self.maps:
            X = one._apply(X) if np.may_share_memory(X, given) else one._apply_to_own(X)
        return X

    def _apply_into(self, X: Matrix, out: Matrix) -> None:
        match self.maps:
            case (MatrixMap() as affine, UnitMap()):
                shift_to_unit(out, affine._multiply_into(X, out))
            case (first, *others) if first.dim_out == self.dim_out:
                first._apply_into(X, out)
                mapped = out
                for one in others:
                    mapped = one._apply_to_own(mapped)
                if mapped is not out:
                    out[:] = mapped
            case _:
                out[:] = self._apply(X)

    def simplify(self) -> AbstractMap:
        """Return a single matrix map if all maps are linear."""
        matrix = self.to_matrix()
        return self if matrix is None else MatrixMap(matrix)

    def to_matrix(self) -> LinearMap | None:
        """Return the product of the matrices, or None if a map has none."""
        matrices = [one.to_matrix() for one in self.maps]
        known = [matrix for matrix in matrices if matrix is not None]
        return reduce(lambda A, B: A @ B, known) if len(known) == len(matrices) else None

    def describe(self) -> dict[str, Any]:
        """Return the descriptions of the maps."""
        return {"maps": [describe_map(one) for one in self.maps]}

    def get_state(self) -> State:
        """Return the states of the maps, prefixed by their numbers."""
        state: State = {}
        for number, one in enumerate(self.maps):
            state |= nest_state(number, one.get_state())
        return state

    @classmethod
    def from_state(cls, description: Mapping[str, Any], state: Mapping[str, NDArray[Any]]) -> Self:
        """Restore the maps."""
        return cls([restore_map(one, part_of_state(number, state)) for number, one in enumerate(description["maps"])])
