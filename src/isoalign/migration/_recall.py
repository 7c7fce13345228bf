"""Share of preserved neighbours, by plain cosine, as in an index."""

from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from isoalign._core.arrays import unit_rows
from isoalign._core.types import DoubleVector, IntVector, Matrix
from isoalign.neighbors import top_k

__all__ = ["Use", "identity_precision", "kept_shares", "nearest_rows", "neighbor_recall", "true_neighbors"]

Use: TypeAlias = Literal["corpus", "queries"]
"""``"corpus"``: stored vectors are mapped from the old model to the new; ``"queries"``: new queries to the old."""


def nearest_rows(Q: Matrix, Y: Matrix, k: int, *, themselves: bool = False) -> IntVector:
    """Return the k rows of Y with the largest cosine, (q, min(k, m)), best first.

    Parameters
    ----------
    Q, Y
        Queries (q, dim) and the index (m, dim); lengths do not matter.
    k
        Number of rows.
    themselves
        Whether query i is row i of the index, to be excluded.
    """
    if not themselves:
        return top_k(unit_rows(Q), unit_rows(Y), k)[1]
    found = top_k(unit_rows(Q), unit_rows(Y), k + 1)[1]
    own = found == np.arange(len(Q))[:, None]
    own[~own.any(axis=1), -1] = True  # not even found: drop the last instead
    others: IntVector = found[~own].reshape(len(Q), -1)
    return others


def kept_shares(found: IntVector, truth: IntVector, k: int) -> DoubleVector:
    """Return the share of the k true rows of every query that is among its k found ones, (q,)."""
    k = min(k, truth.shape[1])
    both = np.sort(np.concatenate([found[:, :k], truth[:, :k]], axis=1), axis=1)
    shares: DoubleVector = (both[:, 1:] == both[:, :-1]).sum(axis=1) / k
    return shares


def true_neighbors(
    X: Matrix, Y: Matrix, *, use: Use, k: int = 10, queries: NDArray[np.bool_] | None = None
) -> IntVector:
    """Return the k nearest items in the new model, (q, k), of every query or, without any, of every item.

    See `neighbor_recall`.
    """
    new = Y if use == "corpus" else X
    return _nearest_items(new, new, k, queries)


def neighbor_recall(
    mapped: Matrix, Y: Matrix, truth: IntVector, *, use: Use, queries: NDArray[np.bool_] | None = None
) -> DoubleVector:
    """Return the share of the k neighbours in the new model that are found with the adapter, (q,).

    Parameters
    ----------
    mapped
        The items through the adapter, (n, d_target).
    Y
        The same items in the model that the adapter maps to.
    truth
        Result of `true_neighbors`, (q, k).
    use
        Use of the adapter, which determines the side of the queries.
    queries
        Which rows are queries, (n,), whose neighbours among the other rows count. None: every item is a query among all
        others.
    """
    asked, index = (Y, mapped) if use == "corpus" else (mapped, Y)
    return kept_shares(_nearest_items(asked, index, truth.shape[1], queries), truth, truth.shape[1])


def _nearest_items(asked: Matrix, index: Matrix, k: int, queries: NDArray[np.bool_] | None) -> IntVector:
    if queries is None:
        return nearest_rows(asked, index, k, themselves=True)
    return nearest_rows(asked[queries], index[~queries], k)


def identity_precision(mapped: Matrix, Y: Matrix) -> float:
    """Return the share of mapped rows whose nearest row of Y is that of the same item: an easy measure."""
    return float((nearest_rows(mapped, Y, 1)[:, 0] == np.arange(len(Y))).mean())
