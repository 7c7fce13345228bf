"""`align`: learn an alignment from two embeddings and a dictionary."""

import warnings
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from isoalign._core.progress import ProgressLike, as_progress, ignore_progress
from isoalign._core.types import PathName, RowPairs
from isoalign.alignment._alignment import Alignment
from isoalign.alignment._base import AbstractAligner
from isoalign.alignment._checkpoint import Checkpoint
from isoalign.alignment._evidence import FEATURES, SPELLING
from isoalign.alignment._given import read_dictionary, read_sides
from isoalign.alignment._learn import Learned, learn
from isoalign.alignment._learned_ranking import learn_ranking
from isoalign.alignment._member import choose_names
from isoalign.alignment._methods import Method, are_few, resolve_method
from isoalign.alignment._pair import record_ranking
from isoalign.alignment._problem import Problem
from isoalign.alignment._registry import (
    ALIGNERS,
    DEFAULT_METHOD,
    DEFAULT_METHOD_AFTER_SELF_LEARNING,
    DEFAULT_METHOD_OF_FEW_PAIRS,
    DEFAULT_METHOD_OF_SMALL_DICTIONARIES,
    STARTS,
    make_aligner,
    name_of,
)
from isoalign.alignment._result import copy_normalizer, describe_learning, make_alignment
from isoalign.alignment._unsupervised import as_start, check_restarts, guess_pairs, learn_with_restarts
from isoalign.alignment._verdict import mutual_pairs
from isoalign.alignment.starts import AbstractStart
from isoalign.errors import InvalidValueError, IsoalignWarning, ParameterError, ShapeError
from isoalign.io import LexiconLike, given_lexicon
from isoalign.lexicon import Lexicon
from isoalign.normalization import AbstractNormalizer
from isoalign.normalization import normalize as normalize_embeddings
from isoalign.vectors import Embeddings

__all__ = ["align"]

_LEAST_COVERAGE = 0.05  # share of known pairs
_SMALL = 1500  # source words up to which GeoMM, in closed form, is better; python -m benchmarks.ablation


