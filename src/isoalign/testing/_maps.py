"""Contract of maps."""

import json
from collections.abc import Callable

import numpy as np

from isoalign.errors import ShapeError
from isoalign.maps import AbstractMap, describe_map, restore_map
from isoalign.testing._planted import assert_refuses

__all__ = ["MAP_CHECKS", "check_map"]


def check_map(one: AbstractMap) -> None:
    """Run every check of a map whose class is registered; the first that fails raises AssertionError."""
    for check in MAP_CHECKS:
        check(one)


def _rows(one: AbstractMap) -> "np.ndarray[tuple[int, int], np.dtype[np.float32]]":
    return np.random.default_rng(0).standard_normal((7, one.dim_in)).astype(np.float32)


def maps_rows_one_by_one(one: AbstractMap) -> None:
    """Check that a row is mapped independently of the others, and that the argument is not changed."""
    X = _rows(one)
    before = X.copy()
    whole = one.apply(X)
    assert whole.shape == (7, one.dim_out)
    assert whole.dtype == np.float32
    np.testing.assert_allclose(np.vstack([one.apply(row[None]) for row in X]), whole, atol=1e-5)
    np.testing.assert_array_equal(X, before)


def maps_into_a_given_matrix(one: AbstractMap) -> None:
    """Check that rows mapped into the memory of the caller have the same bits, and that the argument is not changed."""
    X = _rows(one)
    before, out = X.copy(), np.full((7, one.dim_out), np.nan, dtype=np.float32)
    one._apply_into(X, out)
    np.testing.assert_array_equal(out, one.apply(before))
    np.testing.assert_array_equal(X, before)


def survives_json_and_arrays(one: AbstractMap) -> None:
    """Check that description and state restore the map bit for bit."""
    restored = restore_map(json.loads(json.dumps(describe_map(one))), one.get_state())
    np.testing.assert_array_equal(restored.apply(_rows(one)), one.apply(_rows(one)))
    assert repr(restored) == repr(one)


def reports_linearity(one: AbstractMap) -> None:
    """Check that a linear map is a product with its matrix; another map has none."""
    matrix = one.to_matrix()
    assert one.is_linear == (matrix is not None)
    if matrix is not None:
        np.testing.assert_allclose(one.apply(_rows(one)), _rows(one) @ matrix, atol=1e-4)
        np.testing.assert_array_equal(np.asarray(one), matrix)
    else:
        assert_refuses(TypeError, lambda: np.asarray(one))


def refuses_other_columns(one: AbstractMap) -> None:
    """Check that rows of another dimension are an error."""
    assert_refuses(ShapeError, lambda: one.apply(np.ones((2, one.dim_in + 1), dtype=np.float32)))


MAP_CHECKS: tuple[Callable[[AbstractMap], None], ...] = (
    maps_rows_one_by_one,
    maps_into_a_given_matrix,
    survives_json_and_arrays,
    reports_linearity,
    refuses_other_columns,
)
"""Every check of a map."""
