"""Detect vectors of another model before they are mixed with those of the right one."""

from typing import Any, NamedTuple

import numpy as np

from isoalign._core.arrays import column_mean, row_lengths
from isoalign._core.types import DoubleVector, Matrix
from isoalign.errors import InvalidValueError, ShapeError

__all__ = ["Statistics", "check_vectors", "measure_vectors"]

_LENGTHS = (0.8, 1.25)  # ratio of mean lengths
_COSINE = 0.5  # of the mean vectors; queries and passages of one model have about 0.7, other models below 0.4
_NOISE = 4.0  # a mean shorter than this many standard errors has no direction


class Statistics(NamedTuple):
    """Statistics of the vectors of one model: their mean, the spread around it, and their mean length."""

    mean: DoubleVector
    spread: float
    length: float


def measure_vectors(X: Matrix) -> Statistics:
    """Return the statistics of rows (n, dim)."""
    mean, lengths = column_mean(X), row_lengths(X)
    return Statistics(mean, float(np.sqrt(max((lengths**2).mean() - mean @ mean, 0.0))), float(lengths.mean()))


def check_vectors(X: Matrix, fitted: Statistics, *, name: str, advice: str) -> None:
    """Raise an error for rows that clearly come from another model than those that the adapter was fitted on.

    Parameters
    ----------
    X
        Rows (n, dim).
    fitted
        Statistics of the rows that the adapter was fitted on.
    name
        Where the rows come from.
    advice
        What to do if they are right after all.

    Raises
    ------
    ShapeError
        If the dimension differs.
    InvalidValueError
        If the mean length or the direction of the mean is far from that of the fitted rows.
    """
    if X.shape[1] != len(fitted.mean):
        raise ShapeError(
            f"{name}: the adapter takes vectors of dimension {len(fitted.mean)}. Got {X.shape[1]}. "
            "Are they from another model?"
        )
    found = measure_vectors(X)
    ratio = found.length / fitted.length if fitted.length else 1.0
    if not _LENGTHS[0] <= ratio <= _LENGTHS[1]:
        raise InvalidValueError(
            f"{name}: the mean length of its vectors is {found.length:.4g}, but {fitted.length:.4g} of those that the "
            f"adapter was fitted on. Are they from another model, or scaled? {advice}"
        )
    cosine = _mean_cosine(found, fitted, len(X))
    if cosine is not None and cosine < _COSINE:
        raise InvalidValueError(
            f"{name}: the cosine between the mean of its vectors and the mean that the adapter was fitted on is "
            f"{cosine:.2f}, below {_COSINE}. Are they from another model? {advice}"
        )


def _mean_cosine(found: Statistics, fitted: Statistics, n: int) -> float | None:
    """Return the cosine of two means, or None where one of them is too short to have a direction."""
    sizes: Any = np.linalg.norm(found.mean), np.linalg.norm(fitted.mean)
    noise = _NOISE * max(found.spread, fitted.spread) / np.sqrt(n)
    if min(sizes) <= noise:
        return None
    return float(found.mean @ fitted.mean / (sizes[0] * sizes[1]))
