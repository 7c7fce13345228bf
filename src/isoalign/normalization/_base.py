"""What every normaliser shares: scikit-learn's methods, checks, and a state of plain arrays."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from isoalign._estimator import AbstractEstimator
from isoalign._progress import Progress, ignore_progress
from isoalign._types import Matrix, MatrixLike
from isoalign._validate import check_finite, check_matrix
from isoalign.errors import ParameterError, ShapeError
from isoalign.normalization._kernels import survey_rows

__all__ = ["AbstractNormalizer", "State"]

State = dict[str, NDArray[Any]]


class AbstractNormalizer(AbstractEstimator, ABC):
    """Learn something about the rows of one matrix and change rows by it, those of the matrix or others.

    A subclass lists in ``_learned`` its array attributes and says how to learn them (``_learn``) and how to change
    rows in place (``_apply``). Where both together are cheaper than one after the other it also has
    ``_learn_and_apply``.
    """

    _learned: ClassVar[tuple[str, ...]] = ()

    n_features_in_: int

    @abstractmethod
    def _learn(self, X: Matrix) -> None:
        """Set the learned attributes from checked rows, leaving the rows alone."""

    @abstractmethod
    def _apply(self, X: Matrix) -> None:
        """Change checked rows in place."""

    def _learn_and_apply(self, X: Matrix, progress: Progress) -> None:
        self._learn(X)
        progress("normalize", 1, 2)
        self._apply(X)
        progress("normalize", 2, 2)

    def fit(self, X: MatrixLike, y: object = None) -> Self:  # noqa: ARG002  (scikit-learn passes it)
        """Learn from the rows of ``X``, (n, dim), which stay as they are."""
        X = _check_rows(X, copy=None)
        with self.learning():
            self._learn(X)
            self.n_features_in_ = X.shape[1]
        return self

    def transform(self, X: MatrixLike, *, copy: bool = True) -> Matrix:
        """Return rows changed by what ``fit`` learned, be they the fitted ones or new ones.

        Parameters
        ----------
        X
            (n, dim); zero rows are allowed, NaN and infinity are not.
        copy
            False overwrites ``X``, which must be a writable, C-contiguous float32 matrix.
        """
        self.check_fitted()
        X = _check_rows(X, copy=copy)
        if X.shape[1] != self.n_features_in_:
            raise ShapeError(
                f"X must have {self.n_features_in_} columns, as the matrix that {type(self).__name__} was fitted on. "
                f"Got {X.shape[1]}."
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
        """Learn from the rows of ``X`` and return them changed; see `transform` for ``copy``."""
        X = _check_rows(X, copy=copy)
        with self.learning():
            self._learn_and_apply(X, progress)
            self.n_features_in_ = X.shape[1]
        return X

    def get_state(self) -> State:
        """Return everything learned as plain float64 and int64 arrays, to be kept beside ``get_params()``."""
        self.check_fitted()
        state: State = {name: np.asarray(getattr(self, name)) for name in self._learned}
        return state | {"n_features_in_": np.asarray(self.n_features_in_, dtype=np.int64)}

    def set_state(self, state: Mapping[str, NDArray[Any]]) -> Self:
        """Take what ``get_state`` of a normaliser with the same settings returned, in place of ``fit``."""
        missing = sorted({*self._learned, "n_features_in_"} - set(state))
        if missing:
            got = ", ".join(state) or "nothing"
            raise ParameterError(f"The state of {type(self).__name__} must hold {', '.join(missing)}. Got {got}.")
        for name in self._learned:
            setattr(self, name, np.array(state[name]))
        self.n_features_in_ = int(state["n_features_in_"])
        return self


def _check_rows(X: Any, *, copy: bool | None) -> Matrix:
    """Return finite float32 rows: a copy, ``X`` itself (False), or whichever is cheaper to read (None)."""
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
