"""Weights of evidence about candidates, learned from dictionary words that the map never saw."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.types import DoubleVector, IntVector, Key, Matrix, RowPairs
from isoalign.alignment._base import AbstractAligner, Maps, unit_space
from isoalign.alignment._cross_fit import cross_fit
from isoalign.alignment._evidence import CSLS_SCORE, FREQUENCY, LETTERS, SPELLING, CandidateEvidence, Queries
from isoalign.alignment._letters import NO_LETTERS, LetterModel, learn_letters
from isoalign.alignment._problem import Problem
from isoalign.alignment._reranking import LEAST_QUERIES, NO_EVIDENCE, Weights, fit_weights
from isoalign.maps import AbstractMap
from isoalign.neighbors import CSLS, RERANKED, group_pairs

__all__ = ["Judged", "LearnedEvidence", "both_ways", "choose_weights", "join_judged", "judge_later", "learn_ranking"]

_N_FOLDS = 3
_EARLY = 0.75  # share of the dictionary that the choice of evidence learns from


class LearnedEvidence(NamedTuple):
    """Weights of evidence in both directions, and which letters correspond, from source to target."""

    forward: Weights
    backward: Weights
    letters: LetterModel = NO_LETTERS


class Judged(NamedTuple):
    """What is known about the candidates of some words.

    Attributes
    ----------
    evidence
        Evidence of all kinds, (q, k, f).
    rows
        Target rows, (q, k).
    gold
        Which candidates are correct, (q, k).
    early
        Which are correct according to the first three quarters of the dictionary, (q, k).
    """

    evidence: NDArray[np.float64]
    rows: IntVector
    gold: NDArray[np.bool_]
    early: NDArray[np.bool_]


@dataclass(frozen=True)
class _PlacedSpace:
    """All words of one side, (n, dim), without the query stage and with it as fitted, that stage, and the keys."""

    plain: Matrix
    placed: Matrix
    stage: AbstractMap | None
    keys: Sequence[Key]

    def as_queries(self, rows: IntVector) -> Matrix:
        """Return words as queries, as look-ups do: without the help that a word of the dictionary is for itself."""
        found = self.plain[rows]
        return found if self.stage is None or not len(found) else unit_space(found, self.stage)


@dataclass(frozen=True)
class _Way:
    """One direction between two sides."""

    source: _PlacedSpace
    target: _PlacedSpace
    letters: LetterModel = NO_LETTERS

    @cached_property
    def retriever(self) -> CSLS:
        """Finds targets."""
        return CSLS().fit(self.target.plain, self.source.placed)

    def judge(self, pairs: RowPairs, is_early: NDArray[np.bool_], names: tuple[str, ...], back: "_Way") -> Judged:
        """Measure the evidence about the candidates of the source words of some pairs."""
        asked = group_pairs(pairs).sources
        queries = Queries(
            words=[self.source.keys[row] for row in asked],
            rows=asked,
            placed=self.source.as_queries(asked),
            plain=self.source.plain[asked],
            targets=self.target.plain,
            target_words=self.target.keys,
            place_targets=self.target.as_queries,
            backward_retriever=lambda: back.retriever,
            letters=self.letters,
        )
        m = len(self.target.plain)
        scores, rows = self.retriever.kneighbors(queries.placed, min(RERANKED, m))
        known, found = pairs[:, 0] * m + pairs[:, 1], asked[:, None] * m + rows
        gold, early = (np.isin(found, some) for some in (known, known[is_early]))
        return Judged(CandidateEvidence(queries, scores, rows).measure(names), rows, gold, early)


def learn_ranking(
    problem: Problem,
    aligner: AbstractAligner,
    words: tuple[Sequence[Key], Sequence[Key]],
    features: Sequence[str],
    *,
    progress: Progress = ignore_progress,
) -> LearnedEvidence:
    """Learn the weights of evidence for the forward and the reverse direction; see `choose_weights`.

    Parameters
    ----------
    problem
        With pairs, in the order of the dictionary.
    aligner
        Unfitted; fitted to two thirds of the dictionary three times, and to its first three quarters once.
    words
        Keys of both sides.
    features
        Kinds of evidence, beyond the score.
    progress
        Progress callback.
    """
    if len(np.unique(problem.known_pairs[:, 0])) < LEAST_QUERIES:
        return LearnedEvidence(dict(NO_EVIDENCE), dict(NO_EVIDENCE))
    names = (CSLS_SCORE, *features)
    pairs = problem.known_pairs
    is_early = np.arange(len(pairs)) < _EARLY * len(pairs)
    known: tuple[list[Judged], list[Judged]] = ([], [])
    for maps, held_out in cross_fit(problem, aligner, n_folds=_N_FOLDS, progress=progress):
        forth, back = both_ways(maps, problem.without(held_out), words, names)
        held, held_early = pairs[held_out], is_early[held_out]
        unseen = ~np.isin(held[:, 1], pairs[~held_out, 1])
        known[0].append(forth.judge(held, held_early, names, back))
        if unseen.any():
            known[1].append(back.judge(held[unseen, ::-1], held_early[unseen], names, forth))
    later = judge_later(problem, aligner, is_early, words, names)
    forward, backward = (
        choose_weights(join_judged(some), last, names) if some else dict(NO_EVIDENCE)
        for some, last in zip(known, later, strict=True)
    )
    is_used = LETTERS in forward or LETTERS in backward
    return LearnedEvidence(forward, backward, _learn_letters(problem, words) if is_used else NO_LETTERS)


def judge_later(
    problem: Problem,
    aligner: AbstractAligner,
    is_early: NDArray[np.bool_],
    words: tuple[Sequence[Key], Sequence[Key]],
    names: tuple[str, ...],
) -> tuple[Judged, Judged]:
    """Ask for the later pairs of a dictionary in both directions, with everything learned from the earlier ones.

    The later pairs serve as a test dictionary: a word may be in the earlier pairs too, with another translation.
    """
    earlier, later = problem.without(~is_early), problem.known_pairs[~is_early]
    forth, back = both_ways(aligner.unfitted_copy().fit_problem(earlier).maps_, earlier, words, names)
    nothing = np.zeros(len(later), dtype=bool)
    return forth.judge(later, nothing, names, back), back.judge(later[:, ::-1], nothing, names, forth)


def _learn_letters(problem: Problem, words: tuple[Sequence[Key], Sequence[Key]]) -> LetterModel:
    return learn_letters((words[0][i], words[1][j]) for i, j in problem.known_pairs)


def both_ways(
    maps: Maps, problem: Problem, words: tuple[Sequence[Key], Sequence[Key]], names: tuple[str, ...]
) -> tuple[_Way, _Way]:
    """Return the forward and the reverse direction, as maps learned from a problem place them."""
    letters = _learn_letters(problem, words) if LETTERS in names else NO_LETTERS
    x_placed, y_plain = maps.spaces(problem.X, problem.Y)
    y_placed, x_plain = maps.reverse().spaces(problem.Y, problem.X)
    source = _PlacedSpace(x_plain, x_placed, maps.forward, words[0])
    target = _PlacedSpace(y_plain, y_placed, maps.backward, words[1])
    return _Way(source, target, letters), _Way(target, source, letters.reverse())


def join_judged(parts: Sequence[Judged]) -> Judged:
    """Return the candidates of all parts."""
    return Judged(*map(np.concatenate, zip(*parts, strict=True)))


def choose_weights(known: Judged, later: Judged, names: tuple[str, ...]) -> Weights:
    """Return the weights of the kinds of evidence that help the last words of a dictionary, learned from all of it.

    Dictionaries are often sorted by frequency, and the words that are looked up later are rarer than those in the
    dictionary. Evidence about frequency in particular may mislead there. So weights are first learned from the first
    three quarters of the dictionary, and judged by P@1 on the last quarter: no evidence, spelling alone, all but
    frequency, and all kinds. A larger choice is used if it is better by more than one standard error.

    Parameters
    ----------
    known
        Candidates of dictionary words, from maps that never saw them.
    later
        Candidates of the words in the last quarter, from maps that saw the first three.
    names
        Kinds of evidence; the first is the score by CSLS.
    """
    best, *larger = dict.fromkeys(
        tuple(name for name in names if name in kinds)
        for kinds in ((CSLS_SCORE,), (CSLS_SCORE, *SPELLING), set(names) - set(FREQUENCY), names)
    )
    right = _judge_choice(known, later, names, best)
    for choice in larger:
        found = _judge_choice(known, later, names, choice)
        changed = found - right
        if changed.sum() > np.sqrt((changed**2).sum()):  # the standard error of the sum
            best, right = choice, found
    return _fit(known, known.gold, names, best)


def _judge_choice(known: Judged, later: Judged, names: tuple[str, ...], chosen: tuple[str, ...]) -> DoubleVector:
    """Return whether the words of the last quarter are answered right, with weights learned from the others: 0 or 1."""
    weights = _fit(known, known.early, names, chosen)
    sums = later.evidence @ np.array([weights.get(name, 0.0) for name in names])
    right = np.take_along_axis(later.gold, sums.argmax(axis=1, keepdims=True), axis=1)
    return right[:, 0].astype(np.float64)


def _fit(judged: Judged, gold: NDArray[np.bool_], names: tuple[str, ...], chosen: tuple[str, ...]) -> Weights:
    places = [names.index(name) for name in chosen]
    return fit_weights(judged.evidence[..., places], judged.rows, gold, chosen)
