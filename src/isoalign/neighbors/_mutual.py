"""The best words by CSLS in both directions from one product: what a round of refinement needs."""

from typing import NamedTuple

import numpy as np

from isoalign._progress import Progress, ignore_progress
from isoalign._types import FloatVector, Matrix
from isoalign._validate import check_count, check_same_dim
from isoalign.neighbors._means import Best, BothSelection, neighborhood_means
from isoalign.neighbors._search import mean_best, top_k
from isoalign.neighbors._tiles import StoredTiles, plan_rounds, walk_tiles

__all__ = ["CslsBest", "csls_best"]


class CslsBest(NamedTuple):
    """The best translations by CSLS, and the means behind them."""

    forward: Best
    backward: Best
    source_means: FloatVector
    target_means: FloatVector


def csls_best(
    X: Matrix,
    Y: Matrix,
    n_best: int = 2,
    *,
    k: int = 10,
    max_rank: int | None = None,
    memory: FloatVector | int = 2**31,
    progress: Progress = ignore_progress,
) -> CslsBest:
    """Find the best targets of the first sources and the best sources of the first targets by CSLS.

    The neighbourhoods are those among all words. Where the whole product fits in memory it is computed once, otherwise
    the products of the first words are computed again.

    Parameters
    ----------
    X, Y
        Finite matrices (n, dim) and (m, dim); rows of length one for cosines.
    n_best
        How many; the second tells how clear the first is.
    k
        Neighbours in a mean.
    max_rank
        Choose for the first rows of each side, among all rows of the other. None: for all rows.
    memory
        Bytes that the product may take, or a float32 array to keep it in. Pass the same array in every round: fresh
        memory costs time.
    progress
        Hears how many strips of the product are done.

    Returns
    -------
    CslsBest
        Scores and rows, best first, forward (min(max_rank, n), n_best) and backward, and the means of all words.
    """
    n_best, k = check_count(n_best, name="n_best"), check_count(k, name="k")
    X, Y = np.ascontiguousarray(X, dtype=np.float32), np.ascontiguousarray(Y, dtype=np.float32)
    check_same_dim(X, Y)
    size = len(X) * len(Y)
    values = memory // 4 if isinstance(memory, int) else memory.size
    if size <= values:
        if isinstance(memory, int):
            memory = np.empty(size, dtype=np.float32)
        found = _from_stored(X, Y, n_best, k, max_rank, memory, progress)
    else:
        source_means, target_means = neighborhood_means(X, Y, k, progress=progress)
        found = CslsBest(
            Best(*top_k(X[:max_rank], Y, n_best, scale=2, bias=target_means, progress=progress)),
            Best(*top_k(Y[:max_rank], X, n_best, scale=2, bias=source_means, progress=progress)),
            source_means,
            target_means,
        )
    # The mean of the word itself changes no order, only the score.
    np.subtract(found.forward.scores, found.source_means[:max_rank, None], out=found.forward.scores)
    np.subtract(found.backward.scores, found.target_means[:max_rank, None], out=found.backward.scores)
    return found


def _from_stored(
    X: Matrix, Y: Matrix, n_best: int, k: int, max_rank: int | None, memory: FloatVector, progress: Progress
) -> CslsBest:
    plan, tiles = plan_rounds(len(X), len(Y)), StoredTiles(X, Y, memory)
    near = BothSelection(X, Y, k)
    walk_tiles(plan, tiles.multiply, near.visit, what="neighbourhood means", progress=progress)
    source_means, target_means = (mean_best(best.scores) for best in near.result())
    choice = BothSelection(X, Y, n_best, scale=2, x_bias=source_means, y_bias=target_means, max_rank=max_rank)
    walk_tiles(plan, tiles.load, choice.visit, progress=progress)
    return CslsBest(*choice.result(), source_means, target_means)
