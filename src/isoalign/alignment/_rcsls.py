r"""Relaxed CSLS: a map optimised for the score that retrieves translations."""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from isoalign._core.arrays import mean_rows, multiply, row_lengths, unique_rows
from isoalign._core.types import DoubleVector, FloatVector, LinearMap, Matrix
from isoalign._core.validate import check_choice, check_count, check_number
from isoalign.alignment._base import AbstractIterativeAligner, LoopState, Maps, Trajectory
from isoalign.alignment._cost import Sizes
from isoalign.alignment._problem import Problem
from isoalign.alignment._procrustes import nearest_rotation
from isoalign.errors import ParameterError
from isoalign.maps import IdentityMap, MatrixMap
from isoalign.neighbors import MovingSearch

__all__ = ["RCSLS", "RelaxedCsls", "clip_singular_values"]

_SMALLEST_LR = 1e-4
_KNOWN_NEIGHBORS = 0.7  # measured time of a step relative to comparing all words: benchmarks/results/align.json
_DEFAULT_LR, _DEFAULT_EPOCHS = 10.0, 10
_LR_GRID, _EPOCHS_GRID = (1.0, 10.0, 25.0, 50.0), (10, 20)


class RelaxedCsls:
    r"""The objective and its gradient with the neighbours held fixed.

    .. math::

        f(W) = -\frac{1}{m} \sum_{(i, j)} \Big[ 2\, x_i W \cdot y_j
            - \frac{1}{k} \sum_{y \in N_k(x_i W)} x_i W \cdot y - \frac{1}{k} \sum_{x \in N_k(y_j)} x W \cdot y_j \Big]

    Neighbours are found by inner product. The nearest sources of y under W are the rows x with the largest
    :math:`x \cdot (y W^\top)`, so the sources are never mapped, and a word in several pairs is searched
    once. The search keeps lists of good neighbours between calls, so evaluating a map close to the previous one is
    cheap; values do not depend on previous calls. Memory beyond the inputs is bounded by the blocks of the search and
    some kilobytes per pair.

    Parameters
    ----------
    X, Y
        Paired rows (m, dim).
    sources, targets
        Rows that may be neighbours.
    k
        Number of neighbours.
    weights
        Weights of the pairs, (m,); None for equal weights.
    """

    def __init__(
        self, X: Matrix, Y: Matrix, sources: Matrix, targets: Matrix, k: int, weights: DoubleVector | None = None
    ) -> None:
        weights = np.ones(len(X)) if weights is None else weights
        self.source_side = _Side.of(X, targets, k, weights)
        self.target_side = _Side.of(Y, sources, k, weights)
        self.n_pairs = float(weights.sum())
        self.cross: NDArray[np.float64] = (X.astype(np.float64) * weights[:, None]).T @ Y.astype(np.float64)

    def evaluate(self, W: LinearMap) -> tuple[float, LinearMap]:
        """Return the objective and its gradient at W."""
        x_near, x_scores = self.source_side.neighbors(W)
        y_near, y_scores = self.target_side.neighbors(W.T)
        value = 2 * float((self.cross * W).sum()) - x_scores - y_scores
        gradient = 2 * self.cross
        gradient -= multiply(self.source_side.weighted.T, x_near)
        gradient -= multiply(y_near.T, self.target_side.weighted)
        return -value / self.n_pairs, -gradient / self.n_pairs


class _Side(NamedTuple):
    """The distinct words of one side, the same multiplied by the weights of their pairs, and their neighbour search."""

    words: NDArray[np.float64]
    weighted: NDArray[np.float64]
    counts: DoubleVector
    others: MovingSearch

    @classmethod
    def of(cls, rows: Matrix, others: Matrix, k: int, weights: DoubleVector) -> "_Side":
        first, groups = unique_rows(rows)
        words = rows[first].astype(np.float64)
        counts: DoubleVector = np.bincount(groups, weights=weights).astype(np.float64)
        return cls(words, words * counts[:, None], counts, MovingSearch(others, k))

    def neighbors(self, W: LinearMap) -> tuple[NDArray[np.float64], float]:
        """Return the mean of each word's neighbours, (u, dim), and the summed mean scores of all pairs."""
        scores, rows = self.others.search(multiply(self.words, W).astype(np.float32))
        return mean_rows(self.others.Y, rows), float((scores.mean(axis=1, dtype=np.float64) * self.counts).sum())


def clip_singular_values(W: LinearMap) -> LinearMap:
    """Return the nearest matrix with singular values in [0, 1]."""
    U, S, Vt = np.linalg.svd(W)
    clipped: LinearMap = (U * np.clip(S, 0, 1)) @ Vt
    return clipped


@dataclass(frozen=True, kw_only=True)
class _Descent(LoopState):
    """A step of the descent: the map, the step length, and the last improvement, to which a failed step returns.

    The improvement is not the result: it is known only when the next step evaluates the objective.
    """

    W: LinearMap
    relaxed: RelaxedCsls
    lr: float
    accepted: tuple[float, LinearMap, LinearMap] | None = None


