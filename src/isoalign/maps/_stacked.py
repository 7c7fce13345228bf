r"""Concatenated maps: the cosine of the stack is a weighted mean of the cosines of its parts."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from isoalign._core.arrays import row_blocks, unit_rows
from isoalign._core.spill import empty_rows
from isoalign._core.state import State, nest_state, part_of_state
from isoalign._core.types import Matrix
from isoalign.errors import ShapeError
from isoalign.maps._base import AbstractMap
from isoalign.maps._registry import describe_map, restore_map
from isoalign.maps._weights import share_weights
from isoalign.normalization import AbstractNormalizer, describe_normalizer, restore_normalizer

__all__ = ["StackedMap", "StackedPart"]


class StackedPart(NamedTuple):
    """One part of a stack: a fitted normaliser, the map applied after it, and its weight in the cosine."""

    normalizer: AbstractNormalizer
    map: AbstractMap
    weight: float


class StackedMap(AbstractMap):
    r"""Apply several normalisers and maps to the rows and concatenate the results.

    .. math:: x \mapsto [\sqrt{\alpha_1}\, \mathrm{unit}(g_1(x)), \dots, \sqrt{\alpha_m}\, \mathrm{unit}(g_m(x))]

    With weights that sum to one, rows have unit length and the cosine of two rows is
    :math:`\sum_m \alpha_m \cos_m`.

    Parameters
    ----------
    parts
        Fitted normaliser, map and weight of each part; weights are scaled to sum to one.
    """

    def __init__(self, parts: Sequence[tuple[AbstractNormalizer, AbstractMap, float]]) -> None:
        shares = share_weights([weight for *_, weight in parts])
        self.parts = tuple(StackedPart(*part[:2], share) for part, share in zip(parts, shares, strict=True))
        dims = [normalizer.n_features_in_ for normalizer, *_ in self.parts]
        if len(set(dims)) > 1:
            raise ShapeError(f"The parts of a stack must take the same number of columns. Got {dims}.")

    @property
    def dim_in(self) -> int:
        """Number of input columns of every part."""
        return self.parts[0].normalizer.n_features_in_

    @property
    def dim_out(self) -> int:
        """Sum of the columns of the parts."""
        return sum(part.map.dim_out for part in self.parts)

    def _apply(self, X: Matrix) -> Matrix:
        result = empty_rows(len(X), self.dim_out)
        for rows in row_blocks(len(X)):
            start = 0
            for normalizer, map_, weight in self.parts:
                mapped = unit_rows(map_.apply(normalizer.transform(X[rows])))
                stop = start + map_.dim_out
                np.multiply(mapped, np.float32(weight**0.5), out=result[rows, start:stop])
                start = stop
        return result

    def describe(self) -> dict[str, Any]:
        """Return the descriptions and weights of the parts."""
        return {
            "parts": [
                {"normalizer": describe_normalizer(normalizer), "map": describe_map(map_), "weight": weight}
                for normalizer, map_, weight in self.parts
            ]
        }

    def get_state(self) -> State:
        """Return the states of the parts, prefixed by their numbers."""
        state: State = {}
        for number, part in enumerate(self.parts):
            state |= nest_state(f"{number}.normalizer", part.normalizer.get_state())
            state |= nest_state(f"{number}.map", part.map.get_state())
        return state

    @classmethod
    def from_state(cls, description: Mapping[str, Any], state: Mapping[str, NDArray[Any]]) -> Self:
        """Restore the parts."""
        return cls(
            [
                (
                    restore_normalizer(part["normalizer"], part_of_state(f"{number}.normalizer", state)),
                    restore_map(part["map"], part_of_state(f"{number}.map", state)),
                    part["weight"],
                )
                for number, part in enumerate(description["parts"])
            ]
        )
