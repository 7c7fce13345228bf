r"""Maps of blocks of columns: the query stage of a stack, which consists of the stages of its parts."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from isoalign._core.arrays import row_blocks, unit_rows
from isoalign._core.spill import empty_rows
from isoalign._core.state import State, nest_state, part_of_state
from isoalign._core.types import Matrix
from isoalign.maps._base import AbstractMap
from isoalign.maps._registry import describe_map, restore_map
from isoalign.maps._weights import share_weights

__all__ = ["BlockMap", "ColumnBlock"]


class ColumnBlock(NamedTuple):
    """The map of one block of columns, and its weight in the cosine."""

    map: AbstractMap
    weight: float


class BlockMap(AbstractMap):
    r"""Scale every block of columns to unit length and apply a separate map to each.

    .. math:: [x_1, \dots, x_m] \mapsto
        [\sqrt{\alpha_1}\, \mathrm{unit}(g_1(\mathrm{unit}(x_1))), \dots,
        \sqrt{\alpha_m}\, \mathrm{unit}(g_m(\mathrm{unit}(x_m)))]

    Parameters
    ----------
    blocks
        Map and weight of each block, in the order of the columns; weights are scaled to sum to one.
    """

    def __init__(self, blocks: Sequence[tuple[AbstractMap, float]]) -> None:
        shares = share_weights([weight for _, weight in blocks])
        self.blocks = tuple(ColumnBlock(one, share) for (one, _), share in zip(blocks, shares, strict=True))

    @property
    def dim_in(self) -> int:
        """Sum of the input columns of the maps."""
        return sum(block.map.dim_in for block in self.blocks)

    @property
    def dim_out(self) -> int:
        """Sum of the output columns of the maps."""
        return sum(block.map.dim_out for block in self.blocks)

    def _apply(self, X: Matrix) -> Matrix:
        result = empty_rows(len(X), self.dim_out)
        for rows in row_blocks(len(X)):
            taken = given = 0
            for map_, weight in self.blocks:
                mapped = unit_rows(map_.apply(unit_rows(X[rows, taken : taken + map_.dim_in])))
                np.multiply(mapped, np.float32(weight**0.5), out=result[rows, given : given + map_.dim_out])
                taken, given = taken + map_.dim_in, given + map_.dim_out
        return result

    def as_fitted(self) -> "BlockMap":
        """Return the blocks as they were fitted."""
        return BlockMap([(block.map.as_fitted(), block.weight) for block in self.blocks])

    def describe(self) -> dict[str, Any]:
        """Return the descriptions and weights of the blocks."""
        return {"blocks": [{"map": describe_map(block.map), "weight": block.weight} for block in self.blocks]}

    def get_state(self) -> State:
        """Return the states of the maps, prefixed by their numbers."""
        state: State = {}
        for number, block in enumerate(self.blocks):
            state |= nest_state(number, block.map.get_state())
        return state

    @classmethod
    def from_state(cls, description: Mapping[str, Any], state: Mapping[str, NDArray[Any]]) -> Self:
        """Restore the blocks."""
        return cls(
            [
                (restore_map(block["map"], part_of_state(number, state)), block["weight"])
                for number, block in enumerate(description["blocks"])
            ]
        )
