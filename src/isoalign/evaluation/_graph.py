"""The graph that connects every word to its nearest neighbours."""

import numpy as np

from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.types import IntVector, Matrix
from isoalign.neighbors import top_k

__all__ = ["nearest_others"]


def nearest_others(X: Matrix, k: int, *, progress: Progress = ignore_progress) -> tuple[Matrix, IntVector]:
    """Find the k nearest other rows of every row by inner product.

    Parameters
    ----------
    X
        (n, dim).
    k
        Number of neighbours; at most n - 1.
    progress
        Progress callback.

    Returns
    -------
    scores, rows
        (n, k), best first.
    """
    n = len(X)
    k = min(k, n - 1)
    scores, rows = top_k(X, X, k + 1, progress=progress)
    # A row with many duplicates may not be among its own nearest rows; drop the last one instead.
    own = rows == np.arange(n)[:, None]
    own[~own.any(axis=1), -1] = True
    return scores[~own].reshape(n, k), rows[~own].reshape(n, k)
