"""Elementary normalisers: unit length, zero mean, one after the other, or nothing."""

import warnings

import numpy as np
from numpy.typing import NDArray

from isoalign._core.arrays import column_mean, row_blocks
from isoalign._core.threads import map_threads
from isoalign._core.types import Matrix
from isoalign._core.validate import first_bad_row
from isoalign.errors import InvalidValueError, IsoalignWarning
from isoalign.normalization._base import AbstractNormalizer, RowStep
from isoalign.normalization._kernels import VANISHED, center_unit
from isoalign.normalization._row_parts import RowParts

__all__ = ["Center", "CenterLength", "Identity", "Unit", "warn_zero_rows"]


class Identity(AbstractNormalizer):
    """Leave vectors unchanged (``"none"``)."""

    def _learn(self, X: Matrix) -> None:
        """Learn nothing."""

    def _learn_parts(self, rows: RowParts) -> None:
        """Learn nothing."""

    def _apply(self, X: Matrix) -> None:
        """Change nothing."""

    def scaling_steps(self) -> list[RowStep]:
        """Return no steps."""
        return []


class Unit(AbstractNormalizer):
    """Scale every row to unit length: ``x / ‖x‖``.

    Zero rows stay zero, with one warning that counts them.

    Examples
    --------
    >>> Unit().fit_transform([[3.0, 4.0]])
    array([[0.6, 0.8]], dtype=float32)
    """

    def _learn(self, X: Matrix) -> None:
        """Learn nothing."""

    def _learn_parts(self, rows: RowParts) -> None:
        """Learn nothing."""

    def _apply(self, X: Matrix) -> None:
        warn_zero_rows(center_unit(X, np.zeros(X.shape[1])).n_lost, "They stay zero.")

    def scaling_steps(self) -> list[RowStep]:
        """Return one scaling step."""
        return [None]


class _AbstractCentering(AbstractNormalizer):
    """Learn the mean of the rows."""

    _learned = ("mean_",)

    mean_: NDArray[np.float64]

    def _learn(self, X: Matrix) -> None:
        self.mean_ = column_mean(X)

    def _learn_parts(self, rows: RowParts) -> None:
        self.mean_ = rows.column_mean()


class Center(_AbstractCentering):
    """Subtract the mean from every row: ``x - mean``.

    Attributes
    ----------
    mean_
        (dim,), float64: the mean of the fitted rows.
    """

    def _apply(self, X: Matrix) -> None:
        def subtract(rows: slice) -> None:
            try:
                with np.errstate(over="raise"):
                    np.subtract(X[rows], self.mean_, out=X[rows], casting="unsafe")
            except FloatingPointError:
                row = rows.start + (first_bad_row(X[rows]) or 0)
                raise InvalidValueError(
                    f"X minus its mean must be finite. Row {row} has numbers too large for float32. Scale X down."
                ) from None

        map_threads(subtract, row_blocks(len(X)))

    def scaling_steps(self) -> list[RowStep]:
        """Return one centring step."""
        return [self.mean_]


class CenterLength(_AbstractCentering):
    """Subtract the mean from every row, then scale every row to unit length ("C+L").

    Scaling moves the mean, so the result has unit lengths but not exactly zero mean. `IterNorm` achieves both.

    Attributes
    ----------
    mean_
        (dim,), float64: the mean of the fitted rows.

    References
    ----------
    Artetxe, Labaka and Agirre (2016) use the opposite order, which is ``"unit,center"`` here.
    """

    def _apply(self, X: Matrix) -> None:
        shortest = VANISHED * float(np.linalg.norm(self.mean_))
        warn_zero_rows(center_unit(X, self.mean_, shortest=shortest).n_lost, "They lie at the mean.")

    def scaling_steps(self) -> list[RowStep]:
        """Return a centring and a scaling step."""
        return [self.mean_, None]


def warn_zero_rows(n: int, outcome: str) -> None:
    """Warn once, with a count, about rows without a direction."""
    if n:
        warnings.warn(f"{n} row(s) are zero and have no direction. {outcome}", IsoalignWarning, stacklevel=4)
