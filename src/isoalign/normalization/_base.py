"""Base class of normalisers: scikit-learn methods, input checks, and a state of plain arrays."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from isoalign._core.estimator import AbstractEstimator
from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.state import State
from isoalign._core.types import Matrix, MatrixLike
from isoalign._core.validate import check_finite, check_matrix
from isoalign.errors import ParameterError, ShapeError
from isoalign.normalization._kernels import survey_rows
from isoalign.normalization._row_parts import RowParts

__all__ = ["AbstractNormalizer", "RowStep"]

RowStep: TypeAlias = NDArray[np.float64] | None
"""A mean (dim,) to subtract, or None to scale to unit length."""


class AbstractNormalizer(AbstractEstimator, ABC):
    """Learn statistics of the rows of a matrix, and use them to transform these or other rows.

    A subclass lists its array attributes in ``_learned`` and implements ``_learn``, which sets them, and ``_apply``,
    which changes rows in place. It overrides ``_learn_and_apply`` if doing both at once is cheaper.
    """

    _learned: ClassVar[tuple[str, ...]] = ()

    n_features_in_: int

    @abstractmethod
    def _learn(self, X: Matrix) -> None:
        """Set the learned attributes from validated rows, without changing the rows."""

    @abstractmethod
    def _apply(self, X: Matrix) -> None:
        """Change validated rows in place."""

    def _learn_parts(self, rows: RowParts) -> None:  # noqa: ARG002  (for those that can)
        """Set the learned attributes from rows in parts, by sums over the parts."""
        raise ParameterError(
            f"{type(self).__name__} learns from all rows at once, not from sums over parts. Normalise on one machine."
        )

    def _learn_and_apply(self, X: Matrix, progress: Progress) -> None:
        self._learn(X)
        progress("normalize", 1, 2)
        self._apply(X)
        progress("normalize", 2, 2)

    def fit(self, X: MatrixLike, y: object = None) -> Self:  # noqa: ARG002  (scikit-learn passes it)
        """Learn from the rows of ``X``, (n, dim), without changing them."""
        X = _check_rows(X, copy=None)
        with self.learning():
            self._learn(X)
            self.n_features_in_ = X.shape[1]
        return self

    def fit_parts(self, rows: RowParts) -> Self:
        """Learn from rows stored in parts, without changing them."""
        with self.learning():
            self._learn_parts(rows)
            self.n_features_in_ = rows.dim
        return self

    def transform(self, X: MatrixLike, *, copy: bool = True) -> Matrix:
        """Return normalised rows, which may be the fitted ones or new ones.

        Parameters
        ----------
        X
            Rows, (n, dim). Zero rows are allowed, NaN and infinity are not.
        copy
            If False, overwrite ``X``, which must be a writable, C-contiguous float32 matrix.
        """
        self.check_fitted()
        X = _check_rows(X, copy=copy)
        if X.shape[1] != self.n_features_in_:
            raise ShapeError(
                f"X has {X.shape[1]} features, but {type(self).__name__} is expecting {self.n_features_in_} features "
                "as input, like the matrix that it was fitted on."
            )
        self._apply(X)
        return X

    def fit_transform(
        self,
        X: MatrixLike,
        y: object = None,  # noqa: ARG002
        *,
        copy: bool = True,
        progress: Progress = ignore_progress,
    ) -> Matrix:
        """Learn from the rows of ``X`` and return them normalised; see `transform` for ``copy``."""
        X = _check_rows(X, copy=copy)
        with self.learning():
            self._learn_and_apply(X, progress)
            self.n_features_in_ = X.shape[1]
        return X

    def scaling_steps(self) -> list[RowStep] | None:
        """Return the steps of a fitted normaliser that only scales and centres rows; None if it does more."""
        return None

    def get_state(self) -> State:
        """Return all learned attributes as plain arrays, to be stored together with ``get_params()``."""
        self.check_fitted()
        state: State = {name: np.asarray(getattr(self, name)) for name in self._learned}
        return state | {"n_features_in_": np.asarray(self.n_features_in_, dtype=np.int64)}

    def set_state(self, state: Mapping[str, NDArray[Any]]) -> Self:
        """Restore the result of ``get_state`` of a normaliser with the same settings, instead of calling ``fit``."""
        missing = sorted({*self._learned, "n_features_in_"} - set(state))
        if missing:
            got = ", ".join(state) or "nothing"
            raise ParameterError(f"The state of {type(self).__name__} must hold {', '.join(missing)}. Got {got}.")
        for name in self._learned:
            setattr(self, name, np.array(state[name]))
        self.n_features_in_ = int(state["n_features_in_"])
        return self


def _check_rows(X: Any, *, copy: bool | None) -> Matrix:
    """Return finite float32 rows: a copy (True), ``X`` itself (False), or ``X`` if possible (None)."""
    if copy is False:
        array = X if isinstance(X, np.ndarray) else np.empty(0, dtype=object)
        if array.dtype != np.float32 or not array.flags.c_contiguous or not array.flags.writeable:
            raise ParameterError(
                "copy=False needs a writable, C-contiguous float32 array to overwrite. "
                f"Got {type(X).__name__} of {array.dtype}{'' if array.flags.writeable else ', read-only'}. "
                "Pass copy=True."
            )
    rows = check_matrix(X, copy=bool(copy), finite=False)
    if survey_rows(rows).first_bad >= 0:
        check_finite(rows)  # names the row
    return rows
