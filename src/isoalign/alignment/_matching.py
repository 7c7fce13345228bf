"""One-to-one matching of words on lists of candidates."""

import numpy as np
from numpy.typing import NDArray

from isoalign._core.types import FloatVector, IntVector, RowPairs
from isoalign.neighbors import Best

__all__ = ["N_CANDIDATES", "list_candidates", "match_one_to_one"]

N_CANDIDATES = 5
"""Number of best partners of every word that are candidates of a matching."""


def list_candidates(forward: Best, backward: Best) -> tuple[RowPairs, FloatVector]:
    """Return the candidates of the words of both sides as pairs of source and target rows, (e, 2), with scores."""
    pairs = [
        np.column_stack([np.repeat(np.arange(len(best.rows)), best.rows.shape[1]), best.rows.ravel()])
        for best in (forward, backward)
    ]
    scores = np.concatenate([forward.scores.ravel(), backward.scores.ravel()])
    return np.concatenate([pairs[0], pairs[1][:, ::-1]]), scores


def match_one_to_one(edges: RowPairs, scores: FloatVector, *, n: int, m: int) -> RowPairs:
    """Choose pairs among candidates so that no word has two partners and the sum of the scores is largest.

    A sparse graph need not have a complete matching. So every source has its own dummy partner, at a higher cost than
    any candidate: a word stays unmatched only if that allows others to be matched.

    Parameters
    ----------
    edges
        Candidate pairs of source and target rows, (e, 2); duplicate pairs count once, with the higher score.
    scores
        Scores of the candidates, (e,), such as CSLS; higher is better.
    n, m
        Numbers of words of both sides.

    Returns
    -------
    pairs
        Matched source and target rows, (p, 2), by source.

    References
    ----------
    Ruder, Cotterell, Kementchedjhieva, Søgaard (2018).
    """
    from scipy import sparse  # slow to import, and not needed for translation
    from scipy.sparse import csgraph

    if not len(edges):
        return np.empty((0, 2), dtype=np.int64)
    sources, targets, costs = _positive_costs(edges, scores, m)
    # An unmatched word costs more than any candidate.
    alone = np.arange(n)
    graph = sparse.csr_array(
        (
            np.concatenate([costs, np.full(n, 1.0 + costs.max())]),
            (np.concatenate([sources, alone]), np.concatenate([targets, m + alone])),
        ),
        shape=(n, m + n),
    )
    rows, columns = csgraph.min_weight_full_bipartite_matching(graph)
    real = columns < m
    pairs: RowPairs = np.column_stack([rows[real], columns[real]]).astype(np.int64)
    return pairs


def _positive_costs(edges: RowPairs, scores: FloatVector, m: int) -> tuple[IntVector, IntVector, NDArray[np.float64]]:
    """Return distinct candidates and their costs, at least 1: scipy treats a cost of 0 as a missing edge."""
    codes = edges[:, 0] * m + edges[:, 1]
    order = np.lexsort((-scores, codes))
    distinct, first = np.unique(codes[order], return_index=True)
    best = scores[order][first].astype(np.float64)
    return distinct // m, distinct % m, 1.0 + best.max() - best
