"""What `align` refuses before any expensive computation, and what it warns about."""

import warnings

import numpy as np

from isoalign._core.types import PathName, RowPairs
from isoalign.alignment._base import AbstractAligner
from isoalign.alignment._checkpoint import Checkpoint
from isoalign.alignment._evidence import SPELLING
from isoalign.alignment._methods import Method, are_few
from isoalign.alignment._problem import Problem
from isoalign.alignment._registry import (
    ALIGNERS,
    DEFAULT_METHOD,
    DEFAULT_METHOD_AFTER_SELF_LEARNING,
    DEFAULT_METHOD_OF_FEW_PAIRS,
    make_aligner,
    name_of,
)
from isoalign.errors import InvalidValueError, IsoalignWarning, ParameterError, ShapeError
from isoalign.lexicon import Lexicon
from isoalign.vectors import Embeddings

__all__ = [
    "check_coverage",
    "check_dimensions",
    "check_evidence",
    "count_sources",
    "describe_few_pairs",
    "has_few",
    "open_checkpoint",
    "warn_doubts",
]

_LEAST_COVERAGE = 0.05  # share of known pairs


def open_checkpoint(folder: PathName, aligner: AbstractAligner) -> Checkpoint:
    """Open the checkpoints of a run; raise an error if the method cannot be resumed."""
    if not aligner.can_continue:
        able = [name for name in ALIGNERS if ALIGNERS.load(name).can_continue]
        raise ParameterError(
            f"{name_of(aligner)} cannot resume from a checkpoint. "
            f"Omit checkpoint, or use method={' or '.join(map(repr, able))}."
        )
    return Checkpoint(folder)


def check_coverage(words: Lexicon, n_known: int, sides: tuple[Embeddings, Embeddings], *, allow_low: bool) -> None:
    """Raise an error if almost no pair of the dictionary is known: it may belong to other files."""
    if not allow_low and n_known < _LEAST_COVERAGE * len(words):
        raise InvalidValueError(
            f"Fewer than {_LEAST_COVERAGE:.0%} of the dictionary are known. {words.hint(*sides)} "
            "Pass allow_low_coverage=True to continue anyway."
        )


def check_evidence(evidence: tuple[str, ...], words: Lexicon | None, sides: tuple[Embeddings, Embeddings]) -> None:
    """Raise an error if there is nothing to learn the weights of evidence from."""
    if evidence and words is None:
        raise ParameterError("rerank and spelling learn from a dictionary. Give one, or omit them.")
    if set(SPELLING) & set(evidence) and not all(side.has_words for side in sides):
        raise ParameterError("spelling needs words. These keys are numbers.")


def check_dimensions(aligner: AbstractAligner, sides: tuple[Embeddings, Embeddings]) -> None:
    """Raise an error if the method does not support the dimensions of the spaces, before any expensive computation."""
    dims = [side.vector_size for side in sides]
    if aligner.same_dim and dims[0] != dims[1]:
        able = [name for name in ALIGNERS if not make_aligner(name).same_dim]
        raise ShapeError(
            f"{name_of(aligner)} needs vectors of equal dimension. Got {dims[0]} and {dims[1]}. "
            f"Use method={' or '.join(map(repr, able))}."
        )


def has_few(pairs: RowPairs, sides: tuple[Embeddings, Embeddings]) -> bool:
    """Return whether a dictionary is too small for a plain map, and most words are not in it."""
    dims = {side.vector_size for side in sides}
    n_words = count_sources(pairs)
    return len(dims) == 1 and 0 < 2 * n_words <= min(map(len, sides)) and are_few(n_words, dims.pop())


def count_sources(pairs: RowPairs) -> int:
    """Return the number of distinct source rows."""
    return len(np.unique(pairs[:, 0]))


def describe_few_pairs(problem: Problem) -> str:
    """Return a note that a small dictionary changes the default method."""
    return (
        f"{count_sources(problem.known_pairs)} known words are too few for a plain map: {DEFAULT_METHOD_OF_FEW_PAIRS} "
        f"is used, which finds further pairs, then {DEFAULT_METHOD_AFTER_SELF_LEARNING}. "
        f"Use method={DEFAULT_METHOD!r} to override."
    )


def warn_doubts(chosen: Method, problem: Problem, hints: list[str | None]) -> str | None:
    """Issue one warning with everything that makes the result doubtful; return the selection, or None."""
    select, notes = chosen.select, [*hints]
    n_sources = 0 if problem.pairs is None else count_sources(problem.pairs)
    dim = problem.X.shape[1]
    if problem.pairs is not None and not chosen.aligner.grows_pairs and n_sources < dim:
        notes.append(
            f"{len(problem.pairs)} known pair{'' if len(problem.pairs) == 1 else 's'} "
            f"({n_sources} source word{'' if n_sources == 1 else 's'}) for {dim} dimensions: the map is "
            "arbitrary in directions in which no pair varies, and will translate other words badly."
        )
    if not chosen.aligner.trajectories():
        select = None
    elif select == "validation" and n_sources < 2:
        notes.append("A single source word cannot be split for validation: the defaults of the method are used.")
        select = None
    elif select == "test":
        notes.append("select='test' used the test words: accuracy on them is not an honest estimate.")
    text = " ".join(note for note in notes if note)
    if text:
        warnings.warn(text, IsoalignWarning, stacklevel=3)
    return select
