"""Search again and again for queries that move a little, as those of a map that is being learned do."""

import numpy as np
from numpy.typing import NDArray

from isoalign._arrays import row_blocks, row_lengths
from isoalign._threads import map_threads
from isoalign._types import FloatVector, IntVector, Matrix
from isoalign._validate import check_count, check_same_dim
from isoalign.neighbors._kernels import empty_heaps, sort_heaps
from isoalign.neighbors._lists import Lists, choose_listed, list_rows, sort_lists
from isoalign.neighbors._search import error_margins, top_k
from isoalign.neighbors._tiles import Tile, multiply_tiles, plan_rounds, walk_tiles

__all__ = ["MovingSearch"]

_LENGTH = 256  # rows on a list at most: enough to last for some steps of a map
_WORTHWHILE = 2 / 3  # of the lists may fail; if more do, making them costs more than they save
_BLOCK = 256


class MovingSearch:
    r"""The k best rows of Y by inner product, for queries of which every call brings the next position.

    Of every query a list of good rows is kept. A row that is not on it had a score of at most :math:`s`, and once the
    query has moved by :math:`\delta` of at most :math:`s + \lVert\delta\rVert \max_y \lVert y \rVert`. As long as the
    k-th best score on the list, computed anew, is above that, the k best rows are on the list; only queries for which
    it is not are compared with all rows again. The answers are those of :func:`top_k`, bit for bit. Where most lists do
    not last for one step, calls do without them, and every now and then try again.

    Parameters
    ----------
    Y
        Rows to choose from (m, dim), finite.
    k
        How many; at most m come back.
    """

    def __init__(self, Y: Matrix, k: int) -> None:
        self.Y = np.ascontiguousarray(Y, dtype=np.float32)
        self.k = min(check_count(k, name="k"), len(Y))
        self.longest = float(row_lengths(self.Y).max(initial=0.0))
        self._pause = self._rest = 0  # calls without lists after the next failure, and from now on
        self._start(np.empty((0, self.Y.shape[1]), dtype=np.float32))

    def _start(self, Q: Matrix) -> None:
        self._lists = Lists.empty(len(Q), max(_LENGTH, 4 * self.k))
        self._lists.floors[:] = np.inf  # nothing is listed, and anything may be better than that
        self._origins = np.zeros_like(Q)  # where the queries were when their lists were made
        self._margins = np.zeros(len(Q), dtype=np.float32)  # of the products on the lists

    def search(self, Q: Matrix) -> tuple[Matrix, IntVector]:
        """Return scores and rows, (q, k), best first, as :func:`top_k` does.

        Parameters
        ----------
        Q
            Queries (q, dim), finite: those of the call before, where they are now.
        """
        Q = np.ascontiguousarray(Q, dtype=np.float32)
        check_same_dim(Q, self.Y, what="Queries and the rows searched")
        if self._rest:
            self._rest -= 1
            return top_k(Q, self.Y, self.k, longest=self.longest)
        is_first = self._origins.shape != Q.shape
        if is_first:
            self._start(Q)
        margins = error_margins(row_lengths(Q).astype(np.float32), self.longest, Q.shape[1])
        drift = self.longest * row_lengths(Q - self._origins) * (1 + 2**-20)
        gains = (drift + margins + self._margins).astype(np.float32)
        scores, rows, proven = self._choose(Q, self._lists, gains)
        unsure = np.flatnonzero(~proven)
        if is_first or len(unsure) <= _WORTHWHILE * len(Q):
            self._pause = self._pause if is_first else 0
            if len(unsure):
                self._list_anew(unsure, Q[unsure], margins[unsure])
                found = self._choose(Q[unsure], self._lists.part(unsure), 2 * margins[unsure])
                scores[unsure], rows[unsure], proven = found
                unsure = unsure[~proven]  # more rows are tied than a list holds
        else:
            self._rest = self._pause = 2 * self._pause + 1
            self._origins = self._origins[:0]  # the call after the rest is a first one
        if len(unsure):
            scores[unsure], rows[unsure] = top_k(Q[unsure], self.Y, self.k, longest=self.longest)
        return scores, rows

    def _list_anew(self, which: IntVector, Q: Matrix, margins: FloatVector) -> None:
        """Make the lists of some queries, which are at Q now."""
        lists = Lists.empty(len(Q), self._lists.rows.shape[1])

        def visit(tile: Tile) -> None:
            list_rows(tile.values, tile.columns.start, lists.part(tile.rows))

        walk_tiles(plan_rounds(len(Q), len(self.Y)), multiply_tiles(Q, self.Y), visit)
        map_threads(lambda block: sort_lists(lists.part(block)), row_blocks(len(Q), _BLOCK))
        self._origins[which], self._margins[which] = Q, margins
        for values, new in zip(self._lists, lists, strict=True):
            values[which] = new

    def _choose(self, Q: Matrix, lists: Lists, gains: FloatVector) -> tuple[Matrix, IntVector, NDArray[np.bool_]]:
        """Return the best rows on the lists, and whether no other row can be among the best.

        ``gains`` says by how much a product is above that on the list at most, by query.
        """
        scores, rows = empty_heaps((len(Q), self.k))

        def choose(block: slice) -> None:
            choose_listed(Q[block], self.Y, lists.part(block), gains[block], 1.0, None, scores[block], rows[block])

        map_threads(choose, row_blocks(len(Q), _BLOCK))
        sort_heaps(scores, rows)
        return scores, rows.astype(np.int64), scores.min(axis=1, initial=np.inf) > lists.floors + gains