def align(
    source: Any,
    target: Any,
    lexicon: LexiconLike | None = None,
    *,
    start: str | AbstractStart | None = None,
    restarts: int | None = None,
    method: str | AbstractAligner | None = None,
    then: str | AbstractAligner | None = None,
    settings: Mapping[str, Any] | None = None,
    normalize: str | AbstractNormalizer | None = None,
    select: str | None = "default",
    test: LexiconLike | None = None,
    weights: Any = None,
    candidates: tuple[Any, Any] | None = None,
    rerank: bool = False,
    spelling: bool = False,
    allow_low_coverage: bool = False,
    random_state: int = 0,
    n_jobs: int = 1,
    progress: ProgressLike = ignore_progress,
    checkpoint: PathName | None = None,
) -> Alignment:
    """Align two embedding spaces.

    Parameters
    ----------
    source, target
        `Embeddings`, any objects with ``vectors`` and ``index_to_key``, or files; most frequent word first.
    lexicon
        Word pairs to learn from, a dictionary file, or the name of a start. None if there is no dictionary.
    start
        How to find a first dictionary if none is given: ``"similarity"``, ``"identical"``, …, see
        ``isoalign methods``.
    restarts
        Number of fits from a start, each from a different random half of its pairs. Whether they agree is the
        `verdict` of the model. None is 3, or 1 for methods without a seed.
    method
        Name of a method such as ``"procrustes"`` or ``"rcsls"``, of a recipe such as ``"contrast-kernel"``, or an
        aligner; ``isoalign methods`` lists them. None is ``"contrast-kernel"``; with fewer than 1,500 known source
        words ``"geomm"``; with fewer than 8/3 of the number of dimensions, or with a start, ``"self_learning"`` and
        then ``"geomm"``.
    then
        Second method, which learns from the dictionary that the maps of the first one induce: the words that choose
        each other, and the given pairs. None is ``"geomm"`` after self-learning if `method` is None, else no second
        method.
    settings
        Settings of the method, such as ``{"lr": 10}``.
    normalize
        ``"iternorm"``, ``"none"``, ``"unit,center,unit"``, …, or a normaliser; None is ``"iternorm"``, or that of
        the recipe. Means and lengths are those of the rows given here.
    select
        How to choose rounds, epochs and step length if the method leaves them open. ``"validation"`` (the default)
        scores them on a fifth of the training source words and then learns from all words; ``"unsupervised"`` uses
        the mean cosine; None chooses nothing; ``"test"`` uses the words of ``test``, as MUSE does, so that accuracy
        on them is no longer an honest estimate.
    test
        Test dictionary, for ``select="test"`` only.
    weights
        Weight of each pair of the lexicon; pairs with an unknown word are skipped with their weights.
    candidates
        Rows of each side that may be candidates in induced dictionaries and negative examples: the number of first
        rows, or row numbers. None: all rows, which are assumed to be sorted by frequency.
    rerank
        Sort the best candidates by CSLS again, by a weighted sum of evidence: whether the candidate would be translated
        back, how frequent both words are, how crowded its neighbourhood is. The weights are learned from dictionary
        words left out of three additional fits, and recorded. What does not help the last quarter of the dictionary is
        left out, and with fewer than 100 words everything is.
    spelling
        Use similar spelling as evidence, alone or with ``rerank``.
    allow_low_coverage
        Whether to learn even if fewer than 5 % of the pairs have both words in the vocabularies.
    random_state
        Seed of the validation split and of all random choices of the method.
    n_jobs
        Number of fits to run in parallel while settings are chosen.
    progress
        Progress callback; True draws a bar.
    checkpoint
        Folder for the state of a long run. If `align` is called again with the same arguments after an interruption,
        it resumes from there with the same result. Only for methods that support it (`self_learning`).

    Returns
    -------
    Alignment
        With two members, named after the languages of the embeddings if these are known and different, else
        ``"source"`` and ``"target"``.

    Examples
    --------
    >>> import isoalign as ia
    >>> model = ia.align(en, ja, train, method="rcsls")  # doctest: +SKIP
    >>> model = ia.align("wiki.en.vec", "wiki.ja.vec", "en-ja.txt", progress=True)  # doctest: +SKIP
    """
    progress = as_progress(progress)
    sides = read_sides(source, target, progress)
    words, start = read_dictionary(lexicon, start)
    pairs = None if words is None else words.require_pairs(*sides)
    if words is not None and pairs is not None:
        _check_coverage(words, len(pairs), sides, allow_low=allow_low_coverage)
    few_pairs = False
    if method is None and not settings and weights is None and pairs is not None:
        few_pairs = _has_few(pairs, sides)
        if not few_pairs and _count_sources(pairs) < _SMALL:
            method = DEFAULT_METHOD_OF_SMALL_DICTIONARIES
    chosen = resolve_method(
        method,
        start=start,
        few_pairs=few_pairs,
        settings=settings,
        normalize=normalize,
        select=select,
        random_state=random_state,
    )
    last_name = then or chosen.then
    last = None if last_name is None else resolve_method(last_name, select=select, random_state=chosen.random_state)
    first = as_start(chosen.start) if words is None else None
    kept = None if checkpoint is None else _open_checkpoint(checkpoint, chosen.aligner)
    restarts = 1 if first is None else check_restarts(restarts, chosen.aligner)
    if words is not None and weights is not None:
        weights = np.asarray(weights)[words.known_rows(*sides)]
    _check_dimensions(chosen.aligner, sides)
    evidence = (*(FEATURES if rerank else ()), *((SPELLING,) if spelling else ()))
    _check_evidence(evidence, words, sides)
    if weights is not None and not chosen.aligner.weighs_pairs:
        able = " or ".join(repr(name) for name in ALIGNERS if ALIGNERS.load(name).weighs_pairs)
        raise ParameterError(f"{name_of(chosen.aligner)} does not weigh pairs. Use method={able}.")
    normalizers = tuple(copy_normalizer(chosen.normalize) for _ in sides)
    X, Y = (
        normalize_embeddings(side, normalizer, progress=progress).vectors
        for side, normalizer in zip(sides, normalizers, strict=True)
    )
    if first is not None and first.needs_words:
        pairs = guess_pairs(first, Problem(X, Y, random_state=chosen.random_state), sides)
    problem = Problem.from_spaces(X, Y, pairs, weights=weights, candidates=candidates, random_state=chosen.random_state)
    if first is not None:
        guess = (
            problem.pairs
            if first.needs_words
            else guess_pairs(first, problem, sides, checkpoint=kept, progress=progress)
        )
        problem = replace(problem, pairs=guess, is_guess=True)
    elif pairs is None and chosen.aligner.needs_pairs:
        raise ParameterError(
            f"{name_of(chosen.aligner)} needs a dictionary. Give one, or start={' or '.join(map(repr, STARTS))}."
        )
    hints = [None if words is None else words.hint(*sides), _tell_few(problem) if few_pairs else None]
    selection = _warn_doubts(chosen, problem, hints)
    test_pairs = None if test is None else given_lexicon(test).row_pairs(*sides)
    learn_by = partial(learn, test_pairs=test_pairs, n_jobs=n_jobs, progress=progress, checkpoint=kept)
    learn_first = partial(learn_by, aligner=chosen.aligner, select=selection)
    learned, verdict = learn_with_restarts(problem, learn_first, restarts=restarts)
    given = problem
    if last is not None:
        grown = _grow_pairs(problem, learned)
        if then is not None or len(grown) >= X.shape[1]:  # a map of fewer pairs would be worse than the one there is
            selection = last.select if last.aligner.trajectories() else None
            problem = problem.with_pairs(grown)
            learned = learn_by(problem, aligner=last.aligner, select=selection)
    about = describe_learning(chosen, learned, (given, problem), words, sides, verdict)
    if evidence:
        keys = (sides[0].index_to_key, sides[1].index_to_key)
        ranking = learn_ranking(given, learned.aligner, keys, evidence, progress=progress)
        about["rerank"] = record_ranking(choose_names(*sides), ranking)
    return make_alignment(sides, normalizers, (X, Y), learned, about)