class RCSLS(AbstractIterativeAligner[_Descent]):
    """Descend the relaxed CSLS objective, starting from the Procrustes rotation.

    The objective is homogeneous and has no minimum, so the number of epochs is a hyper-parameter: choose it on a
    validation split, as `align` does if ``lr`` and ``epochs`` are open.

    Parameters
    ----------
    lr
        Initial step length, halved whenever the objective rises. None leaves it open for `align` to choose; ``fit``
        then uses 10.
    epochs
        ``epochs + 1`` steps are taken, as in the reference program, or fewer if ``lr`` falls below 1e-4. None leaves it
        open for `align` to choose; ``fit`` then uses 10.
    k
        Number of neighbours.
    max_neg
        Restrict neighbours to the `max_neg` most frequent words on each side.
    spectral
        Clip the singular values of the map into [0, 1] after every step.
    quirks
        ``"fasttext"``: scale vectors to unit length first, and continue from the current map instead of returning to
        the last better one if the objective rises, as fastText's program does.

    Attributes
    ----------
    history_
        Objective before every step, and the step length it was taken with.

    References
    ----------
    Joulin, Bojanowski, Mikolov, Jégou, Grave, "Loss in translation", EMNLP 2018, equation 4.
    """

    weighs_pairs = True

    def __init__(
        self,
        lr: float | None = None,
        epochs: int | None = None,
        k: int = 10,
        max_neg: int = 200_000,
        spectral: bool = False,
        quirks: str | None = None,
    ) -> None:
        self.lr = lr
        self.epochs = epochs
        self.k = k
        self.max_neg = max_neg
        self.spectral = spectral
        self.quirks = quirks

    def trajectories(self) -> list[Trajectory]:
        """One descent per step length, which passes through all numbers of epochs."""
        if self.lr is not None and self.epochs is not None:
            return []
        all_lr = _LR_GRID if self.lr is None else (self.lr,)
        all_epochs = _EPOCHS_GRID if self.epochs is None else (self.epochs,)
        return [
            Trajectory(
                {"lr": lr, "epochs": max(all_epochs)},
                {epochs + 1: {"lr": lr, "epochs": epochs} for epochs in all_epochs},
            )
            for lr in all_lr
        ]

    def max_steps(self) -> int:
        """Return the number of steps: one more than epochs."""
        return 1 + check_count(_DEFAULT_EPOCHS if self.epochs is None else self.epochs, name="epochs", minimum=0)

    def step_cost(self, sizes: Sizes) -> float:
        """Return the operations of a step; words whose neighbours cannot have changed cost less."""
        return _KNOWN_NEIGHBORS * sizes.descent

    def start(self, problem: Problem) -> _Descent:
        """Begin at the Procrustes rotation."""
        k, (n, m) = check_count(self.k, name="k"), problem.limits(check_count(self.max_neg, name="max_neg"))
        lr = _DEFAULT_LR if self.lr is None else check_number(self.lr, name="lr")
        if not lr > 0:
            raise ParameterError(f"lr must be positive. Got {lr!r}.")
        pairs, X, Y = problem.known_pairs, problem.X, problem.Y
        if self.quirks is not None:
            check_choice(self.quirks, ("fasttext",), name="quirks")
            X, Y = _unit_as_fasttext(X), _unit_as_fasttext(Y)
        relaxed = RelaxedCsls(X[pairs[:, 0]], Y[pairs[:, 1]], X[:n], Y[:m], k, problem.weights)
        W = nearest_rotation(relaxed.cross)
        return _Descent(number=0, maps=_maps(W), W=W, relaxed=relaxed, lr=lr)

    def step(self, problem: Problem, state: _Descent) -> _Descent:  # noqa: ARG002
        """Step along the gradient; after a rise, halve the step length and step again from the last better map."""
        value, gradient = state.relaxed.evaluate(state.W)
        record = {"step": state.number + 1, "loss": value, "lr": state.lr}
        lr, accepted, W = state.lr, state.accepted, state.W
        rose = accepted is not None and value > accepted[0]
        if accepted is not None and rose:
            if self.quirks is None:
                _, W, gradient = accepted
                lr /= 2
        else:
            accepted = (value, W, gradient)
        W = W - lr * gradient
        if rose and self.quirks is not None:
            lr /= 2  # only after the step, which is also not clipped
        elif self.spectral:
            W = clip_singular_values(W)
        return replace(state, number=state.number + 1, maps=_maps(W), record=record, W=W, lr=lr, accepted=accepted)

    def finished(self, state: _Descent) -> bool:
        """Whether the step length has become too small to matter."""
        return state.lr < _SMALLEST_LR


def _maps(W: LinearMap) -> Maps:
    return Maps(MatrixMap(W), IdentityMap(W.shape[1]))


def _unit_as_fasttext(X: Matrix) -> Matrix:
    lengths: FloatVector = (row_lengths(X) + 1e-8).astype(np.float32)
    return X / lengths[:, None]
