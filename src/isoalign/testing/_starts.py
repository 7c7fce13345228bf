"""Contract of starts."""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import numpy as np

from isoalign._core.validate import check_row_pairs
from isoalign.alignment import STARTS, Problem
from isoalign.alignment.starts import AbstractStart, Words
from isoalign.errors import ParameterError
from isoalign.testing._planted import assert_refuses, planted_problem
from isoalign.vocabulary import Vocabulary

__all__ = ["START_CHECKS", "check_start"]

Settings: TypeAlias = Mapping[str, Any] | None


def check_start(name: str, settings: Settings = None) -> None:
    """Run every check of a registered start; the first that fails raises AssertionError.

    Parameters
    ----------
    name
        The registered name.
    settings
        Settings of the start, if its defaults would take long.
    """
    for check in START_CHECKS:
        check(name, settings)


def _make(name: str, settings: Settings) -> AbstractStart:
    start: AbstractStart = STARTS.make(name, settings)
    assert isinstance(start, AbstractStart)
    return start


def _words(problem: Problem) -> Words:
    shared = [str(1900 + row) for row in range(len(problem.X))]
    return Words(Vocabulary(shared), Vocabulary(shared[: len(problem.Y)]))


def finds_rows_of_both_spaces(name: str, settings: Settings = None) -> None:
    """Check that pairs are row numbers, the same for the same problem, and that the spaces are not changed."""
    problem = planted_problem(80, 5, noise=0.05)
    before = problem.X.copy(), problem.Y.copy()
    pairs = _make(name, settings).find_pairs(problem, _words(problem))
    assert pairs.shape[1] == 2
    check_row_pairs(pairs, n=len(problem.X), m=len(problem.Y))
    np.testing.assert_array_equal(_make(name, settings).find_pairs(problem, _words(problem)), pairs)
    np.testing.assert_array_equal(problem.X, before[0])
    np.testing.assert_array_equal(problem.Y, before[1])


def accepts_small_vocabularies(name: str, settings: Settings = None) -> None:
    """Check that twelve rows against nine work."""
    problem = planted_problem(12, 4, noise=0.1)
    smaller = Problem(problem.X, problem.Y[:9])
    pairs = _make(name, settings).find_pairs(smaller, _words(smaller))
    check_row_pairs(pairs, n=12, m=9)


def says_that_it_needs_words(name: str, settings: Settings = None) -> None:
    """Check that a start that compares words rejects rows without words, and that others ignore words."""
    start, problem = _make(name, settings), planted_problem(40, 4, noise=0.1)
    if start.needs_words:
        assert_refuses(ParameterError, lambda: start.find_pairs(problem))
    else:
        expected = start.find_pairs(problem)
        np.testing.assert_array_equal(_make(name, settings).find_pairs(problem, _words(problem)), expected)


START_CHECKS: tuple[Callable[[str, Settings], None], ...] = (
    finds_rows_of_both_spaces,
    accepts_small_vocabularies,
    says_that_it_needs_words,
)
"""Every check of a start; each takes the registered name and, optionally, settings."""
