"""The front door: two embeddings and a dictionary in, an alignment out."""

import warnings
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from isoalign._core.progress import ProgressLike, as_progress, ignore_progress
from isoalign._core.types import PathName, RowPairs
from isoalign.alignment._alignment import Alignment
from isoalign.alignment._base import AbstractAligner
from isoalign.alignment._checkpoint import Checkpoint
from isoalign.alignment._given import read_dictionary, read_sides
from isoalign.alignment._learn import Learned, learn
from isoalign.alignment._member import choose_names
from isoalign.alignment._methods import Method, are_few, resolve_method
from isoalign.alignment._pair import record_spelling
from isoalign.alignment._problem import Problem
from isoalign.alignment._registry import (
    ALIGNERS,
    DEFAULT_METHOD,
    DEFAULT_METHOD_OF_SMALL_DICTIONARIES,
    STARTS,
    make_aligner,
    name_of,
)
from isoalign.alignment._result import copy_normalizer, describe_learning, make_alignment
from isoalign.alignment._spelling_weight import learn_spelling_weights
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
_SMALL = 1500  # source words up to which a closed form does better; python -m benchmarks.ablation


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
    spelling: bool = False,
    allow_low_coverage: bool = False,
    random_state: int = 0,
    n_jobs: int = 1,
    progress: ProgressLike = ignore_progress,
    checkpoint: PathName | None = None,
) -> Alignment:
    """Learn to bring two embedding spaces together.

    Parameters
    ----------
    source, target
        `Embeddings`, any objects with ``vectors`` and ``index_to_key``, or files; most frequent word first.
    lexicon
        Word pairs to learn from, a file of them, or the name of a start. None: there is no dictionary.
    start
        How to find a first dictionary where none is given: ``"similarity"``, ``"identical"``, …, see
        ``isoalign methods``.
    restarts
        How often to learn from a start, each time from another half of what it found. Whether they agree becomes
        the model's `verdict`. None: 3, and 1 for methods without a seed.
    method
        Name of a method such as ``"procrustes"`` or ``"rcsls"``, of a recipe such as ``"contrast-kernel"``, or an
        aligner; ``isoalign methods`` lists them. None is ``"contrast-kernel"``; below 1,500 known source words
        ``"geomm"``, which needs fewer; below 4/3 of the dimensions, or with a start, ``"self_learning"``.
    then
        Another method to learn from the dictionary that the maps of the first one induce: the words that choose each
        other, and the given pairs.
    settings
        Of the method, such as ``{"lr": 10}``.
    normalize
        ``"iternorm"``, ``"none"``, ``"unit,center,unit"``, …, or a normaliser; None is ``"iternorm"``, or what the
        recipe says. Means and lengths are those of the rows given here.
    select
        How rounds, epochs and step length are chosen where the method leaves them open: ``"validation"`` (the
        default) judges on a fifth of the training source words and then learns from all; ``"unsupervised"`` by mean
        cosine; None not at all; ``"test"`` by the words of ``test``, as MUSE does, which spoils them for testing.
    test
        Test dictionary, for ``select="test"`` only.
    weights
        How much each pair of the lexicon counts; pairs with an unknown word are skipped with their weights.
    candidates
        Which rows of each side may be candidates in induced dictionaries and as negative examples: how many of the
        first ones, or their numbers. None: all rows, taken to be in order of frequency.
    spelling
        Let candidates that are spelled like the query rank higher in translation and evaluation by CSLS. How much is
        learned from dictionary words left out of three more fits, and recorded.
    allow_low_coverage
        Learn even if fewer than 5 % of the pairs have both words in the vocabularies.
    random_state
        Seed of everything random: the validation split and what the method draws.
    n_jobs
        Fits to run side by side while settings are chosen.
    progress
        Progress callback; True draws a bar.
    checkpoint
        Folder in which the state of a long run is kept. Called again with the same arguments after an
        interruption, `align` continues from there with the same result. For methods that can (`self_learning`).

    Returns
    -------
    Alignment
        With two members, named after the languages of the embeddings where these are known and not taken, else
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
    pairs = None if words is None else words.row_pairs(*sides)
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
    last = None if then is None else resolve_method(then, select=select, random_state=chosen.random_state)
    first = as_start(chosen.start) if words is None else None
    kept = None if checkpoint is None else _open_checkpoint(checkpoint, chosen.aligner)
    restarts = 1 if first is None else check_restarts(restarts, chosen.aligner)
    if words is not None and weights is not None:
        weights = np.asarray(weights)[words.known_rows(*sides)]
    _check_dimensions(chosen.aligner, sides)
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
        guess = problem.pairs if first.needs_words else guess_pairs(first, problem, sides, checkpoint=kept)
        problem = replace(problem, pairs=guess, is_guess=True)
    elif pairs is None and chosen.aligner.needs_pairs:
        raise ParameterError(
            f"{name_of(chosen.aligner)} needs a dictionary. Give one, or start={' or '.join(map(repr, STARTS))}."
        )
    hints = [None if words is None else words.hint(*sides), _tell_few(problem) if few_pairs else None]
    selection = _warn_doubts(chosen, problem, hints)
    options: dict[str, Any] = {
        "test_pairs": None if test is None else given_lexicon(test).row_pairs(*sides),
        "n_jobs": n_jobs,
        "progress": progress,
        "checkpoint": kept,
    }
    learned, verdict = learn_with_restarts(problem, chosen.aligner, restarts=restarts, select=selection, **options)
    if last is not None:
        problem = problem.with_pairs(_grow_pairs(problem, learned))
        learned = learn(problem, last.aligner, select=last.select if last.aligner.trajectories() else None, **options)
    about = describe_learning(chosen, learned, problem, words, sides, verdict)
    if spelling:
        keys = (sides[0].index_to_key, sides[1].index_to_key)
        shares = learn_spelling_weights(problem, learned.aligner, keys, progress=progress)
        about["spelling"] = record_spelling(choose_names(*sides), shares)
    return make_alignment(sides, normalizers, (X, Y), learned, about)


def _open_checkpoint(folder: PathName, aligner: AbstractAligner) -> Checkpoint:
    if not aligner.can_continue:
        able = [name for name in ALIGNERS if ALIGNERS.load(name).can_continue]
        raise ParameterError(
            f"{name_of(aligner)} cannot continue from a checkpoint. "
            f"Leave checkpoint out, or use method={' or '.join(map(repr, able))}."
        )
    return Checkpoint(folder)


def _check_coverage(words: Lexicon, n_known: int, sides: tuple[Embeddings, Embeddings], *, allow_low: bool) -> None:
    """Refuse a dictionary of which almost nothing is known: it belongs to other files, or is not a dictionary."""
    if n_known and (allow_low or n_known >= _LEAST_COVERAGE * len(words)):
        return
    hint = words.hint(*sides) or "Give a dictionary of these two languages."
    if not n_known:
        raise InvalidValueError(f"No dictionary pair has both words in the vocabularies ({len(words):,} pairs). {hint}")
    raise InvalidValueError(
        f"Fewer than {_LEAST_COVERAGE:.0%} of the dictionary are known. {hint} "
        "Pass allow_low_coverage=True to continue anyway."
    )


def _check_dimensions(aligner: AbstractAligner, sides: tuple[Embeddings, Embeddings]) -> None:
    """Refuse spaces that the method cannot map onto each other, before anything costly."""
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
    """Whether a dictionary is too small for a map that adds no pairs, and most words are left for self-learning."""
    dims = {side.vector_size for side in sides}
    n_words = _count_sources(pairs)
    return len(dims) == 1 and 0 < 2 * n_words <= min(map(len, sides)) and are_few(n_words, dims.pop())


def _count_sources(pairs: RowPairs) -> int:
    return len(np.unique(pairs[:, 0]))


def _tell_few(problem: Problem) -> str:
    return (
        f"{_count_sources(problem.known_pairs)} known words are too few for a plain map: self_learning is used, which "
        f"adds pairs by itself. method={DEFAULT_METHOD!r} overrules."
    )


def _warn_doubts(chosen: Method, problem: Problem, hints: list[str | None]) -> str | None:
    """Say in one warning what makes the result doubtful; return how to select, None where nothing can be."""
    select, notes = chosen.select, [*hints]
    n_sources = 0 if problem.pairs is None else _count_sources(problem.pairs)
    dim = problem.X.shape[1]
    if problem.pairs is not None and not chosen.aligner.grows_pairs and n_sources < dim:
        notes.append(
            f"{len(problem.pairs)} known pairs ({n_sources} source words) for {dim} dimensions: the map is "
            "arbitrary in directions that no pair shows, and will translate other words badly."
        )
    if not chosen.aligner.trajectories():
        select = None
    elif select == "validation" and n_sources < 2:
        notes.append("One source word cannot be split for validation: the method's own defaults are used.")
        select = None
    elif select == "test":
        notes.append("select='test' saw the test words: accuracy on them is not an honest estimate.")
    text = " ".join(note for note in notes if note)
    if text:
        warnings.warn(text, IsoalignWarning, stacklevel=3)
    return select
