"""Bilingual lexicon induction: how many words of a test dictionary a model translates rightly."""

import warnings
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isoalign._progress import Progress, ignore_progress
from isoalign._types import IntVector, RandomState
from isoalign._validate import check_choice, check_count
from isoalign.alignment import Alignment
from isoalign.errors import InvalidValueError, IsoalignWarning, ParameterError
from isoalign.evaluation._protocols import PROTOCOLS, Questions, find_spelled_alike, pose_questions
from isoalign.evaluation._results import Answer, BliResult, Group
from isoalign.evaluation._statistics import N_RESAMPLES, percentile_interval, resample_ratios, sum_by_word
from isoalign.lexicon import Lexicon
from isoalign.neighbors import BEYOND, AbstractRetriever, Ranking, rank_gold
from isoalign.translation import fit_retriever
from isoalign.vectors import Embeddings

__all__ = ["evaluate_bli"]


def evaluate_bli(
    model: Alignment,
    lexicon: Lexicon | Iterable[tuple[str, str]],
    *,
    protocol: str = "muse",
    retrieval: str | AbstractRetriever | None = None,
    ks: Sequence[int] = (1, 5, 10),
    full_ranks: bool = False,
    exclude_identical: bool = False,
    bands: Sequence[int] = (),
    n_resamples: int = N_RESAMPLES,
    random_state: RandomState = 0,
    progress: Progress = ignore_progress,
) -> BliResult:
    """Score a model on a test dictionary.

    For the other direction pass ``model.reverse()`` and ``lexicon.inverse()``.

    Parameters
    ----------
    model
        With both vocabularies; `Alignment.from_matrix` wraps maps and vectors made by other tools. All its target
        words are candidates.
    lexicon
        Test dictionary, looked up exactly as it is spelled.
    protocol
        ``"muse"``, ``"fasttext"``, ``"vecmap"`` or ``"xling"``: public evaluators disagree about unknown words and
        about words with several translations, see :data:`PROTOCOLS`.
    retrieval
        ``"csls"``, ``"nn"``, …, or an unfitted retriever; None is the protocol's own.
    ks
        How many candidates to look at.
    full_ranks
        Find the ranks of right answers beyond the largest k too, at the price of a second search.
    exclude_identical
        Leave out source words that have a translation of the same spelling: names, mostly, which no one needs a model
        for.
    bands
        Score words apart by frequency: ``(1000, 5000)`` gives source rows below 1000, below 5000, and the rest.
    n_resamples, random_state
        Bootstrap draws behind the intervals, and their seed.
    progress
        Hears how far the search has come.

    Returns
    -------
    BliResult

    Examples
    --------
    >>> import isoalign as ia
    >>> ia.evaluate_bli(model, test).precision[1]  # doctest: +SKIP
    0.5598
    """
    rules = PROTOCOLS[check_choice(protocol, PROTOCOLS, name="protocol")]
    ks = tuple(sorted({check_count(k, name="ks") for k in ks}))
    if not ks:
        raise ParameterError("ks must hold at least one number of candidates.")
    asked = lexicon if isinstance(lexicon, Lexicon) else Lexicon(lexicon)
    alike = find_spelled_alike(asked)
    if exclude_identical:
        asked = Lexicon(pair for pair in asked if pair[0] not in alike)
    source, target = model.embeddings("source"), model.embeddings("target")
    questions = pose_questions(asked, source, target, rules)
    _check_known(questions, asked, source, target)
    retriever = fit_retriever(model, retrieval or rules.retrieval, progress=progress)
    ranks, answers = _answer(
        questions, model, retriever, k=ks[-1], full=full_ranks or rules.all_ranks, progress=progress
    )
    names, masks = _split(questions, alike, bands)
    scores = _score_table(ranks, ks, None if rules.all_ranks else ks[-1])
    means, lows, highs = _summarize(questions.words, scores, masks, n_resamples, random_state)
    groups = [
        Group(name, int(mask.sum()), dict(zip(ks, mean[:-1], strict=True)), dict(zip(ks, ends[:-1], strict=True)))
        for name, mask, mean, ends in zip(names, masks.T, means, _pair_up(lows, highs), strict=True)
    ]
    coverage = asked.coverage(source, target)
    return BliResult(
        protocol=protocol,
        retrieval=repr(retriever),
        precision=groups[0].precision,
        ci95=groups[0].ci95,
        mrr=means[0][-1],
        mrr_ci95=(float(lows[0, -1]), float(highs[0, -1])),
        mrr_at=None if rules.all_ranks else ks[-1],
        coverage=coverage.sources,
        n=len(questions.words),
        n_sources=coverage.n_sources,
        known_sources=coverage.known_sources,
        left_out=len(alike) if exclude_identical else 0,
        groups=tuple(groups[1:]),
        answers=tuple(answers),
        provenance=_provenance(model, asked, n_resamples, random_state),
    )


