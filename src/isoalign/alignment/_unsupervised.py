"""Learn without a dictionary: a start, several restarts, and a verdict on whether they found the same alignment."""

import logging
import warnings
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.types import RowPairs
from isoalign._core.validate import check_count, check_row_pairs
from isoalign.alignment._base import AbstractAligner
from isoalign.alignment._checkpoint import Checkpoint, Packed
from isoalign.alignment._learn import Learned, learn
from isoalign.alignment._problem import Problem
from isoalign.alignment._registry import DEFAULT_METHOD_OF_FEW_PAIRS, STARTS, make_aligner, name_of
from isoalign.alignment._verdict import Verdict, judge, mutual_pairs, split_start, without_structure
from isoalign.alignment.starts import AbstractStart, Words
from isoalign.errors import InvalidValueError, IsoalignWarning, ParameterError, ShapeError
from isoalign.vectors import Embeddings

__all__ = [
    "DEFAULT_RESTARTS",
    "as_start",
    "check_restarts",
    "find_dictionary",
    "guess_pairs",
    "learn_with_restarts",
    "make_start",
]

DEFAULT_RESTARTS = 3
_NULL_RANK = 2000  # words of the null spaces: with fewer words, agreement by chance is more likely
_NULL_STREAM = 1

_LOG = logging.getLogger(__name__)


def make_start(name: str, settings: Mapping[str, Any] | None = None) -> AbstractStart:
    """Create a start from its name and settings."""
    start: AbstractStart = STARTS.make(name, settings)
    return start


def as_start(start: str | AbstractStart | None) -> AbstractStart | None:
    """Return the start with a name."""
    return make_start(start) if isinstance(start, str) else start


def guess_pairs(
    start: AbstractStart,
    problem: Problem,
    sides: tuple[Embeddings, Embeddings],
    *,
    checkpoint: Checkpoint | None = None,
    progress: Progress = ignore_progress,
) -> RowPairs:
    """Return the first dictionary of a start; none is an error.

    Parameters
    ----------
    start
        The start.
    problem, sides
        Normalised spaces, and the words of their rows.
    checkpoint
        Where to save the dictionary; not used for starts based on words, which take no time.
    progress
        Progress callback.
    """
    place = None if checkpoint is None or start.needs_words else checkpoint.place_of(start, problem)
    kept = None if place is None else place.read()
    if kept is not None:
        return check_row_pairs(kept.arrays["pairs"], n=len(problem.X), m=len(problem.Y))
    words = Words(*(side.vocabulary for side in sides)) if all(side.has_words for side in sides) else None
    pairs = start.find_pairs(problem, words, progress=progress)
    if not len(pairs):
        name = STARTS.name_of(type(start)) or type(start).__name__
        raise InvalidValueError(f"The start {name!r} found no pair of rows to begin with. Try another one.")
    if place is not None:
        place.write(Packed({"pairs": pairs}, {}))
    return pairs


def check_restarts(restarts: int | None, aligner: AbstractAligner) -> int:
    """Return the number of restarts; None is 3 for a method that depends on a seed, and 1 for any other."""
    if restarts is None:
        return DEFAULT_RESTARTS if aligner.is_random else 1
    if check_count(restarts, name="restarts") > 1 and not aligner.is_random:
        raise ParameterError(f"{name_of(aligner)} does not depend on a seed: restarts must be 1. Got {restarts}.")
    return restarts


def learn_with_restarts(
    problem: Problem, learn_from: Callable[[Problem], Learned], *, restarts: int, what: str = ""
) -> tuple[Learned, Verdict | None]:
    """Learn from random halves of a first dictionary, and check whether the restarts found the same alignment.

    Parameters
    ----------
    problem
        With the pairs of a start.
    learn_from
        `learn` with an aligner that depends on a seed.
    restarts
        Number of fits. A single one learns from all pairs, without a verdict; three are needed for ``"found"``.
    what
        Prefix of the warning if the verdict is not ``"found"``.

    Returns
    -------
    learned, verdict
        Result of the restart that agrees most with the others.
    """
    if restarts == 1:
        return learn_from(problem), None
    learned = [learn_from(one) for one in _restarted(problem, restarts)]
    null = _null_problem(problem)
    nothing = [mutual_pairs(one, learn_from(one).maps) for one in ([] if null is None else _restarted(null, restarts))]
    verdict = judge([mutual_pairs(problem, one.maps) for one in learned], null=nothing)
    _LOG.info("%s", verdict.text)
    if verdict.status != "found":
        warnings.warn(what + verdict.text, IsoalignWarning, stacklevel=3)
    return learned[verdict.best], verdict


def find_dictionary(
    name: str,
    problem: Problem,
    sides: tuple[Embeddings, Embeddings],
    *,
    restarts: int | None = None,
    what: str = "",
    progress: Progress = ignore_progress,
) -> tuple[RowPairs, Verdict | None]:
    """Return the mutual pairs that self-learning finds from a start, and whether the restarts agree on them.

    Self-learning needs spaces of the same dimension. Otherwise, the pairs of a start based on words, such as words with
    the same spelling, are returned without a verdict.

    Parameters
    ----------
    name
        Name of the start.
    problem
        Both spaces; its pairs are ignored.
    sides
        The words of both spaces.
    restarts
        See `check_restarts`.
    what
        As in `learn_with_restarts`.
    progress
        Progress callback.
    """
    start, aligner = make_start(name), make_aligner(DEFAULT_METHOD_OF_FEW_PAIRS)
    restarts = check_restarts(restarts, aligner)
    dims = problem.X.shape[1], problem.Y.shape[1]
    same_dim = dims[0] == dims[1]
    if not (same_dim or start.needs_words):
        raise ShapeError(
            f"{what}self-learning needs vectors of equal dimension. Got {dims[0]} and {dims[1]}. Give a dictionary."
        )
    guess = guess_pairs(start, problem, sides, progress=progress)
    if not same_dim:
        return guess, None
    problem = replace(problem, pairs=guess, is_guess=True)
    learned, verdict = learn_with_restarts(
        problem, partial(learn, aligner=aligner, progress=progress), restarts=restarts, what=what
    )
    return mutual_pairs(problem, learned.maps), verdict


def _restarted(problem: Problem, restarts: int) -> list[Problem]:
    """Return copies of the problem with different seeds and random halves of its pairs."""
    seeds = range(restarts * problem.random_state, restarts * (problem.random_state + 1))
    return [
        replace(problem, pairs=split_start(problem.known_pairs, np.random.default_rng(seed)), random_state=seed)
        for seed in seeds
    ]


def _null_problem(problem: Problem) -> Problem | None:
    """Return the frequent words with the values of every target column permuted, which removes all structure."""
    n, m = problem.limits(_NULL_RANK)
    pairs = problem.known_pairs
    pairs = pairs[(pairs < (n, m)).all(axis=1)]
    if not len(pairs):
        return None
    rng = problem.rng(_NULL_STREAM)
    return Problem(
        problem.X[:n], without_structure(problem.Y[:m], rng), pairs, random_state=problem.random_state, is_guess=True
    )
