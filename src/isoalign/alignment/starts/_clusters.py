"""Match clusters of two spaces, for spaces whose rows are not sorted by frequency, such as sentences."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from isoalign._core.arrays import unit_rows
from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.types import IntVector, LinearMap, Matrix
from isoalign._core.validate import check_count, check_same_dim
from isoalign.alignment._loop import AbstractSteps, StepState, run_loop
from isoalign.alignment._procrustes import orthogonal_map
from isoalign.alignment.starts._assignment import assign_points
from isoalign.alignment.starts._map_start import AbstractMapStart, MapState
from isoalign.neighbors import spherical_centroids, top_k

__all__ = ["Clusters", "map_by_clusters"]

_CLUSTERINGS = 10  # random starts of k-means; the clusters of both sides can only match if both are the best ones
_ROUGH = 5  # rounds of k-means before the best start is chosen
_ASSIGNMENTS = 1000  # random starts of each assignment of centroids


def map_by_clusters(
    X: Matrix,
    Z: Matrix,
    *,
    rng: np.random.Generator,
    progress: Progress = ignore_progress,
    n_points: int,
    n_clusters: int,
    n_rounds: int,
    n_neighbors: int,
    n_refine: int,
    refine_points: int,
    final_clusters: int,
) -> LinearMap:
    """Return the rotation that matched clusters suggest, refined on neighbourhoods.

    Parameters
    ----------
    X, Z
        Spaces (n, dim) and (m, dim), rows in any order.
    rng
        Random generator for points, clusters and starts.
    progress
        Progress callback.
    n_points, n_clusters, n_rounds
        Points of each side, clusters and rounds of matching; the centroids of the best third are the anchors.
    n_neighbors
        Number of targets whose mean a source point is paired with; at most one in a hundred.
    n_refine, refine_points
        Rounds of refinement, and random source points in each.
    final_clusters
        Clusters of the last round.

    References
    ----------
    mini-vec2vec (2025).
    """
    check_same_dim(X, Z, what="X and Z")
    n_points = check_count(n_points, name="n_points")
    n_neighbors = max(1, min(check_count(n_neighbors, name="n_neighbors"), len(Z) // 100))
    A, B = (unit_rows(side - side.mean(axis=0, dtype=np.float64).astype(np.float32)) for side in (X, Z))
    matching = _Matching(rng, n_points, n_clusters, n_rounds)
    rounds = run_loop(matching, (A, B), what="clusters, matching", progress=progress).state.rounds
    # In the other rounds, the clusters of the two sides differ.
    anchors = sorted(rounds, key=lambda one: -one.fit)[: -(-n_rounds // 3)]
    a, b = np.concatenate([one.source for one in anchors]), np.concatenate([one.target for one in anchors])
    some = _draw(rng, len(A), n_points)
    profiles = unit_rows(A[some] @ a.T), unit_rows(B @ b.T)
    W = orthogonal_map(A[some], _neighbor_means(*profiles, B, n_neighbors))
    refinement = _Refinement(W, rng, n_neighbors, n_refine, refine_points)
    W = run_loop(refinement, (A, B), what="clusters, refinement", progress=progress).state.W
    few = min(final_clusters, len(A) // 2, len(B) // 2)
    if few > A.shape[1]:
        centroids = spherical_centroids(A, A[_draw(rng, len(A), few)])
        W = (W + orthogonal_map(centroids, spherical_centroids(B, _map(centroids, W)))) / 2
    U, _, Vt = np.linalg.svd(W)
    rotation: LinearMap = U @ Vt
    return rotation


class _Matched(NamedTuple):
    """Matched centroids, and the correlation of their Gram matrices."""

    fit: float
    source: Matrix
    target: Matrix


@dataclass(frozen=True, kw_only=True)
class _AllMatched(StepState):
    """The matched centroids of all rounds."""

    rounds: tuple[_Matched, ...] = ()


@dataclass(frozen=True)
class _Matching(AbstractSteps[tuple[Matrix, Matrix], _AllMatched]):
    """Cluster random points of both sides and match the centroids, in every round."""

    rng: np.random.Generator
    n_points: int
    n_clusters: int
    n_rounds: int

    def max_steps(self) -> int:
        """Return the number of rounds."""
        return self.n_rounds

    def start(self, problem: tuple[Matrix, Matrix]) -> _AllMatched:  # noqa: ARG002
        """Begin without a round."""
        return _AllMatched()

    def step(self, problem: tuple[Matrix, Matrix], state: _AllMatched) -> _AllMatched:
        """Match the centroids of other random points."""
        found = _match(*problem, self.n_points, self.n_clusters, self.rng)
        return _AllMatched(number=state.number + 1, record={"fit": found.fit}, rounds=(*state.rounds, found))


@dataclass(frozen=True)
class _Refinement(AbstractSteps[tuple[Matrix, Matrix], MapState]):
    """Move the map halfway to the rotation of random points onto the means of their neighbours."""

    first: LinearMap
    rng: np.random.Generator
    n_neighbors: int
    n_refine: int
    refine_points: int

    def max_steps(self) -> int:
        """Return the number of rounds."""
        return self.n_refine

    def start(self, problem: tuple[Matrix, Matrix]) -> MapState:  # noqa: ARG002
        """Begin with the rotation of the anchors."""
        return MapState(W=self.first)

    def step(self, problem: tuple[Matrix, Matrix], state: MapState) -> MapState:
        """Move the map by other random points."""
        A, B = problem
        points = A[_draw(self.rng, len(A), self.refine_points)]
        W = orthogonal_map(points, _neighbor_means(_map(points, state.W), B, B, self.n_neighbors))
        return MapState(number=state.number + 1, W=(state.W + W) / 2)


def _match(A: Matrix, B: Matrix, n_points: int, n_clusters: int, rng: np.random.Generator) -> _Matched:
    """Return the centroids of both sides in the order in which their Gram matrices agree best."""
    n_clusters = min(n_clusters, len(A) // 2, len(B) // 2)
    sides = [_cluster(side[_draw(rng, len(side), n_points)], n_clusters, rng) for side in (A, B)]
    first, second = (_double_center(side.astype(np.float64)) for side in sides)
    best = assign_points(first, second, n_starts=_ASSIGNMENTS, rng=rng)
    return _Matched(best.value, sides[0], sides[1][best.columns])


def _cluster(points: Matrix, n_clusters: int, rng: np.random.Generator) -> Matrix:
    """Return the best centroids of several random starts; only the most promising one is continued to the end."""
    rough = [spherical_centroids(points, start, n_iter=_ROUGH) for start in _spread(points, n_clusters, rng)]
    best = max(rough, key=lambda centroids: float((points @ centroids.T).max(axis=1).sum(dtype=np.float64)))
    return spherical_centroids(points, best)


def _double_center(centroids: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the inner products of centroids, with the means of rows and columns removed and with norm 1."""
    gram = centroids @ centroids.T
    centered = gram - gram.mean(axis=0) - gram.mean(axis=1)[:, None] + gram.mean()
    result: NDArray[np.float64] = centered / np.linalg.norm(centered)
    return result