def _open_checkpoint(folder: PathName, aligner: AbstractAligner) -> Checkpoint:
    if not aligner.can_continue:
        able = [name for name in ALIGNERS if ALIGNERS.load(name).can_continue]
        raise ParameterError(
            f"{name_of(aligner)} cannot resume from a checkpoint. "
            f"Omit checkpoint, or use method={' or '.join(map(repr, able))}."
        )
    return Checkpoint(folder)


def _check_coverage(words: Lexicon, n_known: int, sides: tuple[Embeddings, Embeddings], *, allow_low: bool) -> None:
    """Raise an error if almost no pair of the dictionary is known: it may belong to other files."""
    if not allow_low and n_known < _LEAST_COVERAGE * len(words):
        raise InvalidValueError(
            f"Fewer than {_LEAST_COVERAGE:.0%} of the dictionary are known. {words.hint(*sides)} "
            "Pass allow_low_coverage=True to continue anyway."
        )


def _check_evidence(evidence: tuple[str, ...], words: Lexicon | None, sides: tuple[Embeddings, Embeddings]) -> None:
    """Raise an error if there is nothing to learn the weights of evidence from."""
    if evidence and words is None:
        raise ParameterError("rerank and spelling learn from a dictionary. Give one, or omit them.")
    if SPELLING in evidence and not all(side.has_words for side in sides):
        raise ParameterError("spelling needs words. These keys are numbers.")


def _check_dimensions(aligner: AbstractAligner, sides: tuple[Embeddings, Embeddings]) -> None:
    """Raise an error if the method does not support the dimensions of the spaces, before any expensive computation."""
    dims = [side.vector_size for side in sides]
    if aligner.same_dim and dims[0] != dims[1]:
        able = [name for name in ALIGNERS if not make_aligner(name).same_dim]
        raise ShapeError(
            f"{name_of(aligner)} needs vectors of equal dimension. Got {dims[0]} and {dims[1]}. "
            f"Use method={' or '.join(map(repr, able))}."
        )


def _grow_pairs(problem: Problem, learned: Learned) -> RowPairs:
    """Return the rows that choose each other, and the given pairs."""
    induced = mutual_pairs(problem, learned.maps)
    return induced if problem.is_guess else np.unique(np.concatenate([problem.known_pairs, induced]), axis=0)


def _has_few(pairs: RowPairs, sides: tuple[Embeddings, Embeddings]) -> bool:
    """Return whether a dictionary is too small for a plain map, and most words are not in it."""
    dims = {side.vector_size for side in sides}
    n_words = _count_sources(pairs)
    return len(dims) == 1 and 0 < 2 * n_words <= min(map(len, sides)) and are_few(n_words, dims.pop())


def _count_sources(pairs: RowPairs) -> int:
    return len(np.unique(pairs[:, 0]))


def _tell_few(problem: Problem) -> str:
    return (
        f"{_count_sources(problem.known_pairs)} known words are too few for a plain map: {DEFAULT_METHOD_OF_FEW_PAIRS} "
        f"is used, which finds further pairs, then {DEFAULT_METHOD_AFTER_SELF_LEARNING}. "
        f"Use method={DEFAULT_METHOD!r} to override."
    )


def _warn_doubts(chosen: Method, problem: Problem, hints: list[str | None]) -> str | None:
    """Issue one warning with everything that makes the result doubtful; return the selection, or None."""
    select, notes = chosen.select, [*hints]
    n_sources = 0 if problem.pairs is None else _count_sources(problem.pairs)
    dim = problem.X.shape[1]
    if problem.pairs is not None and not chosen.aligner.grows_pairs and n_sources < dim:
        notes.append(
            f"{len(problem.pairs)} known pairs ({n_sources} source words) for {dim} dimensions: the map is "
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
