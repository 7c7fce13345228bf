"""Weight of the spelling bonus, learned from dictionary words that the map never saw."""

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.types import Matrix, RowPairs
from isoalign.alignment._base import AbstractAligner
from isoalign.alignment._cross_fit import cross_fit
from isoalign.alignment._problem import Problem
from isoalign.alignment._spelling import edit_similarities, fit_bonus_weight, spelling_bonus
from isoalign.neighbors import CSLS, RERANKED, group_pairs

__all__ = ["learn_spelling_weights"]

_N_FOLDS = 3
_Evidence: TypeAlias = tuple[Matrix, Matrix, NDArray[np.bool_]]


def learn_spelling_weights(
    problem: Problem,
    aligner: AbstractAligner,
    words: tuple[Sequence[str], Sequence[str]],
    *,
    progress: Progress = ignore_progress,
) -> tuple[float, float]:
    """Return the weights of the spelling bonus for the forward and the reverse direction.

    Parameters
    ----------
    problem
        With pairs.
    aligner
        Unfitted; fitted to two thirds of the dictionary three times.
    words
        Words of both sides.
    progress
        Progress callback.
    """
    evidence: tuple[list[_Evidence], list[_Evidence]] = ([], [])
    for maps, held_out in cross_fit(problem, aligner, n_folds=_N_FOLDS, progress=progress):
        held, seen = problem.known_pairs[held_out], problem.known_pairs[~held_out]
        back = held[~np.isin(held[:, 1], seen[:, 1])]
        evidence[0].append(_look_up(*maps.spaces(problem.X, problem.Y), held, words))
        if len(back):
            evidence[1].append(_look_up(*maps.reverse().spaces(problem.Y, problem.X), back[:, ::-1], words[::-1]))
    forward, backward = (
        fit_bonus_weight(*map(np.concatenate, zip(*some, strict=True))) if some else 0.0 for some in evidence
    )
    return forward, backward


def _look_up(
    queries: Matrix, targets: Matrix, pairs: RowPairs, words: tuple[Sequence[str], Sequence[str]]
) -> _Evidence:
    """Return scores, bonus and correctness of the best candidates of all words in the pairs."""
    gold = group_pairs(pairs)
    retriever = CSLS().fit(targets, queries)
    scores, rows = retriever.kneighbors(queries[gold.sources], min(RERANKED, len(targets)))
    owners = np.repeat(np.arange(len(gold.sources)), np.diff(gold.starts))
    known = owners * len(targets) + gold.targets
    is_gold = np.isin(np.arange(len(rows))[:, None] * len(targets) + rows, known)
    bonus = spelling_bonus(edit_similarities([words[0][row] for row in gold.sources], words[1], rows))
    return scores, bonus, is_gold
