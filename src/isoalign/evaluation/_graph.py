"""The graph that joins every word with its nearest words."""

import numpy as np

from isoalign._progress import Progress, ignore_progress
from isoalign._types import IntVector, Matrix
from isoalign.neighbors import top_k

__all__ = ["nearest_others"]


def nearest_others(X: Matrix, k: int, *, progress: Progress = ignore_progress) -> tuple[Matrix, IntVector]:
    """Find the k nearest other rows of every row by inner product.

    Parameters
    ----------
    X
        (n, dim).
    k
        How many; at most n - 1.

    Returns
    -------
    scores, rows
        (n, k), best first.
    """
    n = len(X)
    k = min(k, n - 1)
    scores, rows = top_k(X, X, k + 1, progress=progress)
    # A row with many equals may not be among its own best: then the last one goes instead.
    own = rows == np.arange(n)[:, None]
    own[~own.any(axis=1), -1] = True
    return scores[~own].reshape(n, k), rows[~own].reshape(n, k)
