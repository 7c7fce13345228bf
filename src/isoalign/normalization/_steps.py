"""The single steps that chains are made of: unit length, zero mean, both in turn, or nothing."""

import warnings

import numpy as np
from numpy.typing import NDArray

from isoalign._arrays import column_mean, row_blocks
from isoalign._threads import map_threads
from isoalign._types import Matrix
from isoalign.errors import IsoalignWarning
from isoalign.normalization._base import AbstractNormalizer
from isoalign.normalization._kernels import VANISHED, center_unit

__all__ = ["Center", "CenterLength", "Identity", "Unit", "warn_zero_rows"]


class Identity(AbstractNormalizer):
    """Leave vectors as they are; the row ``none`` of a comparison."""

    def _learn(self, X: Matrix) -> None:
        """Learn nothing."""

    def _apply(self, X: Matrix) -> None:
        """Change nothing."""


class Unit(AbstractNormalizer):
    """Scale every row to length one: ``x / ‖x‖``.

    Zero rows stay zero, with one warning that counts them.

    Examples
    --------
    >>> Unit().fit_transform([[3.0, 4.0]])
    array([[0.6, 0.8]], dtype=float32)
    """

    def _learn(self, X: Matrix) -> None:
        """Learn nothing: a row's length is its own."""

    def _apply(self, X: Matrix) -> None:
        warn_zero_rows(center_unit(X, np.zeros(X.shape[1])).n_lost, "They stay zero.")


class Center(AbstractNormalizer):
    """Subtract the mean row: ``x - mean``.

    Attributes
    ----------
    mean_
        (dim,), float64: the mean of the fitted rows.
    """

    _learned = ("mean_",)

    mean_: NDArray[np.float64]

    def _learn(self, X: Matrix) -> None:
        self.mean_ = column_mean(X)

    def _apply(self, X: Matrix) -> None:
        def subtract(rows: slice) -> None:
            np.subtract(X[rows], self.mean_, out=X[rows], casting="unsafe")

        map_threads(subtract, row_blocks(len(X)))


class CenterLength(AbstractNormalizer):
    """Subtract the mean row, then scale every row to length one ("C+L").

    The second step undoes the first: the result has unit lengths but its mean is not zero. `IterNorm` has both.

    Attributes
    ----------
    mean_
        (dim,), float64: the mean of the fitted rows.

    References
    ----------
    Artetxe, Labaka and Agirre (2016) have the opposite order, unit then center, which is ``"unit,center"`` here.
    """

    _learned = ("mean_",)

    mean_: NDArray[np.float64]

    def _learn(self, X: Matrix) -> None:
        self.mean_ = column_mean(X)

    def _apply(self, X: Matrix) -> None:
        shortest = VANISHED * float(np.linalg.norm(self.mean_))
        warn_zero_rows(center_unit(X, self.mean_, shortest=shortest).n_lost, "They lie at the mean.")


def warn_zero_rows(n: int, outcome: str) -> None:
    """Warn once, with a count, about rows that have no direction."""
    if n:
        warnings.warn(f"{n} row(s) are zero and have no direction. {outcome}", IsoalignWarning, stacklevel=4)
