"""Find the few values of a tile that pass a test, a chunk at a time.

The test of a whole chunk sets one bit per value that passes. Its loop has a fixed length and no branch, so it becomes a
few vector instructions; then only the values that passed are visited, bit by bit, from the lowest.
"""

from typing import Any

import numpy as np

from isoalign._core.compile import compiled
from isoalign._core.types import FloatVector

__all__ = ["CHUNK", "lowest_place", "mark_either", "mark_offset", "mark_scores"]

CHUNK = 32
"""Values tested at once."""

_BITS = np.uint32(1) << np.arange(CHUNK, dtype=np.uint32)
_NONE = np.uint32(0)

# The upper five bits of this number times a power of two differ for all 32 powers.
_SEQUENCE = np.uint64(0x077CB531)
_LOWER_HALF = np.uint64(0xFFFFFFFF)
_UPPER_BITS = np.uint64(27)
_PLACES = np.empty(CHUNK, dtype=np.int64)
_PLACES[(_SEQUENCE * _BITS.astype(np.uint64) & _LOWER_HALF) >> _UPPER_BITS] = np.arange(CHUNK)


@compiled()
def lowest_place(marks: Any) -> Any:
    """Return the place of the lowest bit of ``marks``, which is not 0; ``marks & (marks - 1)`` clears that bit."""
    lowest = marks & (~marks + np.uint64(1))
    return _PLACES[(lowest * _SEQUENCE & _LOWER_HALF) >> _UPPER_BITS]


@compiled()
def _score_bits(values: FloatVector, factor: Any, bias: FloatVector, floor: Any, count: int) -> Any:
    marks = _NONE
    for place in range(count):
        marks = np.uint32(marks | (_BITS[place] if factor * values[place] - bias[place] > floor else _NONE))
    return np.uint64(marks)


@compiled()
def mark_scores(values: FloatVector, start: int, factor: Any, bias: FloatVector, floor: Any) -> Any:
    """Mark values of a chunk for which ``factor * value - bias`` is above a floor.

    Where there is no bias, pass zeros: a comparison with a constant alone is compiled to code that takes six times as
    long.
    """
    end = start + CHUNK
    if end <= values.shape[0]:
        return _score_bits(values[start:end], factor, bias[start:end], floor, CHUNK)
    return _score_bits(values[start:end], factor, bias[start:end], floor, values.shape[0] - start)


@compiled()
def _either_bits(values: FloatVector, floor: Any, floors: FloatVector, count: int) -> Any:
    marks = _NONE
    for place in range(count):
        passes = (values[place] >= floor) | (values[place] >= floors[place])
        marks = np.uint32(marks | (_BITS[place] if passes else _NONE))
    return np.uint64(marks)


@compiled()
def mark_either(values: FloatVector, start: int, floor: Any, floors: FloatVector) -> Any:
    """Mark values of a chunk that reach a common floor or their own."""
    end = start + CHUNK
    if end <= values.shape[0]:
        return _either_bits(values[start:end], floor, floors[start:end], CHUNK)
    return _either_bits(values[start:end], floor, floors[start:end], values.shape[0] - start)


@compiled()
def _offset_bits(
    values: FloatVector, offset: Any, offsets: FloatVector, floor: Any, floors: FloatVector, count: int
) -> Any:
    marks = _NONE
    for place in range(count):
        passes = (values[place] - offsets[place] > floor) | (values[place] - offset > floors[place])
        marks = np.uint32(marks | (_BITS[place] if passes else _NONE))
    return np.uint64(marks)


@compiled()
def mark_offset(
    values: FloatVector, start: int, offset: Any, offsets: FloatVector, floor: Any, floors: FloatVector
) -> Any:
    """Mark values of a chunk that, less their own offset, are above a common floor, or the other way round."""
    end = start + CHUNK
    if end <= values.shape[0]:
        return _offset_bits(values[start:end], offset, offsets[start:end], floor, floors[start:end], CHUNK)
    return _offset_bits(
        values[start:end], offset, offsets[start:end], floor, floors[start:end], values.shape[0] - start
    )
