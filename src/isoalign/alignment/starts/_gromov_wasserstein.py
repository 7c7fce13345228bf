"""Transport the words of one space to those of another so that distances within the spaces are preserved."""

import logging
import warnings

import numpy as np
from numpy.typing import NDArray

from isoalign._core.arrays import unit_rows
from isoalign._core.optional import import_extra
from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.types import Matrix, RowPairs
from isoalign._core.validate import check_choice, check_count
from isoalign.alignment._problem import Problem
from isoalign.alignment.starts._base import AbstractStart, Words
from isoalign.alignment.starts._from_map import pairs_from_plan

__all__ = ["GromovWasserstein", "pair_by_gromov_wasserstein"]

_LOG = logging.getLogger(__name__)


def pair_by_gromov_wasserstein(
    X: Matrix,
    Z: Matrix,
    *,
    max_rank: int,
    epsilons: tuple[float, ...],
    weights: str,
    max_iter: int,
) -> RowPairs:
    r"""Pair words by the entropic Gromov–Wasserstein plan of their cosine distances.

    .. math:: \min_{T \in \Pi(p, q)} \sum_{i,j,k,l} (C^X_{ik} - C^Z_{jl})^2 \, T_{ij} T_{kl} - \varepsilon H(T)

    Parameters
    ----------
    X, Z
        Normalised spaces (n, d_s) and (m, d_t), most frequent words first; dimensions may differ.
    max_rank
        Use the most frequent words.
    epsilons
        Strengths of the entropy, decreasing; each solution is the start of the next. The first that is too small for
        the solver ends the series.
    weights
        Weights of the words: ``"uniform"``, or ``"frequency"`` for 1/rank as in Zipf's law.
    max_iter
        Outer iterations for each strength.

    Returns
    -------
    pairs
        The largest entry of every row and column of the plan, mutual ones twice.

    References
    ----------
    Alvarez-Melis, Jaakkola (2018). Solved by POT.
    """
    gromov = import_extra("ot.gromov", extra="ot")
    check_choice(weights, ("uniform", "frequency"), name="weights")
    max_rank = check_count(max_rank, name="max_rank")
    A, B = (_cosine_distances(side[:max_rank]) for side in (X, Z))
    p, q = (_weights(len(side), weights) for side in (A, B))
    plan = np.outer(p, q)
    for epsilon in epsilons:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            try:
                found, log = gromov.entropic_gromov_wasserstein(
                    A,
                    B,
                    p,
                    q,
                    epsilon=epsilon,
                    symmetric=True,
                    G0=plan,
                    max_iter=max_iter,
                    tol=1e-8,
                    log=True,
                    warn=False,
                )
            except (UserWarning, RuntimeWarning):
                _LOG.info("Gromov-Wasserstein: epsilon %g is too small for the solver", epsilon)
                break
        plan = found
        _LOG.info("Gromov-Wasserstein: epsilon %g, objective %.6f", epsilon, log["gw_dist"])
    return pairs_from_plan(plan)


def _cosine_distances(X: Matrix) -> NDArray[np.float64]:
    """Return cosine distances within a space, divided by their mean."""
    unit = unit_rows(X).astype(np.float64)
    distances = 1.0 - unit @ unit.T
    np.fill_diagonal(distances, 0.0)
    distances = (distances + distances.T) / 2
    distances /= max(float(distances.mean()), np.finfo(np.float64).tiny)
    return distances


def _weights(n: int, kind: str) -> NDArray[np.float64]:
    weights: NDArray[np.float64] = np.ones(n) if kind == "uniform" else 1.0 / np.arange(1, n + 1)
    weights /= weights.sum()
    return weights


class GromovWasserstein(AbstractStart):
    """Pair words by the transport plan that best preserves distances within the spaces.

    Parameters
    ----------
    max_rank, epsilons, weights, max_iter
        See `pair_by_gromov_wasserstein`.
    """

    def __init__(
        self,
        max_rank: int = 2000,
        epsilons: tuple[float, ...] = (5e-2, 2e-2, 1e-2, 5e-3, 2e-3, 1e-3, 5e-4),
        weights: str = "uniform",
        max_iter: int = 100,
    ) -> None:
        self.max_rank = max_rank
        self.epsilons = epsilons
        self.weights = weights
        self.max_iter = max_iter

    def find_pairs(
        self,
        problem: Problem,
        words: Words | None = None,  # noqa: ARG002
        *,
        progress: Progress = ignore_progress,  # noqa: ARG002
    ) -> RowPairs:
        """See `AbstractStart.find_pairs`."""
        return pair_by_gromov_wasserstein(*problem.candidate_rows(), **self.get_params())
