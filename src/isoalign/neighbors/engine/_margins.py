r"""Accuracy of float32 products: reject rows whose products overflow, and bound the error of the others.

A product computed in float32 is off by at most

.. math:: (d + 8)\,\bigl(2^{-24}\, s\, \lVert x \rVert \lVert y \rVert
          + 2^{-126} \max(s, 1) (1 + \lVert x \rVert + \lVert y \rVert)\bigr) + 2^{-22} \max \lvert b \rvert

for the score :math:`s\, x \cdot y - b` in :math:`d` columns and any order of summation. The second term covers numbers
below the range of normal ones, which may be rounded to zero: products everywhere, and factors on some devices.
"""

from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from isoalign._core.arrays import row_lengths
from isoalign._core.types import FloatVector, Matrix, MatrixLike
from isoalign._core.validate import check_finite, check_same_dim
from isoalign.errors import InvalidValueError

__all__ = ["as_rows", "check_products", "error_margins", "longest_row", "margins_both"]

_ROUNDING = 2.0**-24  # largest relative error of one rounding to float32
_SMALLEST = 2.0**-126  # smallest normal number
_LARGEST = 2.0**120  # leaves a factor of 256 to the end of float32 for sums of scores, biases and means


def as_rows(X: MatrixLike) -> Matrix:
    """Return a C-contiguous float32 matrix; values beyond float32 become infinite, for `check_products` to find."""
    with np.errstate(over="ignore"):
        matrix: Matrix = np.ascontiguousarray(X, dtype=np.float32)
    return matrix


def longest_row(lengths: NDArray[np.float64]) -> float:
    """Return the largest length, 0 without any, and NaN if a length is NaN."""
    return float(lengths.max(initial=0.0))


def check_products(
    X: Matrix,
    Y: Matrix,
    x_longest: float,
    y_longest: float,
    *,
    scale: float = 1.0,
    names: tuple[str, str] = ("X", "Y"),
) -> None:
    """Raise an error for rows with NaN or infinity, or whose products would overflow float32.

    Parameters
    ----------
    X, Y
        Matrices with the same number of columns. Only read to name the row in the error.
    x_longest, y_longest
        Upper bounds of the row lengths, NaN if a row contains NaN.
    scale
        Positive factor of the products.
    names
        Names of the matrices in the error.
    """
    if not scale * x_longest * y_longest <= _LARGEST:  # also if NaN
        _refuse(X, Y, names)


def _refuse(X: Matrix, Y: Matrix, names: tuple[str, str]) -> NoReturn:
    sides = []
    for matrix, name in zip((X, Y), names, strict=True):
        check_finite(matrix, name=name)
        lengths = row_lengths(matrix)
        sides.append((longest_row(lengths), name, int(lengths.argmax())))
    length, name, row = max(sides, key=lambda side: side[0])
    raise InvalidValueError(
        f"Products of {names[0]} and {names[1]} must fit in float32. "
        f"Row {row} of {name} has length {length:.3g}: products would overflow. Scale the vectors."
    )


def error_margins(
    lengths: NDArray[np.float64], longest: float, dim: int, *, scale: float = 1.0, bias: FloatVector | None = None
) -> FloatVector:
    """Bound the error of scores computed in float32, (n,).

    Parameters
    ----------
    lengths
        Lengths of the rows on one side, (n,).
    longest
        Length of the longest row on the other side.
    dim
        Number of columns.
    scale, bias
        Parameters of the score ``scale * inner product - bias``.
    """
    largest_bias = 0.0 if bias is None or not len(bias) else float(np.abs(bias).max())
    if not largest_bias <= _LARGEST:
        raise InvalidValueError(f"bias must hold finite numbers up to {_LARGEST:.3g}. Got {largest_bias}.")
    relative = _ROUNDING * abs(scale) * longest * lengths
    absolute = _SMALLEST * max(abs(scale), 1.0) * (1.0 + longest + lengths)
    absolute *= longest * lengths > 0  # products with zero are exact
    return ((dim + 8) * (relative + absolute) + 4 * _ROUNDING * largest_bias).astype(np.float32)


def margins_both(X: Matrix, Y: Matrix) -> tuple[FloatVector, FloatVector]:
    """Check two matrices that are to be multiplied, and bound the errors of the products for both sides, (n,), (m,)."""
    check_same_dim(X, Y)
    x_lengths, y_lengths = row_lengths(X), row_lengths(Y)
    x_longest, y_longest = longest_row(x_lengths), longest_row(y_lengths)
    check_products(X, Y, x_longest, y_longest)
    return error_margins(x_lengths, y_longest, X.shape[1]), error_margins(y_lengths, x_longest, X.shape[1])
