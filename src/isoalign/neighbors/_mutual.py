"""The best words by CSLS in both directions from one product: what a round of refinement needs."""

from collections import Counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from isoalign._arrays import row_blocks, row_lengths
from isoalign._progress import Progress, ignore_progress
from isoalign._threads import map_threads
from isoalign._types import FloatVector, Matrix
from isoalign._validate import check_count, check_same_dim
from isoalign.neighbors._kernels import empty_heaps, merge_heaps, sort_heaps
from isoalign.neighbors._lists import Lists, choose_listed, list_both, start_lists
from isoalign.neighbors._means import Best, BothSelection
from isoalign.neighbors._search import error_margins, mean_best, top_k
from isoalign.neighbors._tiles import Strip, Tile, multiply_tiles, plan_rounds, walk_tiles

__all__ = ["CslsBest", "csls_best"]

_LISTED = 64  # rows on a list, about: few words then have to be compared with others again
_BLOCK = 256


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
    progress: Progress = ignore_progress,
) -> CslsBest:
    """Find the best targets of the first sources and the best sources of the first targets by CSLS.

    The neighbourhoods are those among all words. They are only known when the product has gone by, so a list of the
    nearest words is kept for every word that chooses. Another word can only be chosen if its own neighbourhood is so
    thin that this outweighs its distance; where there are such words, they are compared again.

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
    progress
        Hears how many strips of the product are done.

    Returns
    -------
    CslsBest
        Scores and rows, best first, forward (min(max_rank, n), n_best) and backward, and the means of all words.
    """
    n_best, k = check_count(n_best, name="n_best"), check_count(k, name="k")
    max_rank = None if max_rank is None else check_count(max_rank, name="max_rank")
    X, Y = np.ascontiguousarray(X, dtype=np.float32), np.ascontiguousarray(Y, dtype=np.float32)
    check_same_dim(X, Y)
    plan = plan_rounds(len(X), len(Y))
    near = BothSelection(X, Y, k)
    lists = _BothLists(near, plan, max_rank)
    walk_tiles(plan, multiply_tiles(X, Y), lists.visit, what="neighbourhood means", progress=progress)
    source_means, target_means = (mean_best(best.scores) for best in near.result())
    forward = _choose(X[:max_rank], Y, n_best, lists.forward, target_means)
    backward = _choose(Y[:max_rank], X, n_best, lists.backward, source_means)
    # The mean of the word itself changes no order, only the score.
    np.subtract(forward.scores, source_means[:max_rank, None], out=forward.scores)
    np.subtract(backward.scores, target_means[:max_rank, None], out=backward.scores)
    return CslsBest(forward, backward, source_means, target_means)


class _BothLists:
    """The nearest rows in both directions, and longer lists of near rows for those that choose, from one walk.

    When a part of the walk is done, the k-th nearest row so far is about as near as the last that a list should hold
    in the end. So lists begin then, with the k nearest, and take what is nearer than the last of these.

    Parameters
    ----------
    near
        The k nearest rows.
    plan
        The walk, by :func:`plan_rounds`.
    max_rank
        How many rows of each side have lists; None for all.
    """

    def __init__(self, near: BothSelection, plan: list[Strip], max_rank: int | None) -> None:
        n, m = len(near.X), len(near.Y)
        self.near = near
        self.forward, self.backward = (Lists.empty(rows, 2 * _LISTED) for rows in (n, m))
        self.forward.floors[:] = self.backward.floors[:] = np.inf  # nothing enters before they begin
        self.ranked = max(n, m) if max_rank is None else max_rank
        share = min(1.0, near.x_scores.shape[1] / _LISTED)
        self.strips_before = max(1, round(len(plan) * share))
        self.tiles_before = max(1, round(len(plan[0].columns) * share)) if plan else 1
        self.rows_seen: Counter[int] = Counter()
        self.columns_seen: Counter[int] = Counter()

    def visit(self, tile: Tile) -> None:
        """Take what is near in a tile."""
        rows, columns = tile.rows, tile.columns
        with self.near.lock(tile):
            self.near.scan(tile)
            has_lists = self.rows_seen[rows.start] >= self.tiles_before
            if has_lists or self.columns_seen[columns.start] >= self.strips_before:
                list_both(tile.values, rows.start, columns.start, self.forward.part(rows), self.backward.part(columns))
            self.rows_seen[rows.start] += 1
            self.columns_seen[columns.start] += 1
            if self.rows_seen[rows.start] == self.tiles_before:
                self._start(self.forward, rows, self.near.x_scores, self.near.x_rows)
            if self.columns_seen[columns.start] == self.strips_before:
                self._start(self.backward, columns, self.near.y_scores, self.near.y_rows)

    def _start(self, lists: Lists, block: slice, scores: Matrix, rows: NDArray[np.int32]) -> None:
        ranked = slice(block.start, min(block.stop, self.ranked))
        start_lists(lists.part(ranked), scores[ranked], rows[ranked])


def _choose(Q: Matrix, Y: Matrix, n_best: int, lists: Lists, bias: FloatVector) -> Best:
    """Return the best rows of Y for the first rows of Q, by twice the product less the bias."""
    scores, rows = empty_heaps((len(Q), min(n_best, len(Y))))
    longest = float(row_lengths(Y).max(initial=0.0))
    margins = error_margins(row_lengths(Q).astype(np.float32), longest, Q.shape[1], scale=2, bias=bias)

    def choose(block: slice) -> None:
        choose_listed(Q[block], Y, lists.part(block), margins[block], 2.0, bias, scores[block], rows[block])

    map_threads(choose, row_blocks(len(Q), _BLOCK))
    # A row that is not listed can be chosen if its bias is not above this. Nothing chosen yet is below any score.
    reach: FloatVector = 2.0 * lists.floors[: len(Q)] + margins - np.maximum(scores[:, 0], np.finfo(np.float32).min)
    _compare_thin(Q, Y, bias, reach, scores, rows)
    sort_heaps(scores, rows)
    return Best(scores, rows.astype(np.int64))


def _compare_thin(
    Q: Matrix, Y: Matrix, bias: FloatVector, reach: FloatVector, scores: Matrix, rows: NDArray[np.int32]
) -> None:
    """Let every query choose also among all rows whose bias is within its reach; the heaps are changed in place."""
    thinnest = np.argsort(bias, kind="stable")
    counts = np.searchsorted(bias[thinnest], reach, side="right")
    order = np.argsort(counts, kind="stable")
    order = order[counts[order] > 0]
    for block in row_blocks(len(order), _BLOCK):
        some = order[block]
        thin = np.sort(thinnest[: counts[some[-1]]])  # ascending, so that ties go to the lower row
        more, places = top_k(Q[some], Y[thin], scores.shape[1], scale=2, bias=bias[thin])
        own_scores, own_rows = scores[some], rows[some]
        merge_heaps(own_scores, own_rows, more, thin[places].astype(np.int32))
        scores[some], rows[some] = own_scores, own_rows
