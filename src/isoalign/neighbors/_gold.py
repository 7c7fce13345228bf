"""Ranks of the correct answers among the candidates of a retriever, on arrays."""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np

from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.types import FloatVector, IntVector, Matrix, RowPairs
from isoalign._core.validate import check_row_pairs
from isoalign.errors import ShapeError
from isoalign.neighbors._csls import CSLS
from isoalign.neighbors._retriever import AbstractRetriever
from isoalign.neighbors.engine import BEST_ONLY, LazySettings

__all__ = ["BEYOND", "RERANKED", "GoldRows", "Ranking", "Rerank", "csls_precision_at_1", "group_pairs", "rank_gold"]

BEYOND = np.iinfo(np.int64).max
"""Rank of targets that are not among the candidates, so that ``ranks <= k`` tests for "found"."""


RERANKED = 20
"""Number of candidates to re-rank if there is evidence other than vectors."""

Rerank: TypeAlias = Callable[[Matrix, IntVector], tuple[Matrix, IntVector]]
"""Takes scores and rows of candidates, (q, k), best first, and returns them re-ranked."""


class GoldRows(NamedTuple):
    """The right targets of each query: query q has ``targets[starts[q]:starts[q + 1]]``."""

    sources: IntVector
    starts: IntVector
    targets: IntVector


class Ranking(NamedTuple):
    """Rank of the best right target of every query, (q,), and scores and rows of its candidates, (q, k)."""

    ranks: IntVector
    scores: Matrix
    rows: IntVector


def group_pairs(pairs: RowPairs) -> GoldRows:
    """Group row pairs (p, 2) by source row; sources and their targets are in ascending order, without duplicates."""
    unique = np.unique(np.asarray(pairs, dtype=np.int64).reshape(-1, 2), axis=0)
    sources, starts = np.unique(unique[:, 0], return_index=True)
    return GoldRows(sources, np.append(starts, len(unique)), np.ascontiguousarray(unique[:, 1]))


def rank_gold(
    retriever: AbstractRetriever,
    Q: Matrix,
    starts: IntVector,
    targets: IntVector,
    *,
    k: int = 10,
    full: bool = False,
    rerank: Rerank | None = None,
    progress: Progress = ignore_progress,
) -> Ranking:
    """Find the rank of the best right target of every query.

    Parameters
    ----------
    retriever
        A fitted retriever.
    Q
        Queries (q, dim).
    starts, targets
        The right target rows of query i are ``targets[starts[i]:starts[i + 1]]``. A query without any has rank
        :data:`BEYOND`.
    k
        Number of candidates per query.
    full
        Find ranks beyond k too, which takes a second search. Otherwise they are :data:`BEYOND`.
    rerank
        Re-ranks the best candidates, at least :data:`RERANKED` of them.
    progress
        Progress callback.

    Returns
    -------
    Ranking
        Ranks (q,), counted from 1, and scores and rows (q, k) of the candidates.
    """
    starts, targets = np.asarray(starts, dtype=np.int64), np.asarray(targets, dtype=np.int64)
    if starts.shape != (len(Q) + 1,) or starts[0] != 0 or starts[-1] != len(targets) or (np.diff(starts) < 0).any():
        raise ShapeError(
            f"starts must rise from 0 to {len(targets)} in {len(Q) + 1} values, one more than queries. "
            f"Got shape {starts.shape}."
        )
    scores, rows = retriever.kneighbors(Q, k if rerank is None else max(k, RERANKED), progress=progress)
    if rerank is not None:
        scores, rows = rerank(scores, rows)
    owners = np.repeat(np.arange(len(Q)), np.diff(starts))
    right = rows[owners] == targets[:, None]
    ranks = np.full(len(Q), BEYOND, dtype=np.int64)
    np.minimum.at(ranks, owners, np.where(right.any(axis=1), 1 + right.argmax(axis=1), BEYOND))
    if not full:
        ranks[ranks > k] = BEYOND
    else:
        missing = ranks[owners] == BEYOND
        if missing.any():
            found_ranks = retriever.rank_targets(Q[owners[missing]], targets[missing], progress=progress)
            np.minimum.at(ranks, owners[missing], found_ranks)
    return Ranking(ranks, scores[:, :k], rows[:, :k])


def csls_precision_at_1(
    X: Matrix,
    Y: Matrix,
    pairs: RowPairs,
    *,
    k: int = 10,
    target_means: FloatVector | None = None,
    lazy: LazySettings = BEST_ONLY,
    progress: Progress = ignore_progress,
) -> float:
    """Return the share of source words whose best target by CSLS is one of their translations.

    Parameters
    ----------
    X
        All source words (n, dim), mapped.
    Y
        All targets (m, dim), mapped.
    pairs
        Row pairs (p, 2); a source word may have several translations.
    k
        Number of neighbours in a mean.
    target_means
        Mean cosine of every target to its k nearest sources, (m,). None: computed.
    lazy
        When to compute only the means that are needed. It has no influence on the result.
    progress
        Progress callback.

    Returns
    -------
    float
        Between 0 and 1; 0 if there are no pairs.
    """
    gold = group_pairs(check_row_pairs(pairs, n=len(X), m=len(Y)))
    if not len(gold.sources):
        return 0.0
    retriever = CSLS(k, lazy=lazy).fit(Y, X, target_means=target_means, progress=progress)
    ranking = rank_gold(retriever, X[gold.sources], gold.starts, gold.targets, k=1, progress=progress)
    return float((ranking.ranks == 1).mean())
