"""Iterative Normalization: unit length and zero mean at the same time."""

import math
import warnings
from collections.abc import Mapping
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.spill import copy_rows
from isoalign._core.state import State
from isoalign._core.types import FloatVector, Matrix
from isoalign._core.validate import check_choice, check_count, check_number
from isoalign.errors import InvalidValueError, IsoalignWarning, ParameterError
from isoalign.normalization._base import AbstractNormalizer, RowStep
from isoalign.normalization._kernels import replay, survey_rows
from isoalign.normalization._passes import IteratedRounds, Residuals, iterate_rounds, run_rounds
from isoalign.normalization._row_parts import RowParts
from isoalign.normalization._spectrum import Spectrum, moment_spectrum, unit_spectrum
from isoalign.normalization._steps import warn_zero_rows

__all__ = ["IterNorm"]

_SMALLEST_TOL = 1e-6  # float32 rows cannot be distinguished from exact ones much below this
_NO_CONTRACTION = 1 - 1e-6
_CONVERGED = {True: 1, False: 0, None: -1}
_REPAIR_ZERO = "Drop them, or use zero='perturb' or 'keep'."


class IterNorm(AbstractNormalizer):
    r"""Give every vector unit length and the set of vectors zero mean, by alternating scaling and centring.

    One round is ``x ← x/‖x‖`` followed by ``x ← x - mean``, where the mean is recomputed in every round. A final
    scaling follows the last round. Near convergence, each round reduces the mean at least by the factor
    :math:`\lambda`, the largest eigenvalue of :math:`X^\top X/n` of the unit vectors.

    The means are stored, so new vectors go through the same rounds.

    Parameters
    ----------
    n_iter
        Number of rounds if ``tol`` is None.
    tol
        Iterate until both residuals of a round are at most ``tol``, which must be at least 1e-6 since vectors are
        float32.
    max_iter
        Maximum number of rounds if ``tol`` is given.
    zero
        How to treat zero vectors, which cannot be scaled to unit length: ``"perturb"`` moves all of them in one fixed
        direction, as in the paper; ``"keep"`` leaves them zero and excludes them from the means; ``"error"`` raises an
        error.

    Attributes
    ----------
    means_
        (rounds, dim), float64: the mean that each round subtracted.
    history_
        `Residuals` of each round.
    n_iter_
        Number of rounds.
    converged_
        Whether ``tol`` was reached and the result has rank 2 or more; None without ``tol``.
    contraction_
        λ of the result.
    mean_norm_
        Length of the mean of the result.
    zero_direction_
        (dim,), float32: the direction in which zero vectors are moved.

    References
    ----------
    Zhang, Xu, Kawarabayashi, Jegelka and Boyd-Graber (2019), "Are Girls Neko or Shōjo?", section 3. The authors' code
    always runs five rounds; the tolerance, the transformation of new vectors and the options for zero vectors are ours.

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
        """Number of rounds."""
        return len(self.means_)

    @property
    def predicted_rounds_(self) -> int | None:
        """Number of rounds after which the mean reaches ``tol`` (default 1e-6) at the rate λ; None if it never does."""
        tol = self.tol or _SMALLEST_TOL
        norms = [*(residuals.mean_norm for residuals in self.history_), self.mean_norm_]
        reached = next((number for number, norm in enumerate(norms, start=1) if norm <= tol), None)
        if reached is not None:
            return reached
        if not 0 < self.contraction_ < _NO_CONTRACTION:
            return None
        return len(norms) + math.ceil(math.log(tol / norms[-1]) / math.log(self.contraction_))

    def _learn(self, X: Matrix) -> None:
        self._learn_and_apply(copy_rows(X), ignore_progress)

    def _learn_and_apply(self, X: Matrix, progress: Progress) -> None:
        most = self._check_settings()
        if self.zero == "error":
            _refuse_zero_rows(X)
        self.zero_direction_ = _fixed_direction(X.shape[1])
        rounds = iterate_rounds(X, n_iter=most, tol=self.tol, zero_row=self._zero_row(), progress=progress)
        self._keep(rounds, unit_spectrum(X))

    def _learn_parts(self, rows: RowParts) -> None:
        most = self._check_settings()
        self.zero_direction_ = _fixed_direction(rows.dim)
        rounds = run_rounds(
            lambda means: rows.run_pass(means, self._zero_row(), self.zero == "keep"), n_iter=most, tol=self.tol
        )
        if self.zero == "error" and rounds.n_zero:
            raise InvalidValueError(f"Vectors must not be zero with zero='error'. {rounds.n_zero} are. {_REPAIR_ZERO}")
        self.means_, self.n_features_in_ = rounds.means, rows.dim
        self._keep(rounds, moment_spectrum(rows.after(self._replayed).moment(np.zeros(rows.dim))))

    def _replayed(self, X: Matrix) -> Matrix:
        replay(X, self.means_, zero_row=self._zero_row(), keep_zero=self.zero == "keep")
        return X

    def _keep(self, rounds: IteratedRounds, spectrum: Spectrum) -> None:
        """Set the learned attributes, and warn about doubtful results."""
        self.means_, self.history_, self.mean_norm_ = rounds.means, rounds.history, rounds.mean_norm
        self.contraction_, rank_one = spectrum
        self.converged_ = None if self.tol is None else max(rounds.history[-1]) <= self.tol and not rank_one
        self._warn_zero_rows(rounds.n_zero)
        self._warn_not_converged(rank_one=rank_one, stalled=rounds.stalled)

    def _apply(self, X: Matrix) -> None:
        if self.zero == "error":
            _refuse_zero_rows(X)
        self._warn_zero_rows(replay(X, self.means_, zero_row=self._zero_row(), keep_zero=self.zero == "keep"))

    def scaling_steps(self) -> list[RowStep]:
        """Return the scaling and centring steps of all rounds."""
        return [None, *(step for mean in self.means_ for step in (mean, None))]

    def _check_settings(self) -> int:
        """Return the maximum number of rounds."""
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
        outcome = "stay zero" if self.zero == "keep" else "were moved in one fixed direction"
        warn_zero_rows(n, f"They {outcome}.")

    def _warn_not_converged(self, *, rank_one: bool, stalled: bool) -> None:
        if rank_one:
            message = (
                "All vectors lie on one line (rank 1) after centring, so their directions carry no information. "
                "Are there only one or two distinct vectors?"
            )
        elif self.converged_ is False:
            mean_norm, length_error = self.history_[-1]
            why = "neither residual decreases further" if stalled else f"max_iter={self.max_iter} was reached"
            message = (
                f"Not converged to tol={self.tol:g} after {self.n_iter_} rounds because {why}: mean {mean_norm:.2g}, "
                f"length error {length_error:.2g}, λ = {self.contraction_:.4g}."
            )
        else:
            return
        warnings.warn(message, IsoalignWarning, stacklevel=4)

    def get_state(self) -> State:
        """Return all learned attributes as plain arrays."""
        return super().get_state() | {"converged_": np.asarray(_CONVERGED[self.converged_], dtype=np.int64)}

    def set_state(self, state: Mapping[str, NDArray[Any]]) -> Self:
        """Restore the result of ``get_state``, instead of calling ``fit``."""
        super().set_state(state)
        self.history_ = [Residuals(*map(float, row)) for row in state["history_"]]
        self.mean_norm_ = float(state["mean_norm_"])
        self.contraction_ = float(state["contraction_"])
        self.converged_ = {code: value for value, code in _CONVERGED.items()}[int(state["converged_"])]
        return self


def _fixed_direction(dim: int) -> FloatVector:
    """Return a fixed unit vector of ``dim`` values that is not parallel to an axis."""
    direction = np.random.default_rng(0).standard_normal(dim)
    return (direction / np.linalg.norm(direction)).astype(np.float32)


def _refuse_zero_rows(X: Matrix) -> None:
    survey = survey_rows(X)
    if survey.n_zero:
        raise InvalidValueError(
            f"Vectors must not be zero with zero='error'. {survey.n_zero} are, the first is row {survey.first_zero}. "
            f"{_REPAIR_ZERO}"
        )
