"""The rounds of Iterative Normalization, by passes over rows in memory or in parts."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.types import FloatVector, Matrix
from isoalign.normalization._kernels import VANISHED, PassResult, center_unit

__all__ = ["IteratedRounds", "Residuals", "iterate_rounds", "run_rounds"]

_STALLED = 0.99


class Residuals(NamedTuple):
    """Distance of one round from both conditions.

    Attributes
    ----------
    mean_norm
        Length of the mean after scaling.
    length_error
        Largest ``|‖x‖ - 1|`` after centring.
    """

    mean_norm: float
    length_error: float


class IteratedRounds(NamedTuple):
    """Result of `iterate_rounds`.

    Attributes
    ----------
    means
        (rounds, dim), float64: the mean that each round subtracted.
    history
        Residuals of each round.
    mean_norm
        Length of the mean of the result.
    n_zero
        Number of rows that were zero before the first round.
    stalled
        Whether iteration stopped because neither residual decreased further.
    """

    means: NDArray[np.float64]
    history: list[Residuals]
    mean_norm: float
    n_zero: int
    stalled: bool


def iterate_rounds(
    X: Matrix,
    *,
    n_iter: int = 5,
    tol: float | None = None,
    zero_row: FloatVector | None = None,
    progress: Progress = ignore_progress,
) -> IteratedRounds:
    """Normalise the rows of ``X`` in place: rounds of scaling and centring, followed by a final scaling.

    Each pass over the rows completes one round and starts the next: subtract the mean, compute the length, scale, and
    accumulate the next mean. ``n_iter`` rounds take ``n_iter + 1`` passes.

    Parameters
    ----------
    X
        Finite rows, (n, dim), changed in place.
    n_iter
        Number of rounds; the maximum if ``tol`` is given.
    tol
        Stop when both residuals of a round are at most ``tol``, or when neither decreased by 1 %.
    zero_row
        Unit vector, (dim,), that replaces rows that are zero or equal to the mean. None sets them to zero and excludes
        them from the means.
    progress
        Progress callback.
    """

    def run_pass(means: list[NDArray[np.float64]]) -> PassResult:
        shift, shortest = (means[-1], VANISHED) if means else (np.zeros(X.shape[1]), 0.0)
        return center_unit(X, shift, shortest=shortest, zero_row=zero_row, keep_zero=zero_row is None)

    return run_rounds(run_pass, n_iter=n_iter, tol=tol, progress=progress)


def run_rounds(
    run_pass: Callable[[list[NDArray[np.float64]]], PassResult],
    *,
    n_iter: int,
    tol: float | None,
    progress: Progress = ignore_progress,
) -> IteratedRounds:
    """Iterate rounds by passes over rows that may be stored anywhere.

    Parameters
    ----------
    run_pass
        Takes the means of the rounds so far, subtracts the last of them from the rows of the previous round, scales,
        and returns its measurements; without any means it only scales.
    n_iter, tol, progress
        As for `iterate_rounds`.
    """
    means: list[NDArray[np.float64]] = []
    history: list[Residuals] = []
    stalled = False
    result = first = run_pass(means)
    progress("normalize", 1, n_iter + 1)
    while len(history) < n_iter and not stalled:
        means.append(result.mean)
        result = run_pass(means)
        history.append(Residuals(float(np.linalg.norm(means[-1])), result.length_error))
        progress("normalize", len(history) + 1, n_iter + 1)
        if tol is not None:
            if max(history[-1]) <= tol:
                break
            stalled = len(history) > 1 and all(
                new >= _STALLED * old for new, old in zip(history[-1], history[-2], strict=True)
            )
    return IteratedRounds(np.array(means), history, float(np.linalg.norm(result.mean)), first.n_lost, stalled)
