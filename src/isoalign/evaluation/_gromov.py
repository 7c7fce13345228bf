"""A lower bound on the Gromov–Hausdorff distance of two spaces, from their single-linkage clusterings."""

import numpy as np
from numpy.typing import NDArray

from isoalign._core.types import Matrix

__all__ = ["bottleneck_distance", "merge_distances"]

Floats = NDArray[np.float64]


def bottleneck_distance(X: Matrix, Y: Matrix) -> float:
    r"""Compare the distances at which the points of two spaces merge into clusters.

    This is the bottleneck distance :math:`d_B` of the 0-dimensional persistence diagrams of the two Vietoris–Rips
    filtrations by Euclidean distance. Such a diagram has one point :math:`(0, a_i)` for every edge length
    :math:`a_1 \ge a_2 \ge \dots` of a minimum spanning tree, where single linkage merges two components. Matching two
    points costs :math:`|a_i - b_i|`, and leaving a point unmatched costs :math:`a_i / 2`. Both costs grow with length,
    so an optimal matching pairs the m longest edges of both in order:

    .. math:: d_B = \min_m \max\bigl(\max_{i \le m} |a_i - b_i|,\; a_{m+1} / 2,\; b_{m+1} / 2\bigr)

    By the stability theorem :math:`d_{GH} \ge d_B / 2`. Dimensions 1 and above (loops, cavities) are
    not considered. The value is 0 for isometric spaces.

    Parameters
    ----------
    X, Y
        (n, d_s) and (m, d_t). For unit rows, distances and the result are at most 2.

    References
    ----------
    Patra et al. (2019), section 3, who bound the same distance by persistence diagrams; Chazal et al. (2009) for the
    stability theorem. Cost: n² distances in memory and O(n²) operations; 5,000 words take 200 MB.
    """
    a, b = merge_distances(X)[::-1], merge_distances(Y)[::-1]
    shared = min(len(a), len(b))
    matched = np.append(0.0, np.maximum.accumulate(np.abs(a[:shared] - b[:shared])))
    left_over = np.maximum(np.append(a, 0.0)[: shared + 1], np.append(b, 0.0)[: shared + 1]) / 2
    return float(np.maximum(matched, left_over).min())


def merge_distances(X: Matrix) -> Floats:
    """Return the edge lengths of a Euclidean minimum spanning tree of the rows in ascending order, (n - 1,).

    Uses Prim's algorithm on the full distance matrix, which is the fastest for a complete graph.
    """
    n = len(X)
    squares = np.einsum("ij,ij->i", X, X, dtype=np.float64).astype(np.float32)
    distances = X @ X.T
    distances *= -2
    distances += squares[:, None]
    distances += squares
    np.maximum(distances, 0, out=distances)
    reach = distances[0].copy()
    reach[0] = np.inf
    outside = np.ones(n, dtype=bool)
    outside[0] = False
    edges = np.empty(n - 1)
    for step in range(n - 1):
        nearest = int(reach.argmin())
        edges[step] = reach[nearest]
        outside[nearest] = False
        np.minimum(reach, distances[nearest], out=reach, where=outside)
        reach[nearest] = np.inf
    return np.sort(np.sqrt(edges))
