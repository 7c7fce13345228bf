"""Distances between the two vectors, or the two neighbourhoods, of a word."""

import numpy as np

from isoalign._core.arrays import row_blocks
from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.types import DoubleVector, IntVector, Matrix
from isoalign.neighbors import top_k

__all__ = ["MEASURES", "cosine_distances", "nearest_others", "neighborhood_distances"]

MEASURES = {
    "cd": "cosine distance between the two vectors of a word in the shared space",
    "lnd": "local neighbourhood distance between its similarities to its nearest words, then and now",
}
"""Measures of change, with their descriptions."""

_BLOCK = 512  # words whose neighbours' vectors fit into some tens of megabytes


def cosine_distances(X: Matrix, Y: Matrix) -> DoubleVector:
    r"""Return the cosine distance between the two vectors of every word.

    .. math:: \mathrm{CD}_i = 1 - x_i^\top y_i = \tfrac{1}{2} \lVert x_i - y_i \rVert^2

    Parameters
    ----------
    X, Y
        Unit rows of the same words in one space, (n, dim).
    """
    products: DoubleVector = np.einsum("ij,ij->i", X, Y, dtype=np.float64)
    return np.maximum(1 - products, 0)


def nearest_others(X: Matrix, own: IntVector, k: int, *, progress: Progress = ignore_progress) -> IntVector:
    """Return the nearest rows of some rows by cosine, without the rows themselves, (len(own), k) or fewer.

    Parameters
    ----------
    X
        Unit rows, (n, dim).
    own
        Row numbers of the queries.
    k
        Number of neighbours; at most n - 1 are found.
    progress
        Progress callback.
    """
    _, rows = top_k(X[own], X, k + 1, progress=progress)
    others_first = np.argsort(rows == own[:, None], axis=1, kind="stable")[:, : min(k, len(X) - 1)]
    return np.take_along_axis(rows, others_first, axis=1)


def neighborhood_distances(X: Matrix, Y: Matrix, *, k: int = 25, progress: Progress = ignore_progress) -> DoubleVector:
    r"""Return how much the similarities of every word to its neighbours differ between two spaces.

    .. math:: \mathrm{LND}_i = 1 - \cos(s_i, t_i), \quad
        s_i = (x_i^\top x_j)_{j \in N_i}, \quad t_i = (y_i^\top y_j)_{j \in N_i}

    where :math:`N_i` is the union of the k nearest words of i in both spaces. No map is needed, so the two spaces may
    differ in any rotation and even in dimension.

    Parameters
    ----------
    X, Y
        Unit rows of the same words, (n, dim) each.
    k
        Number of neighbours in each space.
    progress
        Progress callback.

    References
    ----------
    Hamilton, Leskovec, Jurafsky (2016b), "Cultural shift or linguistic drift?", with k = 25.
    """
    everything = np.arange(len(X))
    then, now = (nearest_others(space, everything, k, progress=progress) for space in (X, Y))
    distances = np.empty(len(X))
    for rows in row_blocks(len(X), _BLOCK):
        union = np.concatenate([then[rows], now[rows]], axis=1)
        repeated = (now[rows][:, :, None] == then[rows][:, None, :]).any(axis=2)
        counts = np.concatenate([np.ones(then[rows].shape), ~repeated], axis=1)
        s, t = (np.einsum("ij,ikj->ik", space[rows], space[union], dtype=np.float64) for space in (X, Y))
        lengths = np.sqrt((counts * s * s).sum(axis=1) * (counts * t * t).sum(axis=1))
        cosines = np.divide((counts * s * t).sum(axis=1), lengths, out=np.zeros(len(s)), where=lengths > 0)
        distances[rows] = np.maximum(1 - cosines, 0)
    return distances
