"""Linear regression per region of the source, blended."""

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from isoalign._core.arrays import row_blocks, unit_rows
from isoalign._core.state import State
from isoalign._core.threads import single_threaded_blas
from isoalign._core.types import LinearMap, Matrix
from isoalign.maps import AbstractMap
from isoalign.migration._methods._grid import with_grid
from isoalign.migration._methods._ridge import ridge_solution
from isoalign.migration._pairs import PairedRows
from isoalign.neighbors import nearest_centroid, spherical_centroids

__all__ = ["LocalMap", "fit_local"]


class LocalMap(AbstractMap):
    r"""Blend linear maps by the nearness of a row to their centroids.

    .. math:: x \mapsto b + \sum_c p_c(x)\, (x - a) W_c, \quad
              p(x) = \mathrm{softmax}_c(\mathrm{unit}(x - a) \cdot m_c / \tau)

    Parameters
    ----------
    matrices
        W, (c, dim_in, dim_out).
    centroids
        m, unit rows (c, dim_in).
    center, offset
        a and b, the means of both sides.
    temperature
        τ; the smaller, the sharper the borders.
    """

    def __init__(self, matrices: Any, centroids: Any, center: Any, offset: Any, *, temperature: float) -> None:
        self.matrices = np.array(matrices, dtype=np.float32)
        self.centroids = np.array(centroids, dtype=np.float32)
        self.center, self.offset = np.array(center, dtype=np.float32), np.array(offset, dtype=np.float32)
        self.temperature = float(temperature)

    @property
    def dim_in(self) -> int:
        """Number of columns of the centroids."""
        return int(self.matrices.shape[1])

    @property
    def dim_out(self) -> int:
        """Number of columns of the matrices."""
        return int(self.matrices.shape[2])

    def _apply(self, X: Matrix) -> Matrix:
        result = np.empty((len(X), self.dim_out), dtype=np.float32)
        for rows in row_blocks(len(X)):
            centered = X[rows] - self.center
            shares = self._shares(centered)
            block = np.broadcast_to(self.offset, (len(centered), self.dim_out)).copy()
            for share, W in zip(shares.T, self.matrices, strict=True):
                block += (share[:, None] * centered) @ W
            result[rows] = block
        return result

    def _shares(self, centered: Matrix) -> Matrix:
        scores = unit_rows(centered) @ self.centroids.T / np.float32(self.temperature)
        weights = np.exp(scores - scores.max(axis=1, keepdims=True))
        shares: Matrix = weights / weights.sum(axis=1, keepdims=True)
        return shares

    def describe(self) -> dict[str, Any]:
        """Return the temperature."""
        return {"temperature": self.temperature}

    def get_state(self) -> State:
        """Return matrices, centroids and means."""
        return {
            "matrices": self.matrices,
            "centroids": self.centroids,
            "center": self.center,
            "offset": self.offset,
        }

    @classmethod
    def from_state(cls, description: Mapping[str, Any], state: Mapping[str, NDArray[Any]]) -> Self:
        """Restore the map."""
        return cls(**state, temperature=description["temperature"])


@with_grid(ridge=(0.03, 0.1, 0.3, 1.0), clusters=(4, 8, 16), pull=(0.3, 1.0, 3.0))
def fit_local(
    pairs: PairedRows,
    *,
    ridge: float = 0.1,
    clusters: int = 8,
    pull: float = 1.0,
    temperature: float = 0.1,
    random_state: int = 0,
) -> AbstractMap:
    """Fit a ridge map per cluster of the source, shrunk towards the ridge map of all pairs.

    Parameters
    ----------
    pairs
        The rows.
    ridge
        Penalty of the map of all pairs, in units of the mean eigenvalue.
    clusters
        Number of clusters.
    pull
        Penalty on the distance from the map of all pairs, in the same unit.
    temperature
        Sharpness of the borders between clusters.
    random_state
        Seed of the clusters.
    """
    overall = ridge_solution(pairs, ridge)
    X, Y = pairs.centered()
    units = unit_rows(X)
    centroids = spherical_centroids(units, clusters, random_state=random_state)
    owners = nearest_centroid(units, centroids)
    penalty = pairs.penalty(pull)
    matrices = [
        overall + _local_change(X[owners == c], Y[owners == c], overall, penalty) for c in range(len(centroids))
    ]
    return pairs.finish(LocalMap(np.stack(matrices), centroids, pairs.x_mean, pairs.y_mean, temperature=temperature))


def _local_change(X: Matrix, Y: Matrix, overall: LinearMap, penalty: float) -> LinearMap:
    """Return the ridge map from rows to what the overall map leaves of their targets.

    With fewer rows than columns the system has a row and a column per row: (XᵀX + λI)⁻¹Xᵀ = Xᵀ(XXᵀ + λI)⁻¹.
    """
    X64 = X.astype(np.float64)
    left = Y - X64 @ overall
    if len(X) < X.shape[1]:
        return X64.T @ _solve(X64 @ X64.T, left, penalty)
    return _solve(X64.T @ X64, X64.T @ left, penalty)


def _solve(products: LinearMap, right: LinearMap, penalty: float) -> LinearMap:
    products[np.diag_indices(len(products))] += penalty
    with single_threaded_blas():  # several threads take longer for matrices of this size
        return np.linalg.solve(products, right).astype(np.float64, copy=False)
