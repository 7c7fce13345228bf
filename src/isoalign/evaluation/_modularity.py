"""Modularity: whether the words of a shared space cluster by language."""

import numpy as np

from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.types import Matrix
from isoalign.evaluation._graph import nearest_others

__all__ = ["graph_modularity"]


def graph_modularity(X: Matrix, Y: Matrix, *, k: int = 3, progress: Progress = ignore_progress) -> float:
    r"""Measure how much more often neighbours share a language than expected by chance.

    .. math:: Q = \frac{\sum_l (e_l - a_l^2)}{1 - \sum_l a_l^2}

    computed on the graph that connects every word to its k nearest words of either language, weighted by cosine
    (negative cosines count as 0). :math:`e_l` is the share of the weight between words of language l, and :math:`a_l`
    the share of all edge ends at words of l. The value is 1 if no edge connects the languages, and about 0 if
    neighbours are independent of language. Lower is better.

    Parameters
    ----------
    X, Y
        Both languages in the shared space, unit rows, (n, dim) and (m, dim).
    k
        Number of neighbours of each word.
    progress
        Progress callback.

    References
    ----------
    Fujinuma, Boyd-Graber, Paul (2019), equations 1 and 2, with their k = 3. Cost: (n + m)² inner products.
    """
    scores, rows = nearest_others(np.concatenate([X, Y]), k, progress=progress)
    weights = np.maximum(scores, 0).astype(np.float64)
    here = np.broadcast_to((np.arange(len(rows)) >= len(X))[:, None], rows.shape).astype(np.int64)
    there = (rows >= len(X)).astype(np.int64)
    # An edge between mutual neighbours occurs twice, so each occurrence gets half of its weight.
    chosen_back = (rows[rows] == np.arange(len(rows))[:, None, None]).any(axis=2)
    weights[chosen_back] /= 2
    sums = np.bincount((2 * here + there).ravel(), weights=weights.ravel(), minlength=4).reshape(2, 2)
    total = 2 * sums.sum()
    if not total:
        return float("nan")
    shares = (sums + sums.T) / total
    by_chance = (shares.sum(axis=1) ** 2).sum()
    return float((np.trace(shares) - by_chance) / (1 - by_chance)) if by_chance < 1 else 0.0