def _check_known(questions: Questions, lexicon: Lexicon, source: Embeddings, target: Embeddings) -> None:
    hint = lexicon.hint(source, target)
    if not len(questions.targets):
        raise InvalidValueError(
            f"No test pair has both words in the vocabularies ({len(lexicon)} pairs). "
            + (hint or "Give a dictionary of these two languages.")
        )
    if hint is not None:
        warnings.warn(hint, IsoalignWarning, stacklevel=3)


def _answer(
    questions: Questions, model: Alignment, retriever: AbstractRetriever, *, k: int, full: bool, progress: Progress
) -> tuple[IntVector, list[Answer]]:
    """Rank the right answers of all questions; those that cannot be answered have rank BEYOND."""
    possible = questions.sources >= 0
    starts = np.append(questions.starts[:-1][possible], len(questions.targets))
    Q = model.space("source")[questions.sources[possible]]
    found = rank_gold(retriever, Q, starts, questions.targets, k=k, full=full, progress=progress)
    ranks = np.full(len(possible), BEYOND, dtype=np.int64)
    ranks[possible] = found.ranks
    return ranks, list(_describe(questions, ranks, found, model.embeddings("target")))


def _describe(questions: Questions, ranks: IntVector, found: Ranking, target: Embeddings) -> Iterable[Answer]:
    words, searched = target.index_to_key, 0
    for word, gold, row, rank in zip(
        questions.words, questions.gold, questions.sources.tolist(), ranks.tolist(), strict=True
    ):
        if row < 0:
            yield Answer(word, gold, None, None)
            continue
        yield Answer(
            word,
            gold,
            row,
            None if rank == BEYOND else rank,
            tuple(words[candidate] for candidate in found.rows[searched].tolist()),
            tuple(found.scores[searched].tolist()),
        )
        searched += 1


def _split(questions: Questions, alike: set[str], bands: Sequence[int]) -> tuple[list[str], NDArray[np.bool_]]:
    """Name the groups of questions that are scored apart, all of them first, with a mask (q, groups)."""
    rows = questions.sources
    groups = {"all": np.ones(len(rows), dtype=bool)}
    is_alike = np.array([word in alike for word in questions.words])
    if is_alike.any():
        groups |= {"spelled alike": is_alike, "spelled differently": ~is_alike}
    if bands:
        edges = [0, *sorted({check_count(edge, name="bands") for edge in bands})]
        for low, high in pairwise(edges):
            groups[f"source words {low + 1}–{high}"] = (rows >= low) & (rows < high)
        groups[f"source words from {edges[-1] + 1}"] = rows >= edges[-1]
        groups["no known pair"] = rows < 0
    groups = {name: mask for name, mask in groups.items() if mask.any()}
    return list(groups), np.stack(list(groups.values()), axis=1)


def _score_table(ranks: IntVector, ks: Sequence[int], mrr_at: int | None) -> NDArray[np.float64]:
    """Return right or wrong at every k, and the reciprocal rank, (q, len(ks) + 1)."""
    hits = ranks[:, None] <= np.asarray(ks)
    reciprocal = np.where(ranks <= (BEYOND - 1 if mrr_at is None else mrr_at), 1 / ranks, 0)
    return np.column_stack([hits, reciprocal])


def _summarize(
    words: list[str],
    scores: NDArray[np.float64],
    masks: NDArray[np.bool_],
    n_resamples: int,
    random_state: RandomState,
) -> tuple[list[list[float]], NDArray[np.float64], NDArray[np.float64]]:
    """Return mean scores (g, c) of all groups, and the ends of their intervals over source words."""
    numerators, denominators = sum_by_word(words, scores[:, None, :] * masks[:, :, None], masks.astype(np.float64))
    means = numerators.sum(axis=0) / denominators.sum(axis=0)[:, None]
    check_count(n_resamples, name="n_resamples")
    samples = resample_ratios(numerators, denominators, n_resamples=n_resamples, random_state=random_state)
    return means.tolist(), *percentile_interval(samples)


def _pair_up(lows: NDArray[np.float64], highs: NDArray[np.float64]) -> list[list[tuple[float, float]]]:
    return [list(zip(low, high, strict=True)) for low, high in zip(lows.tolist(), highs.tolist(), strict=True)]


def _provenance(model: Alignment, lexicon: Lexicon, n_resamples: int, random_state: RandomState) -> dict[str, Any]:
    selection = model.history.get("selection")
    return {
        "isoalign": version("isoalign"),
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "model": model.provenance,
        "selection": selection["about"] if selection else None,
        "lexicon_pairs": len(lexicon),
        "source_words": len(model.embeddings("source")),
        "target_words": len(model.embeddings("target")),
        "n_resamples": n_resamples,
        "random_state": random_state if isinstance(random_state, int) else None,
    }
