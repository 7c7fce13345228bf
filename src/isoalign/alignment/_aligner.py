"""A normaliser and a map as one scikit-learn estimator."""

from typing import Self

import numpy as np

from isoalign._core.arrays import unique_rows, unit_rows
from isoalign._core.estimator import AbstractEstimator
from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.types import Matrix, MatrixLike
from isoalign._core.validate import check_pairs
from isoalign.alignment._base import AbstractAligner, StepCallback
from isoalign.alignment._procrustes import Procrustes
from isoalign.neighbors import csls_precision_at_1
from isoalign.normalization import AbstractNormalizer, IterNorm

__all__ = ["Aligner"]


class Aligner(AbstractEstimator):
    """Normalise each side separately, then map: `align` for arrays.

    Works with scikit-learn's ``clone`` and ``GridSearchCV``; use ``GroupKFold`` by source word, so that no word is in
    both parts of a split. A scikit-learn ``Pipeline`` is not equivalent, because it would not normalise Y.

    Parameters
    ----------
    normalizer
        Copied for each side and fitted on its rows; None is `IterNorm`.
    mapper
        Any aligner; None is `Procrustes`.

    Attributes
    ----------
    source_normalizer_, target_normalizer_, mapper_
        Fitted copies.
    """

    _estimator_type_ = "transformer"

    source_normalizer_: AbstractNormalizer
    target_normalizer_: AbstractNormalizer
    mapper_: AbstractAligner

    def __init__(self, normalizer: AbstractNormalizer | None = None, mapper: AbstractAligner | None = None) -> None:
        self.normalizer = normalizer
        self.mapper = mapper

    def fit(
        self,
        X: MatrixLike,
        Y: MatrixLike,
        *,
        callback: StepCallback | None = None,
        progress: Progress = ignore_progress,
    ) -> Self:
        """Learn from paired rows, on which the normalisers are fitted too; see `AbstractAligner.fit`."""
        mapper = Procrustes() if self.mapper is None else self.mapper.unfitted_copy()
        X, Y = check_pairs(X, Y, same_dim=mapper.same_dim)
        normalizer = IterNorm() if self.normalizer is None else self.normalizer
        with self.learning():
            self.source_normalizer_, self.target_normalizer_ = normalizer.unfitted_copy(), normalizer.unfitted_copy()
            rows = self.source_normalizer_.fit_transform(X), self.target_normalizer_.fit_transform(Y)
            self.mapper_ = mapper.fit(*rows, callback=callback, progress=progress)
        return self

    def transform(self, X: MatrixLike) -> Matrix:
        """Normalise and map source rows."""
        self.check_fitted()
        return self.mapper_.transform(self.source_normalizer_.transform(X))

    def transform_target(self, Y: MatrixLike) -> Matrix:
        """Normalise and map target rows."""
        self.check_fitted()
        return self.mapper_.transform_target(self.target_normalizer_.transform(Y))

    def score(self, X: MatrixLike, Y: MatrixLike) -> float:
        """Return CSLS P@1: the share of words in X whose best row of Y is one that they are paired with.

        Equal rows are the same word, so for a word in several pairs each of their rows is correct.
        """
        X, Y = check_pairs(X, Y, same_dim=False)
        (x_first, x_words), (y_first, y_words) = unique_rows(X), unique_rows(Y)
        return csls_precision_at_1(
            unit_rows(self.transform(X[x_first])),
            unit_rows(self.transform_target(Y[y_first])),
            np.stack([x_words, y_words], axis=1),
        )
