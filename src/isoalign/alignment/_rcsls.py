r"""Relaxed CSLS: a map learned for the very score that retrieves translations."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from isoalign._arrays import row_blocks, row_lengths, unique_rows
from isoalign._progress import Progress
from isoalign._types import FloatVector, IntVector, Matrix
from isoalign._validate import check_choice, check_count, check_number
from isoalign.alignment._base import AbstractAligner, LinearMap, Maps, StepCallback, Trajectory
from isoalign.alignment._procrustes import orthogonal_map
from isoalign.errors import ParameterError
from isoalign.neighbors import MovingSearch

__all__ = ["RCSLS", "RelaxedCsls", "clip_singular_values"]

_SMALLEST_LR = 1e-4
_DEFAULT_LR, _DEFAULT_EPOCHS = 10.0, 10
_LR_GRID, _EPOCHS_GRID = (1.0, 10.0, 25.0, 50.0), (10, 20)


class RelaxedCsls:
    r"""The objective and its gradient with the neighbours held fixed.

    .. math::

        f(W) = -\frac{1}{m} \sum_{(i, j)} \Big[ 2\, x_i W \cdot y_j
            - \frac{1}{k} \sum_{y \in N_k(x_i W)} x_i W \cdot y - \frac{1}{k} \sum_{x \in N_k(y_j)} x W \cdot y_j \Big]

    Neighbours are by raw inner product. The nearest sources of y under W are the rows x with the largest
    :math:`x \cdot (y W^\top)`, so the sources are never mapped, and a word that stands in several pairs is searched
    once. From one call to the next the search keeps lists of good neighbours, so maps that differ little cost little;
    values do not depend on the calls before. Memory beyond the inputs is bounded by the blocks of the search and by
    some kilobytes for every pair.

    Parameters
    ----------
    X, Y
        Paired rows (m, dim).
    sources, targets
        Rows that may be neighbours.
    k
        Neighbours.
    """

    def __init__(self, X: Matrix, Y: Matrix, sources: Matrix, targets: Matrix, k: int) -> None:
        self.source_side = _Side.of(X, targets, k)
        self.target_side = _Side.of(Y, sources, k)
        self.n_pairs = len(X)
        self.cross: NDArray[np.float64] = X.astype(np.float64).T @ Y.astype(np.float64)

    def evaluate(self, W: LinearMap) -> tuple[float, LinearMap]:
        """Return the objective and its gradient at W."""
        x_near, x_scores = self.source_side.neighbours(W)
        y_near, y_scores = self.target_side.neighbours(W.T)
        value = 2 * float((self.cross * W).sum()) - x_scores - y_scores
        gradient = 2 * self.cross - self.source_side.weighted.T @ x_near - y_near.T @ self.target_side.weighted
        return -value / self.n_pairs, -gradient / self.n_pairs


class _Side(NamedTuple):
    """The different words of one side, also times the number of their pairs, and where they find neighbours."""

    words: NDArray[np.float64]
    weighted: NDArray[np.float64]
    counts: IntVector
    others: MovingSearch

    @classmethod
    def of(cls, rows: Matrix, others: Matrix, k: int) -> "_Side":
        first, groups = unique_rows(rows)
        words, counts = rows[first].astype(np.float64), np.bincount(groups)
        return cls(words, words * counts[:, None], counts, MovingSearch(others, k))

    def neighbours(self, W: LinearMap) -> tuple[NDArray[np.float64], float]:
        """Return the mean of each word's neighbours, (u, dim), and the summed mean scores of all pairs."""
        scores, rows = self.others.search((self.words @ W).astype(np.float32))
        means = np.empty(self.words.shape)
        for block in row_blocks(len(rows), 512):
            means[block] = self.others.Y[rows[block]].mean(axis=1, dtype=np.float64)
        return means, float((scores.mean(axis=1, dtype=np.float64) * self.counts).sum())


