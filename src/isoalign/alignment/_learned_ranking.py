"""Weights of evidence about candidates, learned from dictionary words that the map never saw."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.types import IntVector, Matrix, RowPairs
from isoalign.alignment._base import AbstractAligner, Maps
from isoalign.alignment._cross_fit import cross_fit
from isoalign.alignment._evidence import Candidates, Queries
from isoalign.alignment._problem import Problem
from isoalign.alignment._reranking import CSLS_WEIGHT, fit_weights
from isoalign.neighbors import CSLS, RERANKED, group_pairs

__all__ = ["learn_ranking"]

_N_FOLDS = 3
Weights = dict[str, float]


class _Judged(NamedTuple):
    """Evidence (q, k, f) about candidates, their rows (q, k), and which are correct (q, k)."""

    evidence: NDArray[np.float64]
    rows: IntVector
    gold: NDArray[np.bool_]


@dataclass(frozen=True)
class _Side:
    """All words of one side, (n, dim) without and with the query stage, and its keys."""

    plain: Matrix
    placed: Matrix
    keys: Sequence[Any]


@dataclass(frozen=True)
class _Way:
    """One direction between two sides."""

    source: _Side
    target: _Side

    @cached_property
    def retriever(self) -> CSLS:
        """Finds targets."""
        return CSLS().fit(self.target.plain, self.source.placed)

    def judge(self, pairs: RowPairs, names: tuple[str, ...], back: "_Way") -> _Judged:
        """Measure the evidence about the candidates of the source words of some pairs."""
        gold = group_pairs(pairs)
        queries = Queries(
            words=[self.source.keys[row] for row in gold.sources],
            rows=gold.sources,
            placed=self.source.placed[gold.sources],
            plain=self.source.plain[gold.sources],
            targets=self.target.plain,
            target_words=self.target.keys,
            place_targets=self.target.placed.__getitem__,
            find_backward=lambda: back.retriever,
        )
        m = len(self.target.plain)
        scores, rows = self.retriever.kneighbors(queries.placed, min(RERANKED, m))
        owners = np.repeat(np.arange(len(gold.sources)), np.diff(gold.starts))
        is_gold = np.isin(np.arange(len(rows))[:, None] * m + rows, owners * m + gold.targets)
        return _Judged(Candidates(queries, scores, rows).measure(names), rows, is_gold)


def learn_ranking(
    problem: Problem,
    aligner: AbstractAligner,
    words: tuple[Sequence[Any], Sequence[Any]],
    features: Sequence[str],
    *,
    progress: Progress = ignore_progress,
) -> tuple[Weights, Weights]:
    """Return the weights of evidence for the forward and the reverse direction; see `fit_weights`.

    Parameters
    ----------
    problem
        With pairs.
    aligner
        Unfitted; fitted to two thirds of the dictionary three times.
    words
        Keys of both sides.
    features
        Kinds of evidence, beyond the score.
    progress
        Progress callback.
    """
    names = (CSLS_WEIGHT, *features)
    judged: tuple[list[_Judged], list[_Judged]] = ([], [])
    for maps, held_out in cross_fit(problem, aligner, n_folds=_N_FOLDS, progress=progress):
        held, seen = problem.known_pairs[held_out], problem.known_pairs[~held_out]
        unseen = held[~np.isin(held[:, 1], seen[:, 1])]
        forth, back = _both_ways(maps, problem, words)
        judged[0].append(forth.judge(held, names, back))
        if len(unseen):
            judged[1].append(back.judge(unseen[:, ::-1], names, forth))
    forward, backward = (_fit(some, names) for some in judged)
    return forward, backward


def _both_ways(maps: Maps, problem: Problem, words: tuple[Sequence[Any], Sequence[Any]]) -> tuple[_Way, _Way]:
    x_placed, y_plain = maps.spaces(problem.X, problem.Y)
    y_placed, x_plain = maps.reverse().spaces(problem.Y, problem.X)
    source, target = _Side(x_plain, x_placed, words[0]), _Side(y_plain, y_placed, words[1])
    return _Way(source, target), _Way(target, source)


def _fit(judged: list[_Judged], names: tuple[str, ...]) -> Weights:
    if not judged:
        return {CSLS_WEIGHT: 1.0}
    evidence, rows, gold = (np.concatenate(parts) for parts in zip(*judged, strict=True))
    return fit_weights(evidence, rows, gold, names)
