"""Spectral normalisation: rounds of centring, limiting the largest singular values, and scaling to unit length."""

import numpy as np

from isoalign._core.arrays import row_blocks
from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.threads import map_threads, single_threaded_blas
from isoalign._core.types import Doubles, Matrix
from isoalign._core.validate import check_count
from isoalign.normalization._base import AbstractNormalizer
from isoalign.normalization._kernels import VANISHED
from isoalign.normalization._spectrum import covariance
from isoalign.normalization._steps import warn_zero_rows

__all__ = ["SpecNorm", "limit_spectrum"]

_LIMIT = 2.0  # times the root mean square of the singular values
_BLOCK_ROWS = 2048


def limit_spectrum(moment: Doubles) -> Doubles:
    r"""Return the matrix :math:`M` that limits the singular values of :math:`XM` to twice their root mean square.

    .. math:: M = I - \sum_{\sigma_i > 2\eta} \Bigl(1 - \frac{2\eta}{\sigma_i}\Bigr) v_i v_i^\top,
        \qquad \eta^2 = \frac1d \sum_i \sigma_i^2

    where :math:`\sigma_i` and :math:`v_i` are the singular values and right singular vectors of :math:`X`.

    Parameters
    ----------
    moment
        :math:`X^\top X` up to a factor, (dim, dim).
    """
    squares, directions = np.linalg.eigh(moment)
    limit = _LIMIT**2 * float(squares.mean())
    large = squares > limit
    V = directions[:, large]
    matrix: Doubles = np.eye(len(moment)) - (V * (1 - np.sqrt(limit / squares[large]))) @ V.T
    return matrix


class SpecNorm(AbstractNormalizer):
    r"""Centre, limit the largest singular values and scale to unit length, in rounds.

    One round subtracts the mean of the rows, reduces every singular value above :math:`2\eta` to :math:`2\eta`, where
    :math:`\eta` is the root mean square of the singular values, and scales every row to unit length. Without the second
    step these are the rounds of Iterative Normalization, beginning with centring.

    The mean and the matrix of each round are stored, so new vectors go through the same rounds. Zero rows, and rows
    equal to the mean, become zero, with one warning that counts them.

    Parameters
    ----------
    n_iter
        Number of rounds.

    Attributes
    ----------
    means_
        (n_iter, dim), float64: the mean that each round subtracts.
    matrices_
        (n_iter, dim, dim), float64: the matrix that each round multiplies with; see `limit_spectrum`.

    References
    ----------
    Aboagye et al. (2022), "Normalization of Language Embeddings for Cross-Lingual Alignment". The singular values come
    from the (dim, dim) second moment, so no decomposition of the whole matrix is needed.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = SpecNorm().fit_transform(rng.standard_normal((500, 8)) + 1)
    >>> bool(np.linalg.norm(X.mean(axis=0)) < 0.01)
    True
    """

    _learned = ("means_", "matrices_")

    means_: Doubles
    matrices_: Doubles

    def __init__(self, n_iter: int = 5) -> None:
        self.n_iter = n_iter

    def _learn(self, X: Matrix) -> None:
        self._learn_and_apply(X.copy(), ignore_progress)

    def _learn_and_apply(self, X: Matrix, progress: Progress) -> None:
        n_iter, dim = check_count(self.n_iter, name="n_iter"), X.shape[1]
        self.means_, self.matrices_ = np.empty((n_iter, dim)), np.empty((n_iter, dim, dim))
        for number in range(n_iter):
            with single_threaded_blas():  # on blocks of this size its threads cost more than they gain
                self.means_[number], moment = covariance(X)
                self.matrices_[number] = limit_spectrum(moment)
            n_zero = _apply_round(X, self.means_[number], self.matrices_[number])
            progress("normalize", number + 1, n_iter)
        warn_zero_rows(n_zero, "They stay zero.")

    def _apply(self, X: Matrix) -> None:
        for mean, matrix in zip(self.means_, self.matrices_, strict=True):
            n_zero = _apply_round(X, mean, matrix)
        warn_zero_rows(n_zero, "They stay zero.")


def _apply_round(X: Matrix, mean: Doubles, matrix: Doubles) -> int:
    """Change rows in place, block by block, and return the number of rows that are zero afterwards."""
    shortest = VANISHED * float(np.linalg.norm(mean))

    def change(rows: slice) -> int:
        centered = X[rows] - mean
        lost = ~X[rows].any(axis=1) | (np.linalg.norm(centered, axis=1) <= shortest)
        result = centered @ matrix
        result[lost] = 0
        X[rows] = result / np.where(lost, 1, np.linalg.norm(result, axis=1))[:, None]
        return int(lost.sum())

    with single_threaded_blas():
        return sum(map_threads(change, row_blocks(len(X), _BLOCK_ROWS)))
