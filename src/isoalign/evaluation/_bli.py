"""Bilingual lexicon induction: how many words of a test dictionary a model translates correctly."""

import warnings
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isoalign._core.progress import Progress, ProgressLike, as_progress, ignore_progress
from isoalign._core.types import IntVector, RandomState
from isoalign._core.validate import check_choice, check_count
from isoalign._core.version import VERSION
from isoalign.alignment import Alignment, Pair
from isoalign.errors import IsoalignWarning, ParameterError
from isoalign.evaluation._protocols import PROTOCOLS, Questions, find_spelled_alike, pose_questions
from isoalign.evaluation._results import Answer, BliResult, Group
from isoalign.evaluation._statistics import N_RESAMPLES, percentile_interval, resample_ratios, sum_by_word
from isoalign.io import LexiconLike, given_lexicon
from isoalign.lexicon import Lexicon
from isoalign.neighbors import BEYOND, AbstractRetriever, Ranking, rank_gold
from isoalign.translation import fit_retriever
from isoalign.vectors import Embeddings

__all__ = ["evaluate_bli"]


def evaluate_bli(
    model: Alignment,
    lexicon: LexiconLike,
    *,
    source: str | None = None,
    target: str | None = None,
    protocol: str = "muse",
    retrieval: str | AbstractRetriever | None = None,
    ks: Sequence[int] = (1, 5, 10),
    full_ranks: bool = False,
    exclude_identical: bool = False,
    bands: Sequence[int] = (),
    n_resamples: int = N_RESAMPLES,
    random_state: RandomState = 0,
    progress: ProgressLike = ignore_progress,
) -> BliResult:
    """Score a model on a test dictionary.

    For the other direction exchange ``source`` and ``target`` and pass ``lexicon.inverse()``.

    Parameters
    ----------
    model
        With the vocabularies; `Alignment.from_matrix` wraps maps and vectors made by other tools. All words of the
        target are candidates.
    lexicon
        Test dictionary, or a file of it, looked up exactly as it is spelled.
    source, target
        Members to translate from and to; with two members they may be omitted.
    protocol
        ``"muse"``, ``"fasttext"``, ``"vecmap"`` or ``"xling"``. Public evaluation scripts differ in how they treat
        unknown words and words with several translations, see :data:`PROTOCOLS`.
    retrieval
        ``"csls"``, ``"nn"``, …, or an unfitted retriever. None uses the protocol's default.
    ks
        Compute precision at each of these numbers of candidates.
    full_ranks
        Also compute ranks beyond the largest k. This needs a second search.
    exclude_identical
        Exclude source words with a translation of the same spelling, most of which are names.
    bands
        Frequency ranks at which to split the score: ``(1000, 5000)`` gives source words 1–1000, 1001–5000, and the
        rest.
    n_resamples, random_state
        Number of bootstrap resamples for the confidence intervals, and their seed.
    progress
        Progress callback; True draws a bar.

    Returns
    -------
    BliResult

    Examples
    --------
    >>> import isoalign as ia
    >>> ia.evaluate_bli(model, test).precision[1]  # doctest: +SKIP
    0.5598
    """
    progress = as_progress(progress)
    rules = PROTOCOLS[check_choice(protocol, PROTOCOLS, name="protocol")]
    ks = tuple(sorted({check_count(k, name="ks") for k in ks}))
    if not ks:
        raise ParameterError("ks must contain at least one number of candidates.")
    asked = given_lexicon(lexicon)
    alike = find_spelled_alike(asked)
    if exclude_identical:
        asked = Lexicon(pair for pair in asked if pair[0] not in alike)
    pair = model.pair(source, target)
    vocabularies = (pair.source.raw, pair.target.raw)
    asked.require_pairs(*vocabularies, what="test pair")
    questions = pose_questions(asked, *vocabularies, rules)
    hint = asked.hint(*vocabularies)
    if hint is not None:
        warnings.warn(f"{pair.source.name} → {pair.target.name}: {hint}", IsoalignWarning, stacklevel=2)
    retriever = fit_retriever(pair, retrieval or rules.retrieval, progress=progress)
    ranks, answers = _answer(
        questions, pair, retriever, k=ks[-1], full=full_ranks or rules.all_ranks, progress=progress
    )
    names, masks = _split(questions, alike, bands)
    scores = _score_table(ranks, ks, None if rules.all_ranks else ks[-1])
    means, lows, highs = _summarize(questions.words, scores, masks, n_resamples, random_state)
    groups = [
        Group(name, int(mask.sum()), dict(zip(ks, mean[:-1], strict=True)), dict(zip(ks, ends[:-1], strict=True)))
        for name, mask, mean, ends in zip(names, masks.T, means, _pair_up(lows, highs), strict=True)
    ]
    coverage = asked.coverage(*vocabularies)
    return BliResult(
        protocol=protocol,
        retrieval=_describe_retrieval(retriever, pair),
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
        provenance=_provenance(pair, asked, n_resamples, random_state),
    )


