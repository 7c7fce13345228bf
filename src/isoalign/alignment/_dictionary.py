"""Induce a dictionary from two mapped spaces: which rows choose each other by CSLS."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.types import FloatVector, Matrix, RowPairs
from isoalign._core.validate import check_choice, check_count, check_number
from isoalign.alignment._matching import N_CANDIDATES, list_candidates, match_one_to_one
from isoalign.errors import ParameterError
from isoalign.neighbors import Best, CslsBest, SearchMemory, csls_best, mean_best, top_k

__all__ = ["DIRECTIONS", "CslsSpaces", "Induced", "induce_pairs"]

DIRECTIONS = ("forward", "backward", "union", "mutual", "matching")


class CslsSpaces(NamedTuple):
    """Two spaces in which words choose each other.

    Attributes
    ----------
    source, target
        (n, dim) and (m, dim), rows of unit length, most frequent first.
    backward
        Target rows as queries (m, dim) and source rows as candidates (n, dim), if query stages make the reverse
        direction different. None: the same rows are used in both directions.
    source_means, target_means
        Neighbourhood means of both sides, if known: of every source to the queries of the reverse direction, and of
        every target to the sources.
    """

    source: Matrix
    target: Matrix
    backward: tuple[Matrix, Matrix] | None = None
    source_means: FloatVector | None = None
    target_means: FloatVector | None = None


class Induced(NamedTuple):
    """An induced dictionary.

    Attributes
    ----------
    pairs
        Source and target rows (p, 2), largest margin first.
    margins
        (p,): difference between the scores of the choice and the second best; the smaller of the two directions. In a
        matching, the difference to the best other candidate of the two words; negative for second choices.
    scores
        (p,): CSLS score of the choice, in the forward direction if there are two.
    target_means
        Mean cosine of every target to its nearest sources, (m,).
    mutual
        (p,): whether each word of a pair is the other's choice.
    memory
        Memory for inducing a dictionary in similar spaces faster, or None.
    """

    pairs: RowPairs
    margins: FloatVector
    scores: FloatVector
    target_means: FloatVector
    mutual: NDArray[np.bool_]
    memory: SearchMemory | None = None


def induce_pairs(
    spaces: CslsSpaces,
    *,
    direction: str = "mutual",
    max_rank: int | tuple[int, int] | None = 10_000,
    min_score: float | None = None,
    min_margin: float = 0.0,
    min_size: int = 0,
    max_size: int | None = None,
    k: int = 10,
    keep_rank_limit: bool = False,
    about: SearchMemory | None = None,
    progress: Progress = ignore_progress,
) -> Induced:
    """Let frequent words choose their best partner by CSLS among all words, and filter the choices.

    Parameters
    ----------
    spaces
        Both sides.
    direction
        ``"forward"``: sources choose; ``"backward"``: targets choose; ``"union"`` of both; ``"mutual"``: both agree;
        ``"matching"``: the one-to-one matching with the largest sum of scores among the five best candidates of every
        word (Ruder et al. 2018).
    max_rank
        Keep pairs among the `max_rank` most frequent words on each side; a pair of counts sets a separate limit for
        each side.
    min_score
        Minimum CSLS score.
    min_margin
        Minimum margin between a choice and the second best.
    min_size, max_size
        Minimum (regardless of the margin) and maximum number of pairs.
    k
        Neighbours in a CSLS mean.
    keep_rank_limit
        Whether the word of rank ``max_rank`` itself may be chosen, as in MUSE; not in a matching.
    about
        Memory of the last dictionary in similar spaces, which affects the speed alone.
    progress
        Progress callback.
    """
    check_choice(direction, DIRECTIONS, name="direction")
    min_margin = check_number(min_margin, name="min_margin")
    min_size = check_count(min_size, name="min_size", minimum=0)
    max_size = None if max_size is None else check_count(max_size, name="max_size", minimum=0)
    n, m = _rank_limits(max_rank, len(spaces.source), len(spaces.target))
    n_best = N_CANDIDATES if direction == "matching" else 2
    found = _choose(spaces, (n, m), k, progress, n_best=n_best, about=about)
    forward = _choices(found.forward, m + keep_rank_limit)
    backward = _choices(found.backward, n + keep_rank_limit)
    backward = backward._replace(pairs=backward.pairs[:, ::-1])
    if direction == "matching":
        kept = _match(found)
    elif direction == "forward":
        kept = forward
    elif direction == "backward":
        kept = backward
    else:
        kept = _combine(forward, backward, len(spaces.target), mutual=direction == "mutual")
    order = np.argsort(-kept.margins, kind="stable")
    if min_score is not None:
        order = order[kept.scores[order] >= check_number(min_score, name="min_score")]
    sure = int((kept.margins[order] >= min_margin).sum()) if min_margin > 0 else len(order)
    size = max(sure, min(min_size, len(order)))
    order = order[: size if max_size is None else min(size, max_size)]
    pairs = np.ascontiguousarray(kept.pairs[order])
    own, forth, back = (some[:, 0] * len(spaces.target) + some[:, 1] for some in (pairs, forward.pairs, backward.pairs))
    mutual = np.isin(own, np.intersect1d(forth, back))
    return Induced(pairs, kept.margins[order], kept.scores[order], found.target_means, mutual, found.memory)


def _rank_limits(max_rank: int | tuple[int, int] | None, n: int, m: int) -> tuple[int, int]:
    if max_rank is None:
        return n, m
    limits = max_rank if isinstance(max_rank, tuple) else (max_rank, max_rank)
    if len(limits) != 2:
        raise ParameterError(f"max_rank must be a number or one for each side. Got {max_rank!r}.")
    return min(check_count(limits[0], name="max_rank"), n), min(check_count(limits[1], name="max_rank"), m)


def _choose(
    spaces: CslsSpaces,
    limits: tuple[int, int],
    k: int,
    progress: Progress,
    *,
    n_best: int,
    about: SearchMemory | None,
) -> CslsBest:
    """Find the best partners of the first rows of both sides, with as few products as the spaces allow."""
    S, T = spaces.source, spaces.target
    if spaces.backward is None and (spaces.source_means is None or spaces.target_means is None):
        return csls_best(S, T, n_best, k=k, max_rank=limits, about=about, progress=progress)
    queries, sources = spaces.backward or (T, S)
    target_means = _means(T, S, k, spaces.target_means, progress)
    source_means = _means(sources, queries, k, spaces.source_means, progress)
    return CslsBest(
        _choose_one_way(S[: limits[0]], T, k, target_means, progress, n_best),
        _choose_one_way(queries[: limits[1]], sources, k, source_means, progress, n_best),
        source_means,
        target_means,
    )


def _means(rows: Matrix, queries: Matrix, k: int, known: FloatVector | None, progress: Progress) -> FloatVector:
    return mean_best(top_k(rows, queries, k, progress=progress)[0]) if known is None else known


def _choose_one_way(Q: Matrix, Y: Matrix, k: int, means: FloatVector, progress: Progress, n_best: int) -> Best:
    own = mean_best(top_k(Q, Y, k, progress=progress)[0])
    scores, rows = top_k(Q, Y, n_best, scale=2, bias=means, progress=progress)
    return Best(scores - own[:, None], rows)


class _ChosenPairs(NamedTuple):
    """Pairs of rows, the margin and the score of each choice."""

    pairs: RowPairs
    margins: FloatVector
    scores: FloatVector


def _choices(best: Best, limit: int) -> _ChosenPairs:
    """Return (chooser, chosen) for choices within the rank limit."""
    chooser = np.arange(len(best.rows), dtype=np.int64)
    second = best.scores[:, 1] if best.scores.shape[1] > 1 else np.full(len(chooser), -np.inf, dtype=np.float32)
    within = best.rows[:, 0] < limit
    pairs = np.stack([chooser, best.rows[:, 0]], axis=1)
    return _ChosenPairs(pairs[within], (best.scores[:, 0] - second)[within], best.scores[:, 0][within])


def _combine(forward: _ChosenPairs, backward: _ChosenPairs, m: int, *, mutual: bool) -> _ChosenPairs:
    """Return the pairs of both directions (mutual), or of at least one, sorted by rows."""
    f_codes, b_codes = (way.pairs[:, 0] * m + way.pairs[:, 1] for way in (forward, backward))
    codes: NDArray[np.int64] = np.intersect1d(f_codes, b_codes) if mutual else np.union1d(f_codes, b_codes)
    margins = np.full(len(codes), np.inf, dtype=np.float32)
    scores = np.zeros(len(codes), dtype=np.float32)
    for own, way in ((b_codes, backward), (f_codes, forward)):  # if both have a pair, the forward score is kept
        if len(own):
            order = np.argsort(own)
            place = np.minimum(np.searchsorted(own[order], codes), len(own) - 1)
            present = own[order][place] == codes
            which = order[place][present]
            margins[present] = np.minimum(margins[present], way.margins[which])
            scores[present] = way.scores[which]
    return _ChosenPairs(np.stack([codes // m, codes % m], axis=1), margins, scores)


def _match(found: CslsBest) -> _ChosenPairs:
    """Return the one-to-one matching of the candidates of both sides that are within the rank limits."""
    n, m = len(found.forward.rows), len(found.backward.rows)
    candidates, values = list_candidates(found.forward, found.backward)
    within = (candidates < (n, m)).all(axis=1)
    pairs = match_one_to_one(candidates[within], values[within], n=n, m=m)
    scores = np.full(len(pairs), -np.inf, dtype=np.float32)
    others = scores.copy()
    for best, (chooser, chosen) in ((found.forward, pairs.T), (found.backward, pairs.T[::-1])):
        own = best.rows[chooser] == chosen[:, None]
        for most, entries in ((scores, own), (others, ~own)):
            np.maximum(most, np.where(entries, best.scores[chooser], -np.inf).max(axis=1), out=most)
    return _ChosenPairs(pairs, scores - others, scores)
