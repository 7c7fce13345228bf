"""CSLS in both directions from one product: lists of near rows, and the choice once all means are known."""

from collections import Counter

import numpy as np

from isoalign._core.arrays import row_blocks, row_lengths
from isoalign._core.threads import map_threads, single_threaded_blas
from isoalign._core.types import FloatVector, Matrix
from isoalign.neighbors.engine._choice import LISTS, ListSettings
from isoalign.neighbors.engine._kernels import Rows, empty_heaps, merge_heaps, scan_rows, sort_heaps
from isoalign.neighbors.engine._margins import error_margins, longest_row
from isoalign.neighbors.engine._near_lists import NearLists, choose_listed, list_both, start_lists
from isoalign.neighbors.engine._tiles import Strip, Tile
from isoalign.neighbors.engine._top_both import TopRowsBoth
from isoalign.neighbors.engine._top_rows import Best

__all__ = ["FEWEST_LISTED", "ListingWalk", "choose_by_csls"]

FEWEST_LISTED = LISTS.fewest
"""Rows from which on the floor of a list is a start for a similar search, by default."""

_BLOCK = 256  # queries that a thread takes at a time
_WIDTH = 2048  # rows that they are compared with at a time


class ListingWalk:
    """Collect the nearest rows in both directions, and longer lists of near rows for those that choose.

    After a part of the walk, the k-th nearest row so far is about as near as the last row that a list should hold in
    the end. So lists start at that point, with the k nearest rows, and accept what is nearer than the last of them.

    Parameters
    ----------
    near
        Collector of the k nearest rows.
    plan
        The walk, by :func:`plan_rounds`.
    n_sources, n_targets
        Number of first rows of each side that have lists.
    floors
        Products of sources and targets, (n,) and (m,), that lists should exceed, if about known: lists then start with
        the walk.
    lists
        How long the lists are.
    """

    def __init__(
        self,
        near: TopRowsBoth,
        plan: list[Strip],
        n_sources: int,
        n_targets: int,
        floors: tuple[FloatVector, FloatVector] | None = None,
        lists: ListSettings = LISTS,
    ) -> None:
        self.near = near
        self.forward = NearLists.empty(len(near.X), 2 * lists.listed)
        self.backward = NearLists.empty(len(near.Y), 2 * lists.listed)
        self.forward.floors[:] = self.backward.floors[:] = np.inf  # nothing is accepted before the lists start
        self.n_sources, self.n_targets = n_sources, n_targets
        share = min(1.0, near.x_scores.shape[1] / lists.listed)
        self.strips_before = max(1, round(len(plan) * share))
        self.tiles_before = max(1, round(len(plan[0].columns) * share)) if plan else 1
        if floors is not None:
            self.strips_before = self.tiles_before = 0
            self.forward.floors[:n_sources] = floors[0][:n_sources]
            self.backward.floors[:n_targets] = floors[1][:n_targets]
        self.rows_seen: Counter[int] = Counter()
        self.columns_seen: Counter[int] = Counter()

    def visit(self, tile: Tile) -> None:
        """Keep the near rows of a tile."""
        rows, columns = tile.rows, tile.columns
        near = self.near
        with near.lock(tile):
            near.scan(tile)
            has_rows = rows.start < self.n_sources and self.rows_seen[rows.start] >= self.tiles_before
            has_columns = columns.start < self.n_targets and self.columns_seen[columns.start] >= self.strips_before
            if has_rows or has_columns:
                list_both(tile.values, rows.start, columns.start, self.forward.part(rows), self.backward.part(columns))
            self.rows_seen[rows.start] += 1
            self.columns_seen[columns.start] += 1
            if self.rows_seen[rows.start] == self.tiles_before:
                _start(self.forward, rows, self.n_sources, near.x_scores, near.x_rows)
            if self.columns_seen[columns.start] == self.strips_before:
                _start(self.backward, columns, self.n_targets, near.y_scores, near.y_rows)


def _start(lists: NearLists, block: slice, n: int, scores: Matrix, rows: Rows) -> None:
    """Start the lists of a block of rows, as far as they are among the first n."""
    some = slice(block.start, min(block.stop, n))
    start_lists(lists.part(some), scores[some], rows[some])


def choose_by_csls(Q: Matrix, Y: Matrix, n_best: int, lists: NearLists, bias: FloatVector) -> Best:
    """Return the best rows of Y for every query by ``2 * inner product - bias``.

    A row that is not listed can only be chosen if its bias is small enough to make up for its distance; queries that
    have such rows are compared with them.
    """
    scores, rows = empty_heaps((len(Q), min(n_best, len(Y))))
    longest = longest_row(row_lengths(Y))
    margins = error_margins(row_lengths(Q), longest, Q.shape[1], scale=2, bias=bias)

    def choose(block: slice) -> None:
        choose_listed(Q[block], Y, lists.part(block), margins[block], 2.0, bias, scores[block], rows[block])

    map_threads(choose, row_blocks(len(Q), _BLOCK))
    # A row that is not listed can be chosen if its bias is at most this. An empty heap is below any score.
    reach: FloatVector = 2.0 * lists.floors[: len(Q)] + margins - np.maximum(scores[:, 0], np.finfo(np.float32).min)
    _compare_thin(Q, Y, bias, margins, reach, scores, rows)
    sort_heaps(scores, rows)
    return Best(scores, rows.astype(np.int64))


def _compare_thin(
    Q: Matrix, Y: Matrix, bias: FloatVector, margins: FloatVector, reach: FloatVector, scores: Matrix, rows: Rows
) -> None:
    """Let every query also choose among all rows whose bias is within its reach; heaps are changed in place."""
    thinnest = np.argsort(bias, kind="stable")
    counts = np.searchsorted(bias[thinnest], reach, side="right")
    order = np.argsort(counts, kind="stable")
    order = order[counts[order] > 0]

    def compare(block: slice) -> None:
        some = order[block]
        thin = np.sort(thinnest[: counts[some[-1]]])  # ascending, so that ties go to the lower row
        queries = Q[some]
        more, places = empty_heaps((len(some), min(scores.shape[1], len(thin))))
        for part in row_blocks(len(thin), _WIDTH):
            near = Y[thin[part]]
            scan_rows(
                queries @ near.T, queries, near, part.start, 2.0, bias[thin[part]], margins[some], True, more, places
            )
        own_scores, own_rows = scores[some], rows[some]
        merge_heaps(own_scores, own_rows, more, thin[places].astype(np.int32))
        scores[some], rows[some] = own_scores, own_rows

    with single_threaded_blas():
        map_threads(compare, row_blocks(len(order), _BLOCK))
