"""Modularity: whether the words of a shared space keep to their own language."""

import numpy as np

from isoalign._progress import Progress, ignore_progress
from isoalign._types import Matrix
from isoalign.evaluation._graph import nearest_others

__all__ = ["graph_modularity"]


def graph_modularity(X: Matrix, Y: Matrix, *, k: int = 3, progress: Progress = ignore_progress) -> float:
    r"""Measure how much more often neighbours share a language than chance would have it.

    .. math:: Q = \frac{\sum_l (e_l - a_l^2)}{1 - \sum_l a_l^2}

    where, in the graph that joins every word with its k nearest words of either language, weighted by cosine (negative
    ones count 0), :math:`e_l` is the share of the weight between words of language l and :math:`a_l` the share of all
    edge ends at words of l. 1: no edge joins the languages; about 0: neighbours do not care. Lower is better aligned.

    Parameters
    ----------
    X, Y
        Both languages in the shared space, rows of length one, (n, dim) and (m, dim).
    k
        Neighbours of a word.

    References
    ----------
    Fujinuma, Boyd-Graber, Paul (2019), equations 1 and 2, with their k = 3. Cost: (n + m)² products.
    """
    scores, rows = nearest_others(np.concatenate([X, Y]), k, progress=progress)
    weights = np.maximum(scores, 0).astype(np.float64)
    here = np.broadcast_to((np.arange(len(rows)) >= len(X))[:, None], rows.shape).astype(np.int64)
    there = (rows >= len(X)).astype(np.int64)
    # Both ends of an edge that both chose see it, and so half of its weight belongs to each choice.
    chosen_back = (rows[rows] == np.arange(len(rows))[:, None, None]).any(axis=2)
    weights[chosen_back] /= 2
    sums = np.bincount((2 * here + there).ravel(), weights=weights.ravel(), minlength=4).reshape(2, 2)
    total = 2 * sums.sum()
    if not total:
        return float("nan")
    shares = (sums + sums.T) / total
    by_chance = (shares.sum(axis=1) ** 2).sum()
    return float((np.trace(shares) - by_chance) / (1 - by_chance)) if by_chance < 1 else 0.0