def clip_singular_values(W: LinearMap) -> LinearMap:
    """Return the nearest matrix whose singular values lie in [0, 1]."""
    U, S, Vt = np.linalg.svd(W)
    clipped: LinearMap = (U * np.clip(S, 0, 1)) @ Vt
    return clipped


class RCSLS(AbstractAligner):
    """Descend the relaxed CSLS objective, starting from the Procrustes rotation.

    The objective is homogeneous and has no minimum, so the number of epochs is a setting like any other: choose it on
    a validation split, as `align` does when ``lr`` and ``epochs`` are left open.

    Parameters
    ----------
    lr
        First step length; halved whenever the objective rises. None leaves it open for `align` to choose; ``fit``
        takes 10 then.
    epochs
        ``epochs + 1`` steps are taken, as in the reference program, fewer once ``lr`` falls below 1e-4. None leaves it
        open for `align` to choose; ``fit`` takes 10 then.
    k
        Neighbours.
    max_neg
        Only the first so many words of each side may be neighbours.
    spectral
        Clip the singular values of the map into [0, 1] after every step.
    quirks
        ``"fasttext"``: scale vectors to length one first, and after a rise go on from where the step led instead of
        going back, as fastText's program does.

    Attributes
    ----------
    history_
        Objective before every step, and the step length it was taken with.

    References
    ----------
    Joulin, Bojanowski, Mikolov, Jégou, Grave, "Loss in translation", EMNLP 2018, equation 4.
    """

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
        """One descent for every step length serves all numbers of epochs."""
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

    def _learn(
        self, X: Matrix, Y: Matrix, sources: Matrix, targets: Matrix, callback: StepCallback, progress: Progress
    ) -> None:
        lr = _DEFAULT_LR if self.lr is None else check_number(self.lr, name="lr")
        epochs = check_count(_DEFAULT_EPOCHS if self.epochs is None else self.epochs, name="epochs", minimum=0)
        k = check_count(self.k, name="k")
        max_neg = check_count(self.max_neg, name="max_neg")
        if not lr > 0:
            raise ParameterError(f"lr must be positive. Got {lr!r}.")
        sources, targets = sources[:max_neg], targets[:max_neg]
        if self.quirks is not None:
            check_choice(self.quirks, ("fasttext",), name="quirks")
            X, Y, sources, targets = (_unit_as_fasttext(rows) for rows in (X, Y, sources, targets))
        objective = RelaxedCsls(X, Y, sources, targets, k)
        W = orthogonal_map(X, Y)
        callback(0, Maps(W))
        descent = _Descent(lr, restore=self.quirks is None, project=clip_singular_values if self.spectral else None)
        for step in range(1, epochs + 2):
            if descent.lr < _SMALLEST_LR:
                break
            progress("rcsls", step - 1, epochs + 1)
            value, gradient = objective.evaluate(W)
            self.history_.append({"step": step, "loss": value, "lr": descent.lr})
            W = descent.step(W, value, gradient)
            callback(step, Maps(W))
        progress("rcsls", epochs + 1, epochs + 1)
        self.source_map_, self.target_map_ = W, None


class _Descent:
    """Gradient descent that halves its step when the objective rises.

    With ``restore`` it then steps anew from the last map that was better, along the gradient found there.
    """

    def __init__(self, lr: float, *, restore: bool, project: Callable[[LinearMap], LinearMap] | None) -> None:
        self.lr, self.restore, self.project = lr, restore, project
        self.best: tuple[float, LinearMap, LinearMap] | None = None

    def step(self, W: LinearMap, value: float, gradient: LinearMap) -> LinearMap:
        if self.best is not None and value > self.best[0]:
            stepped = W - self.lr * gradient
            self.lr /= 2
            if not self.restore:
                return stepped
            _, W, gradient = self.best
        else:
            self.best = (value, W, gradient)
        stepped = W - self.lr * gradient
        return stepped if self.project is None else self.project(stepped)


def _unit_as_fasttext(X: Matrix) -> Matrix:
    lengths: FloatVector = (row_lengths(X) + 1e-8).astype(np.float32)
    return X / lengths[:, None]
