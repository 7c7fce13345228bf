"""Iterative Normalization: unit lengths and a zero mean at the same time."""

import math
import warnings
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from isoalign._progress import Progress, ignore_progress
from isoalign._types import FloatVector, Matrix
from isoalign._validate import check_choice, check_count, check_number
from isoalign.errors import InvalidValueError, IsoalignWarning, ParameterError
from isoalign.normalization._base import AbstractNormalizer, State
from isoalign.normalization._kernels import VANISHED, center_unit, replay, survey_rows
from isoalign.normalization._spectrum import unit_spectrum
from isoalign.normalization._steps import warn_zero_rows

__all__ = ["IterNorm", "Residuals", "Rounds", "iterate_rounds"]

_SMALLEST_TOL = 1e-6  # float32 rows cannot be told from exact ones much below
_STALLED = 0.99
_NO_CONTRACTION = 1 - 1e-6
_CONVERGED = {True: 1, False: 0, None: -1}


class Residuals(NamedTuple):
    """How far one round was from both conditions.

    Attributes
    ----------
    mean_norm
        Length of the mean after the unit step.
    length_error
        Largest ``|‖x‖ - 1|`` after the center step.
    """

    mean_norm: float
    length_error: float


class Rounds(NamedTuple):
    """What `iterate_rounds` learned.

    Attributes
    ----------
    means
        (rounds, dim), float64: what each round subtracted.
    history
        The residuals of each round.
    mean_norm
        Length of the mean of the result.
    n_zero
        Rows that were zero before the first round.
    stalled
        Whether the rounds ended because neither residual fell any more.
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
) -> Rounds:
    """Normalise the rows of ``X`` in place: {unit, center} in rounds, then a last unit.

    Each pass over the rows finishes one round and starts the next: subtract the mean, take the length, scale, sum up
    the next mean. ``n_iter`` rounds are ``n_iter + 1`` passes.

    Parameters
    ----------
    X
        (n, dim), finite; changed in place.
    n_iter
        Number of rounds; with ``tol``, the most rounds.
    tol
        Stop after a round whose residuals are both at most this, or when neither fell by 1 %.
    zero_row
        (dim,), unit length: takes the place of rows that are zero or lie at the mean. None leaves them zero and out
        of the means.
    progress
        Told after every pass.
    """
    keep_zero = zero_row is None
    means: list[NDArray[np.float64]] = []
    history: list[Residuals] = []
    stalled = False
    result = first = center_unit(X, np.zeros(X.shape[1]), zero_row=zero_row, keep_zero=keep_zero)
    progress("normalize", 1, n_iter + 1)
    while len(history) < n_iter and not stalled:
        means.append(result.mean)
        result = center_unit(X, result.mean, shortest=VANISHED, zero_row=zero_row, keep_zero=keep_zero)
        history.append(Residuals(float(np.linalg.norm(means[-1])), result.length_error))
        progress("normalize", len(history) + 1, n_iter + 1)
        if tol is not None:
            if max(history[-1]) <= tol:
                break
            stalled = len(history) > 1 and all(
                new >= _STALLED * old for new, old in zip(history[-1], history[-2], strict=True)
            )
    return Rounds(np.array(means), history, float(np.linalg.norm(result.mean)), first.n_lost, stalled)


class IterNorm(AbstractNormalizer):
    r"""Make every vector unit length and the mean zero, at the same time, by doing both in turn.

    One round is ``x ← x/‖x‖`` and then ``x ← x - mean`` with a fresh mean; a last unit step follows the rounds. Near
    the end the mean shrinks in every round by the factor :math:`\lambda`, the largest eigenvalue of
    :math:`X^\top X/n` of the unit vectors.

    The means are kept, so that vectors the normaliser never saw go through the same rounds.

    Parameters
    ----------
    n_iter
        Number of rounds when ``tol`` is None.
    tol
        Go on until both residuals of a round are at most this; at least 1e-6, since vectors are float32.
    max_iter
        The most rounds with ``tol``.
    zero
        What to do with zero vectors, which no scaling makes unit length: ``"perturb"`` nudges them all in one fixed
        direction (the paper's remedy), ``"keep"`` leaves them zero and out of the means, ``"error"`` refuses them.

    Attributes
    ----------
    means_
        (rounds, dim), float64: the mean that each round subtracted.
    history_
        The `Residuals` of each round.
    n_iter_
        Rounds done.
    converged_
        Whether ``tol`` was reached by vectors of rank two or more; None without ``tol``.
    contraction_
        λ of the result.
    mean_norm_
        Length of the mean of the result.
    zero_direction_
        (dim,), float32: the direction of perturbed zero vectors.

    References
    ----------
    Zhang, Xu, Kawarabayashi, Jegelka and Boyd-Graber (2019), "Are Girls Neko or Shōjo?", section 3. The authors' code
    always does five rounds; the tolerance, the replay and the treatment of zero vectors are ours.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = IterNorm(tol=1e-6).fit_transform(rng.standard_normal((500, 8)) + 1)
    >>> bool(np.linalg.norm(X.mean(axis=0)) < 1e-6)
    True
    """

    _learned = ("means_", "zero_direction_", "history_", "mean_norm_", "contraction_", "converged_")

    means_: NDArray[np.float64]
    zero_direction_: FloatVector
    history_: list[Residuals]
    mean_norm_: float
    contraction_: float
    converged_: bool | None

    def __init__(
        self,
        n_iter: int = 5,
        tol: float | None = None,
        max_iter: int = 200,
        zero: Literal["perturb", "keep", "error"] = "perturb",
    ) -> None:
        self.n_iter = n_iter
        self.tol = tol
        self.max_iter = max_iter
        self.zero = zero

    @property
    def n_iter_(self) -> int:
        """Rounds done."""
        return len(self.means_)

    @property
    def predicted_rounds_(self) -> int | None:
        """Rounds that bring the mean down to ``tol`` (1e-6 without one) at the rate λ; None if nothing will."""
        tol = self.tol or _SMALLEST_TOL
        norms = [*(residuals.mean_norm for residuals in self.history_), self.mean_norm_]
        reached = next((number for number, norm in enumerate(norms, start=1) if norm <= tol), None)
        if reached is not None:
            return reached
        if not 0 < self.contraction_ < _NO_CONTRACTION:
            return None
        return len(norms) + math.ceil(math.log(tol / norms[-1]) / math.log(self.contraction_))

    def _learn(self, X: Matrix) -> None:
        self._learn_and_apply(X.copy(), ignore_progress)

    def _learn_and_apply(self, X: Matrix, progress: Progress) -> None:
        most = self._check_settings()
        if self.zero == "error":
            _refuse_zero_rows(X)
        self.zero_direction_ = _fixed_direction(X.shape[1])
        rounds = iterate_rounds(X, n_iter=most, tol=self.tol, zero_row=self._zero_row(), progress=progress)
        self.means_, self.history_, self.mean_norm_ = rounds.means, rounds.history, rounds.mean_norm
        self.contraction_, rank_one = unit_spectrum(X)
        self.converged_ = None if self.tol is None else max(rounds.history[-1]) <= self.tol and not rank_one
        self._warn_zero_rows(rounds.n_zero)
        self._warn_not_converged(rank_one=rank_one, stalled=rounds.stalled)

    def _apply(self, X: Matrix) -> None:
        if self.zero == "error":
            _refuse_zero_rows(X)
        self._warn_zero_rows(replay(X, self.means_, zero_row=self._zero_row(), keep_zero=self.zero == "keep"))

    def _check_settings(self) -> int:
        """Return the most rounds to do."""
        check_choice(self.zero, ["perturb", "keep", "error"], name="zero")
        n_iter, max_iter = check_count(self.n_iter, name="n_iter"), check_count(self.max_iter, name="max_iter")
        if self.tol is None:
            return n_iter
        if not check_number(self.tol, name="tol") >= _SMALLEST_TOL:
            raise ParameterError(f"tol must be at least {_SMALLEST_TOL:g} for float32 vectors. Got {self.tol!r}.")
        return max_iter

    def _zero_row(self) -> FloatVector | None:
        return None if self.zero == "keep" else self.zero_direction_

    def _warn_zero_rows(self, n: int) -> None:
        outcome = "stay zero" if self.zero == "keep" else "were all nudged in one fixed direction"
        warn_zero_rows(n, f"They {outcome}.")

    def _warn_not_converged(self, *, rank_one: bool, stalled: bool) -> None:
        if rank_one:
            message = (
                "All vectors lie on one line (rank 1) after centring, so their directions carry no information and "
                "normalising cannot help. Are there only one or two different vectors?"
            )
        elif self.converged_ is False:
            mean_norm, length_error = self.history_[-1]
            why = "neither residual falls any more" if stalled else f"max_iter={self.max_iter} is used up"
            message = (
                f"Not converged to tol={self.tol:g} after {self.n_iter_} rounds, since {why}: mean {mean_norm:.2g}, "
                f"length error {length_error:.2g}, λ = {self.contraction_:.4g}."
            )
        else:
            return
        warnings.warn(message, IsoalignWarning, stacklevel=4)

    def get_state(self) -> State:
        """Return everything learned as plain arrays."""
        return super().get_state() | {"converged_": np.asarray(_CONVERGED[self.converged_], dtype=np.int64)}

    def set_state(self, state: Mapping[str, NDArray[Any]]) -> Self:
        """Take what ``get_state`` returned, in place of ``fit``."""
        super().set_state(state)
        self.history_ = [Residuals(*map(float, row)) for row in state["history_"]]
        self.mean_norm_ = float(state["mean_norm_"])
        self.contraction_ = float(state["contraction_"])
        self.converged_ = {code: value for value, code in _CONVERGED.items()}[int(state["converged_"])]
        return self


def _fixed_direction(dim: int) -> FloatVector:
    """Return the same direction for every matrix of ``dim`` columns, along no axis in particular."""
    direction = np.random.default_rng(0).standard_normal(dim)
    return (direction / np.linalg.norm(direction)).astype(np.float32)


def _refuse_zero_rows(X: Matrix) -> None:
    survey = survey_rows(X)
    if survey.n_zero:
        raise InvalidValueError(
            f"Vectors must not be zero with zero='error'. {survey.n_zero} are, the first is row {survey.first_zero}. "
            "Drop them, or use zero='perturb' or 'keep'."
        )
