"""Places of queries among the neighbours of targets, stored as integers that sort by place, then by similarity."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from isoalign._core.compile import compiled
from isoalign._core.types import FloatVector, Matrix
from isoalign.neighbors.engine._kernels import Rows, push, similarity
from isoalign.neighbors.engine._tiles import Tile, multiply_tiles, plan_rounds, walk_tiles

__all__ = ["NO_KEY", "PlaceKeys", "collect_places", "read_places"]

PlaceKeys = NDArray[np.int64]
"""A place and a similarity in one number, larger for a better place."""

NO_KEY = np.iinfo(np.int64).min
"""Key of an empty entry of a heap."""


@compiled()
def _make_key(place: int, score: Any) -> Any:
    """Return an integer that is larger for a better place, and at the same place for a higher score.

    The bits of a float32, read as an integer, have the order of the values once those of negative numbers are inverted.
    """
    bits = np.int64(np.float32(score + np.float32(0.0)).view(np.int32))  # + 0 turns -0 into 0
    if bits < 0:
        bits = -1 - (bits & 0x7FFFFFFF)
    return bits - (np.int64(place) << 32)


def read_places(keys: PlaceKeys) -> PlaceKeys:
    """Return the places in keys."""
    return (2**31 - keys) >> 32


@compiled()
def _scan_places(
    tile: Matrix,
    Q: Matrix,
    Y: Matrix,
    first: int,
    nearest: Matrix,
    floors: FloatVector,
    margins: FloatVector,
    keys: PlaceKeys,
    rows: Rows,
) -> None:
    """Keep the columns at which a row of the tile has the best places.

    ``nearest`` (c, depth) holds the best similarities of every column, best first: a place is one more than the number
    of those above the similarity of the row. ``floors`` (c,) is the last column of ``nearest``.
    """
    depth = nearest.shape[1]
    for i in range(tile.shape[0]):
        for j in range(tile.shape[1]):
            if tile[i, j] < floors[j] - margins[i]:
                continue
            own = np.float32(similarity(Q[i], Y[j]))
            low, high = 0, depth
            while low < high:
                middle = (low + high) // 2
                if nearest[j, middle] > own:
                    low = middle + 1
                else:
                    high = middle
            if low < depth:
                key = _make_key(1 + low, own)
                row = first + j
                if key > keys[i, 0] or (key == keys[i, 0] and row < rows[i, 0]):
                    push(keys[i], rows[i], key, row)


def collect_places(
    Q: Matrix, Y: Matrix, first: int, nearest: Matrix, margins: FloatVector, keys: PlaceKeys, rows: Rows
) -> None:
    """Keep the rows of Y among whose neighbours every query has the best places.

    Parameters
    ----------
    Q, Y
        Queries (q, dim) and targets (c, dim): C-contiguous, float32.
    first
        Row number of ``Y[0]``.
    nearest
        The best similarities of every target with source words, (c, depth), best first. A query has a place at a target
        if its similarity is at least the last of them.
    margins
        Largest error of a float32 product, for every query.
    keys, rows
        Heaps (q, k), changed in place.
    """
    floors = nearest[:, -1].copy()

    def visit(tile: Tile) -> None:
        r, c = tile.rows, tile.columns
        _scan_places(tile.values, Q[r], Y[c], first + c.start, nearest[c], floors[c], margins[r], keys[r], rows[r])

    walk_tiles(plan_rounds(len(Q), len(Y)), multiply_tiles(Q, Y), visit)