def _spread(points: Matrix, size: int, rng: np.random.Generator) -> Matrix:
    """Draw initial centroids far from each other for every clustering, (clusterings, size, dim).

    The probability of a point is proportional to its squared distance from the centroids so far.
    """
    chosen = [rng.integers(len(points), size=_CLUSTERINGS)]
    distances = np.full((_CLUSTERINGS, len(points)), np.inf)
    for _ in range(size - 1):
        distances = np.minimum(distances, np.maximum(0.0, 1.0 - points[chosen[-1]] @ points.T))
        sums = distances.cumsum(axis=1)
        marks = rng.random(_CLUSTERINGS) * sums[:, -1]
        chosen.append(np.minimum((sums <= marks[:, None]).sum(axis=1), len(points) - 1))
    return points[np.column_stack(chosen)]


def _neighbor_means(Q: Matrix, keys: Matrix, values: Matrix, k: int) -> Matrix:
    """Return for every query the mean value of the k most similar keys."""
    rows = top_k(Q, keys, k)[1]
    means: Matrix = values[rows].mean(axis=1)
    return means


def _map(A: Matrix, W: LinearMap) -> Matrix:
    return unit_rows(A @ W.astype(np.float32))


def _draw(rng: np.random.Generator, n: int, size: int) -> IntVector:
    return rng.choice(n, min(size, n), replace=False)


class Clusters(AbstractMapStart):
    """Match clusters of two spaces whose rows need not be ordered by frequency.

    Parameters
    ----------
    n_points, n_clusters, n_rounds, n_neighbors, n_refine, refine_points, final_clusters
        See `map_by_clusters`.
    """

    def __init__(
        self,
        n_points: int = 10_000,
        n_clusters: int = 20,
        n_rounds: int = 30,
        n_neighbors: int = 50,
        n_refine: int = 100,
        refine_points: int = 1000,
        final_clusters: int = 500,
    ) -> None:
        self.n_points = n_points
        self.n_clusters = n_clusters
        self.n_rounds = n_rounds
        self.n_neighbors = n_neighbors
        self.n_refine = n_refine
        self.refine_points = refine_points
        self.final_clusters = final_clusters

    def _find_map(self, X: Matrix, Z: Matrix, rng: np.random.Generator, progress: Progress) -> LinearMap:
        return map_by_clusters(X, Z, rng=rng, progress=progress, **self.get_params())
