"""Base class of starts."""

from abc import ABC, abstractmethod
from typing import ClassVar, NamedTuple

from isoalign._core.estimator import AbstractEstimator
from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.types import RowPairs
from isoalign.alignment._problem import Problem
from isoalign.vocabulary import Vocabulary

__all__ = ["AbstractStart", "Words"]


class Words(NamedTuple):
    """The words of both sides in row order."""

    source: Vocabulary
    target: Vocabulary


class AbstractStart(AbstractEstimator, ABC):
    """Find a first dictionary, however rough, between two spaces."""

    needs_words: ClassVar[bool] = False
    """Whether the start needs words, not integer keys."""
    same_dim: ClassVar[bool] = False
    """Whether both spaces must have the same number of columns."""

    @abstractmethod
    def find_pairs(
        self, problem: Problem, words: Words | None = None, *, progress: Progress = ignore_progress
    ) -> RowPairs:
        """Return rows that may belong together, (p, 2).

        Parameters
        ----------
        problem
            Both spaces; its pairs are ignored.
        words
            The words of both sides, if the rows have any.
        progress
            Progress callback.
        """
