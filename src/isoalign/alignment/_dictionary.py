"""Induce a dictionary from two mapped spaces: which words choose each other by CSLS."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from isoalign._progress import Progress, ignore_progress
from isoalign._types import FloatVector, Matrix, RowPairs
from isoalign._validate import check_choice, check_count, check_number
from isoalign.neighbors import Best, csls_best

__all__ = ["DIRECTIONS", "Induced", "induce_pairs"]

DIRECTIONS = ("forward", "backward", "union", "mutual")


class Induced(NamedTuple):
    """An induced dictionary.

    Attributes
    ----------
    pairs
        Source and target rows (p, 2), clearest choice first.
    confidence
        (p,): the score of the choice less that of the second best; of two directions, the smaller.
    target_means
        Mean cosine of every target to its nearest sources, (m,).
    """

    pairs: RowPairs
    confidence: FloatVector
    target_means: FloatVector


def induce_pairs(
    S: Matrix,
    T: Matrix,
    *,
    direction: str = "mutual",
    max_rank: int | None = 10_000,
    threshold: float = 0.0,
    min_size: int = 0,
    max_size: int | None = None,
    k: int = 10,
    keep_rank_limit: bool = False,
    progress: Progress = ignore_progress,
) -> Induced:
    """Let frequent words choose their best partner by CSLS, and keep the choices that pass.

    Parameters
    ----------
    S, T
        Mapped spaces (n, dim) and (m, dim), rows of length one, most frequent first.
    direction
        ``"forward"``: sources choose; ``"backward"``: targets choose; ``"union"`` of both; ``"mutual"``: both agree.
    max_rank
        Only the first so many words choose and may be chosen.
    threshold
        Least confidence of a choice.
    min_size, max_size
        Keep at least (whatever the threshold says) and at most so many pairs.
    k
        Neighbours in a CSLS mean.
    keep_rank_limit
        Let the word of rank ``max_rank`` itself be chosen, as MUSE does.
    progress
        Hears how far the search has come.
    """
    check_choice(direction, DIRECTIONS, name="direction")
    threshold, min_size = check_number(threshold, name="threshold"), check_count(min_size, name="min_size", minimum=0)
    max_size = None if max_size is None else check_count(max_size, name="max_size", minimum=0)
    found = csls_best(S, T, 2, k=k, max_rank=max_rank, progress=progress)
    limit = max(len(S), len(T)) if max_rank is None else max_rank + keep_rank_limit
    forward, f_sure = _choices(found.forward, limit)
    backward, b_sure = _choices(found.backward, limit)
    backward = backward[:, ::-1]
    if direction == "forward":
        pairs, sure = forward, f_sure
    elif direction == "backward":
        pairs, sure = backward, b_sure
    else:
        pairs, sure = _combine(forward, f_sure, backward, b_sure, len(T), mutual=direction == "mutual")
    order = np.argsort(-sure, kind="stable")
    pairs, sure = pairs[order], sure[order]
    enough = max(int((sure >= threshold).sum()) if threshold > 0 else len(pairs), min(min_size, len(pairs)))
    size = enough if max_size is None else min(enough, max_size)
    return Induced(np.ascontiguousarray(pairs[:size]), sure[:size], found.target_means)


def _choices(best: Best, limit: int) -> tuple[RowPairs, FloatVector]:
    """Return (chooser, chosen) and how clear each choice is, for choices within the rank limit."""
    chooser = np.arange(len(best.rows), dtype=np.int64)
    second = best.scores[:, 1] if best.scores.shape[1] > 1 else np.full(len(chooser), -np.inf, dtype=np.float32)
    within = best.rows[:, 0] < limit
    pairs = np.stack([chooser, best.rows[:, 0]], axis=1)
    return pairs[within], (best.scores[:, 0] - second)[within]


def _combine(
    forward: RowPairs, f_sure: FloatVector, backward: RowPairs, b_sure: FloatVector, m: int, *, mutual: bool
) -> tuple[RowPairs, FloatVector]:
    """Return the pairs that both directions have (mutual) or that one of them has, sorted by rows."""
    f_codes, b_codes = forward[:, 0] * m + forward[:, 1], backward[:, 0] * m + backward[:, 1]
    codes: NDArray[np.int64] = np.intersect1d(f_codes, b_codes) if mutual else np.union1d(f_codes, b_codes)
    sure = np.full(len(codes), np.inf, dtype=np.float32)
    for own, values in ((f_codes, f_sure), (b_codes, b_sure)):
        if len(own):
            order = np.argsort(own)
            place = np.minimum(np.searchsorted(own[order], codes), len(own) - 1)
            present = own[order][place] == codes
            sure[present] = np.minimum(sure[present], values[order][place][present])
    return np.stack([codes // m, codes % m], axis=1), sure
