"""Groups of near rows: k-means on the sphere."""

import numpy as np
from scipy.sparse import csr_array

from isoalign._core.arrays import row_blocks, unit_rows
from isoalign._core.threads import single_threaded_blas
from isoalign._core.types import IntVector, Matrix, RandomState

__all__ = ["nearest_centroid", "spherical_centroids"]

_N_ITER = 25
_TOL = 1e-4


def spherical_centroids(
    U: Matrix, start: Matrix | int, *, n_iter: int = _N_ITER, random_state: RandomState = 0
) -> Matrix:
    """Return the unit centroids (c, dim) of Lloyd's algorithm on the sphere.

    Parameters
    ----------
    U
        Unit rows (n, dim).
    start
        First centroids, unit rows (c, dim), or their number: rows are then drawn at random, equal ones once. A cluster
        that runs empty keeps its centroid.
    n_iter
        Maximum number of rounds.
    random_state
        Seed of the draw.
    """
    centroids = _draw(U, start, random_state) if isinstance(start, int) else start
    with single_threaded_blas():  # the products are thin
        for _ in range(n_iter):
            owners = nearest_centroid(U, centroids)
            members = csr_array((np.ones(len(U)), owners, np.arange(len(U) + 1)), shape=(len(U), len(centroids)))
            sums = members.T @ U  # in float64
            filled = np.bincount(owners, minlength=len(centroids)) > 0
            moved = np.where(filled[:, None], unit_rows(sums), centroids).astype(np.float32)
            if np.abs(moved - centroids).max() < _TOL:
                return moved
            centroids = moved
    return centroids


def nearest_centroid(U: Matrix, centroids: Matrix) -> IntVector:
    """Return the number of the centroid with the largest inner product, (n,)."""
    return np.concatenate([(U[rows] @ centroids.T).argmax(axis=1) for rows in row_blocks(len(U))])


def _draw(U: Matrix, n_clusters: int, random_state: RandomState) -> Matrix:
    rng = np.random.default_rng(random_state)
    return np.unique(U[rng.choice(len(U), size=min(n_clusters, len(U)), replace=False)], axis=0)
