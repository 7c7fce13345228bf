"""A query stage that corrects the residuals of a linear map."""

from collections.abc import Mapping
from copy import copy
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from isoalign._core.arrays import row_lengths, unit_rows
from isoalign._core.state import State
from isoalign._core.types import Matrix, RowPairs
from isoalign._core.validate import check_finite
from isoalign.errors import FormatError
from isoalign.maps._base import AbstractMap
from isoalign.maps._kernel import apply_correction, fit_correction, mean_residuals

__all__ = ["KernelCorrection"]

_UNIT_TOLERANCE = 1e-3


class KernelCorrection(AbstractMap):
    r"""Move a row by the kernel-weighted residuals of its dictionary neighbours.

    .. math:: x \mapsto \mathrm{unit}\Big(x + \sum_i \exp\big((x \cdot u_i - 1) / h\big)\, \alpha_i\Big), \qquad
        \alpha = (K + \lambda I)^{-1} R

    The anchors :math:`u_i` are dictionary words in the shared space, and :math:`r_i` is the mean of their translations
    minus :math:`u_i`.

    Parameters
    ----------
    anchors
        Rows of unit length, (n, dim).
    coefficients
        :math:`\alpha`, (n, dim).
    bandwidth
        h.
    omit_self
        Correct a row that is an anchor by the other anchors only.
    """

    def __init__(self, anchors: Matrix, coefficients: Matrix, bandwidth: float, *, omit_self: bool = False) -> None:
        self.anchors = np.ascontiguousarray(anchors, dtype=np.float32)
        self.coefficients = np.ascontiguousarray(coefficients, dtype=np.float32)
        self.bandwidth = float(bandwidth)
        self.omit_self = omit_self
        if self.anchors.ndim != 2 or self.anchors.shape != self.coefficients.shape or not self.bandwidth > 0:
            raise FormatError(
                f"A kernel correction needs one coefficient row per anchor and a positive bandwidth. Got anchors "
                f"{self.anchors.shape}, coefficients {self.coefficients.shape}, bandwidth {bandwidth!r}."
            )
        check_finite(self.coefficients, name="coefficients")
        lengths = row_lengths(self.anchors)
        if not np.abs(lengths[lengths > 0] - 1).max(initial=0.0) <= _UNIT_TOLERANCE:
            raise FormatError("The anchors of a kernel correction must be rows of unit length.")

    @classmethod
    def fit(
        cls,
        U: Matrix,
        V: Matrix,
        pairs: RowPairs,
        *,
        bandwidth: float = 0.25,
        penalty: float = 1.0,
        omit_self: bool = False,
    ) -> Self:
        r"""Learn the correction of queries U that are searched for in V.

        Parameters
        ----------
        U, V
            Both sides in the shared space, rows of unit length.
        pairs
            Row pairs of the dictionary.
        bandwidth, penalty
            h and :math:`\lambda`.
        omit_self
            See `KernelCorrection`.
        """
        rows, residuals = mean_residuals(U, V, pairs)
        return cls(
            *fit_correction(U[rows], residuals, bandwidth=bandwidth, penalty=penalty), bandwidth, omit_self=omit_self
        )

    @property
    def dim_in(self) -> int:
        """Number of columns of the shared space."""
        return int(self.anchors.shape[1])

    @property
    def dim_out(self) -> int:
        """Number of columns of the shared space."""
        return self.dim_in

    def _apply(self, X: Matrix) -> Matrix:
        return apply_correction(
            unit_rows(X), self.anchors, self.coefficients, bandwidth=self.bandwidth, omit_self=self.omit_self
        )

    def as_fitted(self) -> "KernelCorrection":
        """Return the correction with ``omit_self=False``."""
        if not self.omit_self:
            return self
        fitted = copy(self)
        fitted.omit_self = False
        return fitted

    def describe(self) -> dict[str, Any]:
        """Return the bandwidth and ``omit_self``."""
        return {"bandwidth": self.bandwidth, "omit_self": self.omit_self}

    def get_state(self) -> State:
        """Return anchors and coefficients."""
        return {"anchors": self.anchors, "coefficients": self.coefficients}

    @classmethod
    def from_state(cls, description: Mapping[str, Any], state: Mapping[str, NDArray[Any]]) -> Self:
        """Restore the correction."""
        return cls(
            state["anchors"],
            state["coefficients"],
            description["bandwidth"],
            omit_self=bool(description["omit_self"]),
        )
