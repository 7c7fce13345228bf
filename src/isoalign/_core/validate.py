"""Check arguments; errors state the rule, the value that was given and what to do."""

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any

import numpy as np

from isoalign._core.arrays import row_blocks
from isoalign._core.spill import copy_rows
from isoalign._core.types import IntVector, Matrix, MatrixLike, RowPairs
from isoalign.errors import InvalidValueError, ParameterError, ShapeError

__all__ = [
    "check_choice",
    "check_count",
    "check_finite",
    "check_matrix",
    "check_number",
    "check_pairs",
    "check_row_pairs",
    "check_same_dim",
    "first_bad_row",
    "suggest",
]


def suggest(value: str, choices: Iterable[str]) -> str:
    """Return ``" Did you mean 'x'?"`` for the choice with the closest spelling, or an empty string."""
    close = get_close_matches(value, list(choices), n=1)
    return f" Did you mean {close[0]!r}?" if close else ""


def check_choice(value: str, choices: Iterable[str], *, name: str) -> str:
    """Return ``value`` if it is one of ``choices``."""
    choices = list(choices)
    if value not in choices:
        listed = ", ".join(repr(choice) for choice in choices)
        raise ParameterError(f"{name} must be one of {listed}. Got {value!r}.{suggest(str(value), choices)}")
    return value


def check_count(value: Any, *, name: str, minimum: int = 1) -> int:
    """Return ``value`` as an int if it is a whole number of at least ``minimum``."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < minimum:
        raise ParameterError(f"{name} must be a whole number of at least {minimum}. Got {value!r}.")
    return int(value)


def check_number(value: Any, *, name: str) -> float:
    """Return ``value`` as a float if it is a real number."""
    if isinstance(value, bool) or not isinstance(value, (int, float, np.integer, np.floating)):
        raise ParameterError(f"{name} must be a number. Got {value!r}.")
    return float(value)


def first_bad_row(X: MatrixLike) -> int | None:
    """Return the first row that contains NaN or infinity."""
    for rows in row_blocks(len(X)):
        # The sum of squares is finite unless a value is not finite or it overflows: only then check every value.
        values = X[rows].reshape(-1)
        with np.errstate(over="ignore", invalid="ignore"):
            if np.isfinite(values @ values):
                continue
        bad = ~np.isfinite(X[rows]).all(axis=1)
        if bad.any():
            return int(rows.start + bad.argmax())
    return None


def check_finite(X: Matrix, *, name: str = "X") -> None:
    """Raise an error that names the first row with NaN or infinity, if there is one."""
    row = first_bad_row(X)
    if row is not None:
        raise InvalidValueError(f"{name} must be finite. Row {row} contains NaN or infinity. Drop or repair that row.")


def check_matrix(X: Any, *, name: str = "X", copy: bool = False, finite: bool = True) -> Matrix:
    """Return ``X`` as a C-contiguous float32 matrix, copied only if necessary or requested.

    ``finite=False`` skips the check for NaN and infinity, for callers that read every value anyway.
    """
    if hasattr(X, "toarray"):
        raise ShapeError(f"{name} must be dense. Got sparse data, {type(X).__name__}. Convert it with X.toarray().")
    if hasattr(X, "vectors") and hasattr(X, "index_to_key"):
        raise ShapeError(
            f"{name} must be a matrix. Got {type(X).__name__}. Pass its .vectors, or use isoalign.normalize."
        )
    X = np.asarray(X)
    if X.dtype == object:  # may contain numbers; Python raises an error for anything else
        X = X.astype(np.float64)
    if X.ndim != 2:
        raise ShapeError(
            f"{name} must be a matrix with one row per word. Got shape {X.shape}. Reshape your data to 2 dimensions."
        )
    if X.dtype.kind not in "fiub":
        what = "Complex data not supported" if X.dtype.kind == "c" else f"Got {X.dtype}"
        raise ShapeError(f"{name} must contain real numbers. {what}. Convert it to float32.")
    if X.size == 0:
        raise ShapeError(
            f"{name} must have at least 1 row and 1 column. Got {X.shape[0]} sample(s), {X.shape[1]} feature(s) "
            f"(shape={X.shape}) while a minimum of 1 is required."
        )
    with np.errstate(over="ignore"):  # values beyond the range of float32 become infinite and are reported below
        as_it_is = not copy and X.dtype == np.float32 and X.flags.c_contiguous
        matrix: Matrix = X if as_it_is else copy_rows(X)
    if finite:
        check_finite(matrix, name=name)
    return matrix


def check_same_dim(X: MatrixLike, Y: MatrixLike, *, what: str = "X and Y") -> None:
    """Raise an error if matrices have different numbers of columns."""
    if X.shape[1] != Y.shape[1]:
        raise ShapeError(f"{what} must have the same number of columns. Got {X.shape[1]} and {Y.shape[1]}.")


def check_pairs(X: Any, Y: Any, *, same_dim: bool = True) -> tuple[Matrix, Matrix]:
    """Return paired rows as float32 matrices of the same length."""
    X, Y = check_matrix(X, name="X"), check_matrix(Y, name="Y")
    if len(X) != len(Y) or (same_dim and X.shape != Y.shape):
        raise ShapeError(f"X and Y must have equal shapes. Got {X.shape} and {Y.shape}. Pass paired rows.")
    return X, Y


def check_row_pairs(pairs: Any, *, n: int, m: int) -> RowPairs:
    """Return row numbers as an int64 array (p, 2) whose columns index ``n`` and ``m`` rows."""
    array: IntVector = np.asarray(pairs)
    if array.size == 0:
        return np.empty((0, 2), dtype=np.int64)
    if array.ndim != 2 or array.shape[1] != 2 or array.dtype.kind not in "iu":
        raise ShapeError(f"pairs must be whole numbers of shape (p, 2). Got shape {array.shape}, {array.dtype}.")
    if array.min() < 0 or array[:, 0].max() >= n or array[:, 1].max() >= m:
        raise ShapeError(
            f"pairs must contain row numbers below {n} and {m}. Got {array.min(axis=0)} to {array.max(axis=0)}."
        )
    return array.astype(np.int64, copy=False)
