"""A linear map with a smooth correction of its residuals."""

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from isoalign._core.arrays import unit_rows
from isoalign._core.state import State, nest_state, part_of_state
from isoalign._core.types import Matrix
from isoalign.maps import AbstractMap, MatrixMap
from isoalign.maps._kernel import add_correction, fit_correction
from isoalign.migration._methods._corrected import AbstractCorrectedMap
from isoalign.migration._methods._grid import with_grid
from isoalign.migration._methods._ridge import ridge_solution
from isoalign.migration._pairs import PairedRows

__all__ = ["MAX_ANCHORS", "KernelResidualMap", "fit_kernel"]

MAX_ANCHORS = 6000
"""Anchors at most: memory grows with their square, time with their cube."""


class KernelResidualMap(AbstractCorrectedMap):
    r"""Add a kernel regression of the residuals to an affine map.

    .. math:: x \mapsto x W + b + \sum_i k(x, a_i)\, \alpha_i, \quad
              k(x, a) = \exp((\mathrm{unit}(x - m) \cdot a - 1) / h)

    Parameters
    ----------
    base
        The affine map.
    center
        m, subtracted before rows are compared with anchors, (dim_in,).
    anchors
        a, unit rows (n, dim_in).
    coefficients
        α, (n, dim_out).
    bandwidth
        h; the larger, the smoother the correction.
    """

    def __init__(self, base: MatrixMap, center: Any, anchors: Any, coefficients: Any, *, bandwidth: float) -> None:
        super().__init__(base, center)
        self.anchors = np.array(anchors, dtype=np.float32)
        self.coefficients = np.array(coefficients, dtype=np.float32)
        self.bandwidth = float(bandwidth)

    def _apply(self, X: Matrix) -> Matrix:
        result = self.base._apply(X)
        units = unit_rows(X - self.center)
        add_correction(result, units, self.anchors, self.coefficients, bandwidth=self.bandwidth)
        return result

    def describe(self) -> dict[str, Any]:
        """Return the bandwidth."""
        return {"bandwidth": self.bandwidth}

    def get_state(self) -> State:
        """Return the affine map, the mean, the anchors and their coefficients."""
        own = {"center": self.center, "anchors": self.anchors, "coefficients": self.coefficients}
        return own | nest_state("base", self.base.get_state())

    @classmethod
    def from_state(cls, description: Mapping[str, Any], state: Mapping[str, NDArray[Any]]) -> Self:
        """Restore the map."""
        base = MatrixMap.from_state({}, part_of_state("base", state))
        own = [state[name] for name in ("center", "anchors", "coefficients")]
        return cls(base, *own, bandwidth=description["bandwidth"])


@with_grid(ridge=(0.01, 0.1, 1.0), bandwidth=(0.3, 0.6), penalty=(0.1, 0.3, 1.0))
def fit_kernel(
    pairs: PairedRows,
    *,
    ridge: float = 0.1,
    bandwidth: float = 0.6,
    penalty: float = 0.3,
    anchors: int = MAX_ANCHORS,
) -> AbstractMap:
    r"""Fit a ridge map, then a kernel regression of its residuals: :math:`\alpha = (K + \lambda I)^{-1} R`.

    Parameters
    ----------
    pairs
        The rows; the ridge map is fitted on all of them.
    ridge
        Penalty of the ridge map, in units of the mean eigenvalue.
    bandwidth
        Width of the kernel.
    penalty
        :math:`\lambda`.
    anchors
        Maximum number of kernels; with more pairs they are placed at evenly spaced ones and fitted to all residuals.
    """
    base = pairs.affine(ridge_solution(pairs, ridge))
    units = unit_rows(pairs.X - pairs.x_mean.astype(np.float32))
    used = fit_correction(
        units, pairs.Y - base._apply(pairs.X), bandwidth=bandwidth, penalty=penalty, max_anchors=anchors
    )
    return pairs.finish(KernelResidualMap(base, pairs.x_mean, *used, bandwidth=bandwidth))
