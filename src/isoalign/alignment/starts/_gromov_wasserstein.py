"""Transport the words of one space to those of another so that distances within the spaces are preserved."""

import logging
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from isoalign._core.arrays import unit_rows
from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.types import DoubleVector, FloatVector, Matrix, RowPairs
from isoalign._core.validate import check_choice, check_count
from isoalign.alignment._loop import AbstractSteps, StepState, run_loop
from isoalign.alignment._problem import Problem
from isoalign.alignment.starts._base import AbstractStart, Words
from isoalign.alignment.starts._from_map import pairs_from_plan

__all__ = ["GromovWasserstein", "pair_by_gromov_wasserstein"]

_LOG = logging.getLogger(__name__)
_SCALINGS = 20  # of rows and columns in an iteration; the next one goes on from their result
_MOVED = 1e-4  # mass that is at another place than in the iteration before: less ends the iterations
_SCALED = 1e-4  # mass in wrong columns before the last scaling: less ends the scalings
_SETTLED = 1e-3  # less is needed to end the iterations
_FAILED = 0.1  # more is a failure


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

    Every iteration solves the problem linearised at the last plan by Sinkhorn scalings. For cosine distances
    :math:`C^X_{ik} = (1 - x_i \cdot x_k) / a` and :math:`C^Z_{jl} = (1 - z_j \cdot z_l) / b`, of which a and b are the
    means, the linear cost is, apart from terms of a row or a column alone, which do not change the plan,
    :math:`-\frac{4}{ab} X (X^\top T Z) Z^\top`. So matrices of distances are not needed.

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
        Maximum number of iterations for each strength.

    Returns
    -------
    pairs
        The largest entry of every row and column of the plan, mutual ones twice.

    References
    ----------
    Alvarez-Melis, Jaakkola (2018); Peyré, Cuturi, Solomon (2016) for the iterations. Scalings are continued from one
    iteration to the next and need not converge in each.
    """
    check_choice(weights, ("uniform", "frequency"), name="weights")
    max_rank = check_count(max_rank, name="max_rank")
    U, V = (unit_rows(side[:max_rank]) for side in (X, Z))
    spaces = _Spaces(U, V, _weights(len(U), weights), _weights(len(V), weights), _mean_distance(U), _mean_distance(V))
    annealing = _Annealing(epsilons, max_iter)
    return pairs_from_plan(run_loop(annealing, spaces, what="gromov_wasserstein", progress=progress).state.plan)


class _Spaces(NamedTuple):
    """Unit rows of both spaces, their weights, and the mean cosine distance within each space."""

    U: Matrix
    V: Matrix
    p: FloatVector
    q: FloatVector
    a: float
    b: float

    def objective(self, plan: Matrix) -> float:
        """Return the sum of squared differences of distances under a plan."""
        moments = [np.square(w @ side).sum(dtype=np.float64) for side, w in ((self.U, self.p), (self.V, self.q))]
        spreads = [
            np.square((side * w[:, None]).T @ side).sum(dtype=np.float64)
            for side, w in ((self.U, self.p), (self.V, self.q))
        ]
        squares = [1 - 2 * moment + spread for moment, spread in zip(moments, spreads, strict=True)]
        product = 1 - sum(moments) + np.square(self.U.T @ plan @ self.V).sum(dtype=np.float64)
        return float(squares[0] / self.a**2 + squares[1] / self.b**2 - 2 * product / (self.a * self.b))


@dataclass(frozen=True, kw_only=True)
class _Planned(StepState):
    """The plan, what is added to the similarities of a row and a column, and whether the entropy was too small."""

    plan: Matrix
    row_terms: FloatVector
    column_terms: FloatVector
    missing: float = 0.0
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
        p, q = problem.p, problem.q
        return _Planned(plan=np.outer(p, q), row_terms=np.zeros_like(p), column_terms=np.zeros_like(q))

    def step(self, problem: _Spaces, state: _Planned) -> _Planned:
        """Solve for the next strength, beginning at the last plan."""
        epsilon = self.epsilons[state.number]
        state = replace(state, number=state.number + 1, record=None)
        found = state
        for _ in range(self.max_iter):
            before, found = found, _solve_linearized(problem, found, epsilon)
            moved = np.abs(found.plan - before.plan).sum(dtype=np.float64)
            if moved < _MOVED and found.missing < _SETTLED:
                break
        if not found.missing < _FAILED:  # also NaN
            _LOG.info("Gromov-Wasserstein: epsilon %g is too small for the solver", epsilon)
            return replace(state, done=True)
        return replace(found, record={"epsilon": float(epsilon), "objective": problem.objective(found.plan)})

    def finished(self, state: _Planned) -> bool:
        """Return whether the entropy has become too small."""
        return state.done


def _solve_linearized(spaces: _Spaces, state: _Planned, epsilon: float) -> _Planned:
    """Scale rows and columns for the linear cost at a plan, beginning with the terms of the state."""
    U, V, p, q, a, b = spaces
    kernel: Matrix = np.linalg.multi_dot([U, U.T @ state.plan @ V, V.T])
    kernel *= np.float32(4 / (a * b))
    kernel += state.row_terms[:, None]
    kernel += state.column_terms
    kernel /= np.float32(epsilon)
    # With a largest entry of 0 in every row and column, no sum of exponentials vanishes.
    highest = kernel.max(axis=1)
    kernel -= highest[:, None]
    widest = kernel.max(axis=0)
    kernel -= widest
    np.exp(kernel, out=kernel)
    rows, columns, missing = p, np.exp(widest), np.inf
    for _ in range(_SCALINGS):
        rows = p / (kernel @ columns)
        sums = rows @ kernel
        missing = float(np.abs(columns * sums - q).sum(dtype=np.float64))
        columns = q / sums
        if missing < _SCALED:
            break
    kernel *= rows[:, None]
    kernel *= columns
    return replace(
        state,
        plan=kernel,
        row_terms=state.row_terms + np.float32(epsilon) * (np.log(rows) - highest),
        column_terms=state.column_terms + np.float32(epsilon) * (np.log(columns) - widest),
        missing=missing,
    )


def _mean_distance(unit: Matrix) -> float:
    """Return the mean cosine distance of all pairs of unit rows."""
    mean = unit.mean(axis=0, dtype=np.float64)
    return max(1.0 - float(mean @ mean), float(np.finfo(np.float32).eps))


def _weights(n: int, kind: str) -> FloatVector:
    weights: DoubleVector = np.ones(n) if kind == "uniform" else 1.0 / np.arange(1, n + 1)
    weights /= weights.sum()
    return weights.astype(np.float32)


class GromovWasserstein(AbstractStart):
    """Pair words by the transport plan that best preserves distances within the spaces.

    Parameters
    ----------
    max_rank, epsilons, weights, max_iter
        See `pair_by_gromov_wasserstein`.
    """

    def __init__(
        self,
        max_rank: int = 1000,
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
