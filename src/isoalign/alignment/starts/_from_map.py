"""Turn the result of a start, a map or a plan, into a first dictionary."""

import numpy as np

from isoalign._core.arrays import unit_rows
from isoalign._core.types import LinearMap, Matrix, MatrixLike, RowPairs
from isoalign.alignment._stochastic_dictionary import union_pairs
from isoalign.neighbors import stochastic_best

__all__ = ["pairs_from_map", "pairs_from_plan"]


def pairs_from_map(X: Matrix, Z: Matrix, W: LinearMap, *, max_rank: int | None = 20_000, k: int = 10) -> RowPairs:
    """Return the best words by CSLS in both directions after a map; mutual choices occur twice.

    Parameters
    ----------
    X, Z
        Spaces (n, dim) and (m, dim), most frequent words first.
    W
        Map of the source, (dim, dim).
    max_rank
        Restrict to the most frequent words on each side.
    k
        Neighbours in a CSLS mean.
    """
    found = stochastic_best(unit_rows(X[:max_rank] @ W.astype(np.float32)), unit_rows(Z[:max_rank]), k=k)
    return union_pairs(found)


def pairs_from_plan(plan: MatrixLike) -> RowPairs:
    """Return the largest entry of every row and of every column of a plan (n, m) as pairs; mutual ones occur twice."""
    rows, columns = np.arange(plan.shape[0]), np.arange(plan.shape[1])
    forward = np.column_stack([rows, plan.argmax(axis=1)])
    backward = np.column_stack([plan.argmax(axis=0), columns])
    return np.concatenate([forward, backward])
