"""Exact search by inner product: the best rows and neighbourhood means, in one direction or both."""

from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.types import FloatVector, Matrix
from isoalign.neighbors.engine import Best, TopRows, mean_best, search, search_both

__all__ = ["neighborhood_means", "top_k", "top_k_both"]


def top_k(
    Q: Matrix,
    Y: Matrix,
    k: int,
    *,
    scale: float = 1.0,
    bias: FloatVector | None = None,
    longest: float | None = None,
    progress: Progress = ignore_progress,
) -> Best:
    """Find the best rows of Y for every row of Q by ``scale * inner product - bias``.

    The result is exact: inner products are summed in float64 and rounded once to float32, ties go to the lower row, and
    block size, threads and BLAS have no influence on any bit.

    Parameters
    ----------
    Q
        Queries (q, dim), finite. For cosines, rows must have unit length.
    Y
        Rows to search (m, dim), finite.
    k
        Number of rows to find; all m if there are fewer.
    scale
        Positive factor of the inner product.
    bias
        Subtracted from the score of every row of Y, (m,): the neighbourhood means for CSLS, with ``scale=2``.
    longest
        Length of the longest row of Y, or an upper bound. None: measured, which reads all of Y.
    progress
        Progress callback.

    Returns
    -------
    scores
        (q, min(k, m)) float32, best first.
    rows
        Row numbers in Y, (q, min(k, m)) int64.

    Raises
    ------
    InvalidValueError
        If a row contains NaN or infinity, or is so long that products would overflow float32.
    """
    return search(Q, Y, [TopRows(k, scale=scale, bias=bias)], longest=longest, progress=progress)[0]


def top_k_both(X: Matrix, Y: Matrix, k: int, *, progress: Progress = ignore_progress) -> tuple[Best, Best]:
    """Find the k best rows of Y for every row of X, and of X for every row of Y, from one product.

    The results are those of two calls of :func:`top_k`, which take two products.

    Parameters
    ----------
    X, Y
        Finite matrices (n, dim) and (m, dim). For cosines, rows must have unit length.
    k
        Number of rows to find; all rows if the other side has fewer.
    progress
        Progress callback.

    Returns
    -------
    Best, Best
        Scores and rows for X, then for Y.
    """
    return search_both(X, Y, k, progress=progress)


def neighborhood_means(
    X: Matrix, Y: Matrix, k: int = 10, *, progress: Progress = ignore_progress
) -> tuple[FloatVector, FloatVector]:
    r"""Return the mean similarity of every row to its k nearest rows on the other side, from one product.

    .. math:: r_T(x) = \frac{1}{k} \sum_{y \in N_k(x)} x \cdot y, \quad
              r_S(y) = \frac{1}{k} \sum_{x \in N_k(y)} x \cdot y

    Parameters
    ----------
    X, Y
        Finite matrices (n, dim) and (m, dim). For cosines, rows must have unit length.
    k
        Number of neighbours; all rows if the other side has fewer.
    progress
        Progress callback.

    Returns
    -------
    source_means, target_means
        (n,) and (m,).
    """
    for_x, for_y = search_both(X, Y, k, what="neighbourhood means", progress=progress)
    return mean_best(for_x.scores), mean_best(for_y.scores)
