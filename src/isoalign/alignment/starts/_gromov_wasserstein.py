"""Transport the words of one space to those of another so that distances within the spaces are preserved."""

import logging
import warnings
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from isoalign._core.arrays import unit_rows
from isoalign._core.optional import import_extra
from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.types import Matrix, RowPairs
from isoalign._core.validate import check_choice, check_count
from isoalign.alignment._loop import AbstractSteps, StepState, run_loop
from isoalign.alignment._problem import Problem
from isoalign.alignment.starts._base import AbstractStart, Words
from isoalign.alignment.starts._from_map import pairs_from_plan

__all__ = ["GromovWasserstein", "pair_by_gromov_wasserstein"]

_LOG = logging.getLogger(__name__)


def pair_by_gromov_wasserstein(
    X: Matrix,
    Z: Matrix,
    *,
    progress: Progress = ignore_progress,
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
    progress
        Progress callback.
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
    import_extra("ot.gromov", extra="ot")
    check_choice(weights, ("uniform", "frequency"), name="weights")
    max_rank = check_count(max_rank, name="max_rank")
    A, B = (_cosine_distances(side[:max_rank]) for side in (X, Z))
    spaces = _Spaces(A, B, *(_weights(len(side), weights) for side in (A, B)))
    annealing = _Annealing(epsilons, max_iter)
    return pairs_from_plan(run_loop(annealing, spaces, what="gromov_wasserstein", progress=progress).state.plan)


class _Spaces(NamedTuple):
    """Distances within both spaces, and the weights of their words."""

    A: NDArray[np.float64]
    B: NDArray[np.float64]
    p: NDArray[np.float64]
    q: NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class _Planned(StepState):
    """The plan, and whether the last entropy was too small for the solver."""

    plan: NDArray[np.float64]
    done: bool = False


@dataclass(frozen=True)
class _Annealing(AbstractSteps[_Spaces, _Planned]):
    """Solve for the plan with less and less entropy."""

    epsilons: tuple[float, ...]
    max_iter: int

    def max_steps(self) -> int:
        """Return the number of strengths of the entropy."""
        return len(self.epsilons)

    def start(self, problem: _Spaces) -> _Planned:
        """Begin with the independent plan."""
        return _Planned(plan=np.outer(problem.p, problem.q))

    def step(self, problem: _Spaces, state: _Planned) -> _Planned:
        """Solve for the next strength, beginning at the last plan."""
        gromov, epsilon = import_extra("ot.gromov", extra="ot"), self.epsilons[state.number]
        state = replace(state, number=state.number + 1, record=None)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            try:
                plan, log = gromov.entropic_gromov_wasserstein(
                    *problem,
                    epsilon=epsilon,
                    symmetric=True,
                    G0=state.plan,
                    max_iter=self.max_iter,
                    tol=1e-8,
                    log=True,
                    warn=False,
                )
            except (UserWarning, RuntimeWarning):
                _LOG.info("Gromov-Wasserstein: epsilon %g is too small for the solver", epsilon)
                return replace(state, done=True)
        return replace(state, plan=plan, record={"epsilon": float(epsilon), "objective": float(log["gw_dist"])})

    def finished(self, state: _Planned) -> bool:
        """Return whether the entropy has become too small."""
        return state.done


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
        progress: Progress = ignore_progress,
    ) -> RowPairs:
        """See `AbstractStart.find_pairs`."""
        return pair_by_gromov_wasserstein(*problem.candidate_rows(), progress=progress, **self.get_params())
