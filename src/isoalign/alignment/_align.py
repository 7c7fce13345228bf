"""`align`: learn an alignment from two embeddings and a dictionary."""

import warnings
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from isoalign._core.progress import ProgressLike, as_progress, ignore_progress
from isoalign._core.types import PathName, RowPairs
from isoalign._core.validate import check_matrix
from isoalign.alignment._alignment import Alignment
from isoalign.alignment._base import AbstractAligner
from isoalign.alignment._doubts import (
    check_coverage,
    check_dimensions,
    check_evidence,
    count_sources,
    describe_few_pairs,
    has_few,
    open_checkpoint,
    warn_doubts,
)
from isoalign.alignment._evidence import FEATURES, SPELLING
from isoalign.alignment._given import read_dictionary, read_sides
from isoalign.alignment._learn import Learned, learn
from isoalign.alignment._learned_ranking import learn_ranking
from isoalign.alignment._member import choose_names
from isoalign.alignment._methods import resolve_method
from isoalign.alignment._pair import record_ranking
from isoalign.alignment._problem import Problem
from isoalign.alignment._registry import (
    ALIGNERS,
    DEFAULT_METHOD_OF_SMALL_DICTIONARIES,
    STARTS,
    name_of,
)
from isoalign.alignment._result import copy_normalizer, describe_learning, make_alignment
from isoalign.alignment._unsupervised import as_start, check_restarts, guess_pairs, learn_with_restarts
from isoalign.alignment._verdict import mutual_pairs
from isoalign.alignment.starts import AbstractStart
from isoalign.errors import IsoalignWarning, ParameterError
from isoalign.io import EmbeddingsLike, LexiconLike, given_lexicon
from isoalign.normalization import AbstractNormalizer
from isoalign.normalization import normalize as normalize_embeddings

__all__ = ["align"]

_SMALL = 1500  # source words up to which GeoMM, in closed form, is better; python -m benchmarks.ablation


def align(
    source: EmbeddingsLike,
    target: EmbeddingsLike,
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
        Weight of each pair of the dictionary; pairs with an unknown word are skipped with their weights.
    candidates
        Rows of each side that may be candidates in induced dictionaries and negative examples: the number of first
        rows, or row numbers. None: all rows, which are assumed to be sorted by frequency.
    rerank
        Sort the best candidates by CSLS again, by a weighted sum of evidence: whether the candidate would be translated
        back, how frequent both words are, how crowded its neighbourhood is. The weights are learned from dictionary
        words left out of three additional fits, and recorded. A fourth fit asks the last quarter of the dictionary like
        a test dictionary; what does not help there is left out, and with fewer than 100 words everything is.
    spelling
        Use spelling as evidence, alone or with ``rerank``: how many letters are the same, and how likely both words are
        the same word in two spellings. Which letters of the two scripts correspond is learned from the dictionary, and
        recorded.
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
        check_coverage(words, len(pairs), sides, allow_low=allow_low_coverage)
    few_pairs = False
    if method is None and not settings and weights is None and pairs is not None:
        few_pairs = has_few(pairs, sides)
        if not few_pairs and count_sources(pairs) < _SMALL:
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
    if words is not None and chosen.start is not None:
        warnings.warn(
            f"{chosen.recipe} begins with {chosen.start!r} only if there is no dictionary; the dictionary is used.",
            IsoalignWarning,
            stacklevel=2,
        )
    last_name = then or chosen.then
    last = None if last_name is None else resolve_method(last_name, select=select, random_state=chosen.random_state)
    first = as_start(chosen.start) if words is None else None
    kept = None if checkpoint is None else open_checkpoint(checkpoint, chosen.aligner)
    restarts = 1 if first is None else check_restarts(restarts, chosen.aligner)
    if words is not None and weights is not None:
        weights = np.asarray(weights)[words.known_rows(*sides)]
    check_dimensions(chosen.aligner, sides)
    evidence = (*(FEATURES if rerank else ()), *(SPELLING if spelling else ()))
    check_evidence(evidence, words, sides)
    if weights is not None and not chosen.aligner.weighs_pairs:
        able = " or ".join(repr(name) for name in ALIGNERS if ALIGNERS.load(name).weighs_pairs)
        raise ParameterError(f"{name_of(chosen.aligner)} does not weigh pairs. Use method={able}.")
    normalizers = tuple(copy_normalizer(chosen.normalize) for _ in sides)
    X, Y = (
        check_matrix(normalize_embeddings(side, normalizer, progress=progress).vectors, finite=False)
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
    hints = [None if words is None else words.hint(*sides), describe_few_pairs(problem) if few_pairs else None]
    selection = warn_doubts(chosen, problem, hints)
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
        asked = Problem.from_spaces(X, Y, pairs, weights=weights, random_state=chosen.random_state)  # rows as in keys
        ranking = learn_ranking(asked, learned.aligner, keys, evidence, progress=progress)
        about |= record_ranking(choose_names(*sides), ranking)
    return make_alignment(sides, normalizers, (X, Y), learned, about)


def _grow_pairs(problem: Problem, learned: Learned) -> RowPairs:
    """Return the rows that choose each other, and the given pairs."""
    induced = mutual_pairs(problem, learned.maps)
    return induced if problem.is_guess else np.unique(np.concatenate([problem.known_pairs, induced]), axis=0)
