"""Chunks of values that pass a test, as bits."""

from collections.abc import Callable

import numpy as np
import pytest

from isoalign._core.types import FloatVector
from isoalign.neighbors.engine._marks import CHUNK, lowest_place, mark_either, mark_offset, mark_scores

LENGTHS = (1, 5, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK, 3 * CHUNK + 7)


def marked(mark: Callable[[int], np.uint64], length: int) -> list[int]:
    """Return the numbers of all values that a function marks, chunk by chunk."""
    found = []
    for start in range(0, length, CHUNK):
        marks = np.uint64(mark(start))
        while marks:
            found.append(start + int(lowest_place(marks)))
            marks &= marks - np.uint64(1)
    return found


def draw(*shape: int) -> FloatVector:
    """Return random numbers with many ties."""
    return (np.random.default_rng(shape).integers(-3, 4, shape) / 2).astype(np.float32)


@pytest.mark.parametrize("length", LENGTHS)
def test_marks_scores_above_a_floor(length: int) -> None:
    values, bias = draw(length), draw(length, 2)[:, 0].copy()
    found = marked(lambda start: mark_scores(values, start, np.float32(2.0), bias, np.float32(0.5)), length)
    assert found == np.flatnonzero(2 * values - bias > 0.5).tolist()


@pytest.mark.parametrize("length", LENGTHS)
def test_marks_values_that_reach_a_common_floor_or_their_own(length: int) -> None:
    values, floors = draw(length), draw(length, 3)[:, 0].copy()
    found = marked(lambda start: mark_either(values, start, np.float32(1.0), floors), length)
    assert found == np.flatnonzero((values >= 1.0) | (values >= floors)).tolist()


@pytest.mark.parametrize("length", LENGTHS)
def test_marks_values_less_an_offset(length: int) -> None:
    values, offsets, floors = draw(length), draw(length, 4)[:, 0].copy(), draw(length, 5)[:, 0].copy()
    found = marked(lambda start: mark_offset(values, start, np.float32(0.5), offsets, np.float32(1.0), floors), length)
    assert found == np.flatnonzero((values - offsets > 1.0) | (values - 0.5 > floors)).tolist()


def test_only_infinity_reaches_an_infinite_floor_and_nothing_compares_with_nan() -> None:
    values = np.array([np.inf, np.nan, 1.0, -np.inf], dtype=np.float32)
    floors = np.full(4, np.inf, dtype=np.float32)
    assert marked(lambda start: mark_either(values, start, np.float32(np.inf), floors), 4) == [0]
    assert (
        marked(
            lambda start: mark_scores(values, start, np.float32(1.0), np.zeros(4, np.float32), np.float32(np.nan)), 4
        )
        == []
    )


def test_every_bit_has_its_place() -> None:
    places = [int(lowest_place(np.uint64(1 << place | 1 << (CHUNK - 1)))) for place in range(CHUNK)]
    assert places == list(range(CHUNK))