def _describe_retrieval(retriever: AbstractRetriever, pair: Pair) -> str:
    evidence = pair.evidence(retriever)
    return f"{retriever!r}, re-ranked by {', '.join(evidence)}" if evidence else repr(retriever)


def _answer(
    questions: Questions, pair: Pair, retriever: AbstractRetriever, *, k: int, full: bool, progress: Progress
) -> tuple[IntVector, list[Answer]]:
    """Rank the correct answers to all questions; questions that cannot be answered have rank BEYOND."""
    possible = questions.sources >= 0
    starts = np.append(questions.starts[:-1][possible], len(questions.targets))
    Q = pair.queries(questions.sources[possible])
    words = [word for word, asked in zip(questions.words, possible, strict=True) if asked]
    backward_retriever = partial(fit_retriever, pair.reverse(), retriever)
    rerank = pair.rerank(words, Q, retriever, backward_retriever)
    found = rank_gold(retriever, Q, starts, questions.targets, k=k, full=full, rerank=rerank, progress=progress)
    ranks = np.full(len(possible), BEYOND, dtype=np.int64)
    ranks[possible] = found.ranks
    return ranks, list(_describe(questions, ranks, found, pair.target.raw))


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
    """Return the names of the groups of questions, beginning with all questions, and their masks (q, groups)."""
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
    """Return whether each question is answered correctly at every k, and its reciprocal rank, (q, len(ks) + 1)."""
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
    """Return the mean scores (g, c) of all groups and the ends of their bootstrap intervals over source words."""
    numerators, denominators = sum_by_word(words, scores[:, None, :] * masks[:, :, None], masks.astype(np.float64))
    means = numerators.sum(axis=0) / denominators.sum(axis=0)[:, None]
    check_count(n_resamples, name="n_resamples")
    samples = resample_ratios(numerators, denominators, n_resamples=n_resamples, random_state=random_state)
    return means.tolist(), *percentile_interval(samples)


def _pair_up(lows: NDArray[np.float64], highs: NDArray[np.float64]) -> list[list[tuple[float, float]]]:
    return [list(zip(low, high, strict=True)) for low, high in zip(lows.tolist(), highs.tolist(), strict=True)]


def _provenance(pair: Pair, lexicon: Lexicon, n_resamples: int, random_state: RandomState) -> dict[str, Any]:
    selection = pair.model.history.get("selection")
    return {
        "isoalign": VERSION,
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "model": pair.model.provenance,
        "members": list(pair.names),
        "selection": selection["about"] if selection else None,
        "lexicon_pairs": len(lexicon),
        "source_words": len(pair.source.raw),
        "target_words": len(pair.target.raw),
        "n_resamples": n_resamples,
        "random_state": random_state if isinstance(random_state, int) else None,
    }
