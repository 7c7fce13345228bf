"""Normalisers that change the principal directions: whitening, and removal of the first directions."""

import warnings

import numpy as np
from numpy.typing import NDArray

from isoalign._core.arrays import row_blocks
from isoalign._core.types import Matrix
from isoalign._core.validate import check_count, check_number
from isoalign.errors import IsoalignWarning, ParameterError
from isoalign.normalization._base import AbstractNormalizer
from isoalign.normalization._row_parts import RowParts
from isoalign.normalization._spectrum import covariance

__all__ = ["RemoveTop", "Whiten"]


class Whiten(AbstractNormalizer):
    """Give rows zero mean and identity covariance: ``(x - mean) C^(-1/2)`` with the covariance ``C``.

    Of all whitening matrices, the symmetric one changes the rows least.

    Parameters
    ----------
    rcond
        Directions whose variance is at most ``rcond`` times the largest variance are set to zero, with one warning
        that counts them.

    Attributes
    ----------
    mean_
        (dim,), float64: mean of the fitted rows.
    matrix_
        (dim, dim), float64: ``C^(-1/2)``.
    """

    _learned = ("mean_", "matrix_")

    mean_: NDArray[np.float64]
    matrix_: NDArray[np.float64]

    def __init__(self, rcond: float = 1e-10) -> None:
        self.rcond = rcond

    def _learn(self, X: Matrix) -> None:
        self._whiten(*covariance(X))

    def _learn_parts(self, rows: RowParts) -> None:
        self._whiten(*rows.covariance())

    def _whiten(self, mean: NDArray[np.float64], moment: NDArray[np.float64]) -> None:
        if not 0 <= check_number(self.rcond, name="rcond") < 1:
            raise ParameterError(f"rcond must be in [0, 1). Got {self.rcond!r}.")
        self.mean_ = mean
        variances, directions = np.linalg.eigh(moment)
        kept = variances > max(self.rcond * variances[-1], 0.0)
        if not kept.all():
            warnings.warn(
                f"{len(kept) - kept.sum()} of {len(kept)} directions have no variance and become zero.",
                IsoalignWarning,
                stacklevel=5,
            )
        directions = directions[:, kept]
        self.matrix_ = (directions / np.sqrt(variances[kept])) @ directions.T

    def _apply(self, X: Matrix) -> None:
        for rows in row_blocks(len(X)):
            X[rows] = (X[rows] - self.mean_) @ self.matrix_


class RemoveTop(AbstractNormalizer):
    """Subtract the mean and remove the first principal directions: ``z - Σᵢ (z·uᵢ) uᵢ`` with ``z = x - mean``.

    Parameters
    ----------
    n
        Number of directions to remove; the paper suggests dim / 100.

    Attributes
    ----------
    mean_
        (dim,), float64: mean of the fitted rows.
    directions_
        (n, dim), float64: the removed directions, in descending order of variance.

    References
    ----------
    Mu and Viswanath (2018), "All-but-the-Top", Algorithm 1, with the centred row ``z`` in the projection as well.
    """

    _learned = ("mean_", "directions_")

    mean_: NDArray[np.float64]
    directions_: NDArray[np.float64]

    def __init__(self, n: int = 3) -> None:
        self.n = n

    def _learn(self, X: Matrix) -> None:
        self._remove(*covariance(X))

    def _learn_parts(self, rows: RowParts) -> None:
        self._remove(*rows.covariance())

    def _remove(self, mean: NDArray[np.float64], moment: NDArray[np.float64]) -> None:
        n = check_count(self.n, name="n", minimum=0)
        if n >= len(mean):
            raise ParameterError(
                f"n must be smaller than the number of columns. Got {n}, and X has {len(mean)} feature(s)."
            )
        self.mean_ = mean
        _, directions = np.linalg.eigh(moment)
        self.directions_ = np.ascontiguousarray(directions[:, ::-1][:, :n].T)

    def _apply(self, X: Matrix) -> None:
        for rows in row_blocks(len(X)):
            centered = X[rows] - self.mean_
            X[rows] = centered - (centered @ self.directions_.T) @ self.directions_
