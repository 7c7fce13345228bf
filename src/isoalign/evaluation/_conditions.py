"""The two conditions that two spaces must meet for a rotation to align them."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from isoalign._core.arrays import column_mean, row_lengths
from isoalign._core.display import Tabular
from isoalign._core.types import MatrixLike

__all__ = ["Conditions", "check_conditions"]


@dataclass(frozen=True)
class Conditions(Tabular):
    r"""Distance of two spaces from equal lengths and equal means.

    An orthogonal map preserves lengths and the length of the mean, so it can align two spaces exactly only if
    translations have equal lengths and :math:`\lVert\bar x\rVert = \lVert\bar y\rVert`.

    Attributes
    ----------
    source_spread, target_spread
        Standard deviation of the lengths divided by their mean; 0 if all lengths are equal.
    source_mean, target_mean
        :math:`\lVert\bar x\rVert` and :math:`\lVert\bar y\rVert`, divided by the mean length, which makes spaces of
        different scale comparable.
    mean_difference
        Absolute difference between ``source_mean`` and ``target_mean``.

    References
    ----------
    Zhang et al. (2019), section 3. Cost: one pass over each matrix.
    """

    source_spread: float
    target_spread: float
    source_mean: float
    target_mean: float
    mean_difference: float

    def to_records(self) -> list[dict[str, Any]]:
        """Return the values as one row."""
        return [asdict(self)]


def check_conditions(X: MatrixLike, Y: MatrixLike) -> Conditions:
    """Measure how well two spaces, (n, d_s) and (m, d_t), meet the conditions."""
    (spread_x, mean_x), (spread_y, mean_y) = _lengths_and_mean(X), _lengths_and_mean(Y)
    return Conditions(spread_x, spread_y, mean_x, mean_y, abs(mean_x - mean_y))


def _lengths_and_mean(X: MatrixLike) -> tuple[float, float]:
    lengths = row_lengths(X)
    scale = float(lengths.mean()) or 1.0
    return float(lengths.std()) / scale, float(np.linalg.norm(column_mean(X))) / scale
