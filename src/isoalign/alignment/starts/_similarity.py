"""Words that have similar distributions of similarities to the words of their own language."""

import numpy as np

from isoalign._core.arrays import column_mean, unit_rows
from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.types import Matrix, RowPairs
from isoalign._core.validate import check_count
from isoalign.alignment._problem import Problem
from isoalign.alignment._stochastic_dictionary import union_pairs
from isoalign.alignment.starts._base import AbstractStart, Words
from isoalign.neighbors import stochastic_best

__all__ = ["Similarity", "pair_by_similarity"]

_RANK_TOLERANCE = 1e-10  # of the largest eigenvalue; smaller ones are rounding errors


def pair_by_similarity(
    X: Matrix,
    Z: Matrix,
    *,
    max_rank: int,
    k: int,
) -> RowPairs:
    r"""Pair words whose sorted similarities to all words of their own space are similar.

    .. math:: M_X = \mathrm{sorted}\bigl((X X^\top)^{1/2}\bigr), \quad M_Z = \mathrm{sorted}\bigl((Z Z^\top)^{1/2}\bigr)

    The rows of both matrices do not depend on a rotation of the spaces. They are normalised and compared by CSLS.

    Parameters
    ----------
    X, Z
        Normalised spaces (n, dim) and (m, dim), most frequent words first.
    max_rank
        Number of most frequent words to use, the same on both sides.
    k
        Neighbours in a CSLS mean.

    Returns
    -------
    pairs
        The best words in both directions, mutual ones twice.

    References
    ----------
    Artetxe, Labaka, Agirre (2018), section 3.2.
    """
    size = min(len(X), len(Z), check_count(max_rank, name="max_rank"))
    S, T = _sorted_similarities(X[:size]), _sorted_similarities(Z[:size])
    return union_pairs(stochastic_best(S, T, k=k))


def _sorted_similarities(X: Matrix) -> Matrix:
    """Return the sorted rows of the square root of the Gram matrix: unit, centered, unit."""
    values, vectors = np.linalg.eigh(X.astype(np.float64).T @ X.astype(np.float64))
    known = values > _RANK_TOLERANCE * values[-1]
    halves = X @ (vectors[:, known] * values[known] ** -0.25).astype(np.float32)
    profiles: Matrix = halves @ halves.T
    profiles.sort(axis=1)
    unit_rows(profiles, out=profiles)
    profiles -= column_mean(profiles).astype(np.float32)
    return unit_rows(profiles, out=profiles)


class Similarity(AbstractStart):
    """Pair words whose similarities to the words of their own language have similar distributions.

    Parameters
    ----------
    max_rank, k
        See `pair_by_similarity`.
    """

    def __init__(
        self,
        max_rank: int = 4000,
        k: int = 10,
    ) -> None:
        self.max_rank = max_rank
        self.k = k

    def find_pairs(
        self,
        problem: Problem,
        words: Words | None = None,  # noqa: ARG002
        *,
        progress: Progress = ignore_progress,  # noqa: ARG002
    ) -> RowPairs:
        """See `AbstractStart.find_pairs`."""
        return pair_by_similarity(*problem.candidate_rows(), **self.get_params())
