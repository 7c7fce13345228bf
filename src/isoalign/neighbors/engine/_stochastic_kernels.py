"""Compiled loops of a stochastic search, over tiles and candidates."""

import numpy as np

from isoalign._core.compile import compiled
from isoalign._core.types import FloatVector, IntVector, Matrix
from isoalign.neighbors.engine._coins import CoinKeys, flip_coin
from isoalign.neighbors.engine._kernels import Rows, similarity
from isoalign.neighbors.engine._marks import CHUNK, lowest_place, mark_offset
from isoalign.neighbors.engine._near_lists import NearLists, append_row

__all__ = ["append_kept", "choose_dropped", "scan_kept"]


@compiled()
def append_kept(
    tile: Matrix,
    x_first: int,
    y_first: int,
    x_lists: NearLists,
    y_lists: NearLists,
    x_keys: CoinKeys,
    y_keys: CoinKeys,
    y_offsets: FloatVector,
    x_offsets: FloatVector,
    limit: np.uint64,
) -> None:
    """Put the kept columns of a tile on the lists of its rows, and its kept rows on the lists of its columns."""
    y_floors = y_lists.floors
    for i in range(tile.shape[0]):
        values = tile[i]
        offset = x_offsets[i]
        for start in range(0, values.shape[0], CHUNK):
            marks = mark_offset(values, start, offset, y_offsets, x_lists.floors[i], y_floors)
            while marks:
                j = start + lowest_place(marks)
                marks &= marks - np.uint64(1)
                value = values[j] - y_offsets[j]
                if value > x_lists.floors[i] and flip_coin(x_keys[i], y_first + j) <= limit:
                    append_row(x_lists, i, value, y_first + j)
                value = values[j] - offset
                if value > y_floors[j] and flip_coin(y_keys[j], x_first + i) <= limit:
                    append_row(y_lists, j, value, x_first + i)


@compiled()
def scan_kept(
    tile: Matrix,
    queries: IntVector,
    candidates: IntVector,
    Q: Matrix,
    Y: Matrix,
    bias: FloatVector,
    margins: FloatVector,
    keys: CoinKeys,
    limit: np.uint64,
    scores: Matrix,
    rows: Rows,
) -> None:
    """Replace the choice of queries by a better kept candidate; ``tile`` contains their approximate products."""
    for place in range(queries.shape[0]):
        query = queries[place]
        floor = scores[query, 0] - margins[query]
        for column in range(candidates.shape[0]):
            row = candidates[column]
            if np.float32(2.0) * tile[place, column] - bias[row] < floor or flip_coin(keys[query], row) > limit:
                continue
            score = np.float32(2.0 * similarity(Q[query], Y[row]) - bias[row])
            if score > scores[query, 0] or (score == scores[query, 0] and row < rows[query, 0]):
                scores[query, 0] = score
                rows[query, 0] = row
                floor = score - margins[query]


@compiled()
def choose_dropped(chosen: IntVector, scores: FloatVector, keys: CoinKeys, limit: np.uint64, n: int) -> None:
    """If no kept score is above 0, choose the first dropped row, whose score 0 is then the best."""
    for query in range(chosen.shape[0]):
        if scores[query] > 0:
            continue
        last = chosen[query] if scores[query] == 0 else n
        for row in range(last):
            if flip_coin(keys[query], row) > limit:
                chosen[query] = row
                break
