"""Repeated search for queries that move a little between calls, as mapped words do while a map is learned."""

import numpy as np

from isoalign._core.arrays import row_lengths
from isoalign._core.types import FloatVector, IntVector, Matrix
from isoalign._core.validate import check_count, check_same_dim
from isoalign.neighbors.engine._backend import current_backend
from isoalign.neighbors.engine._margins import as_rows, check_products, error_margins, longest_row
from isoalign.neighbors.engine._near_lists import NearLists
from isoalign.neighbors.engine._proofs import choose_proven
from isoalign.neighbors.engine._top_rows import Best, TopRows, search

__all__ = ["MovingSearch"]


class MovingSearch:
    r"""Find the k best rows of Y by inner product, for queries that move between calls.

    A list of near rows is kept for every query. A row that is not listed had a score of at most :math:`s`; after the
    query has moved by :math:`\delta`, its score is at most :math:`s + \lVert\delta\rVert \max_y \lVert y \rVert`. As
    long as the k-th best score on the list at the new position is above this bound, the k best rows are on the list.
    All other queries are compared with all rows again. The answers are those of :func:`top_k`, bit for bit. If most
    lists do not last for one step, the following calls work without lists, and later ones try again.

    Parameters
    ----------
    Y
        Rows to search (m, dim), finite.
    k
        Number of rows to find; all m if there are fewer.
    list_length
        Size of a list, at least ``4 * k``. The default lasts for several steps of a map.
    max_failed
        Share of the lists that may fail in one step. If more fail, making them costs more than they save.
    """

    def __init__(self, Y: Matrix, k: int, *, list_length: int = 256, max_failed: float = 2 / 3) -> None:
        self.Y = as_rows(Y)
        self.k = min(check_count(k, name="k"), len(Y))
        self.list_length = max(check_count(list_length, name="list_length"), 4 * self.k)
        self.max_failed = max_failed
        self.longest = longest_row(row_lengths(self.Y))
        self._pause = self._rest = 0  # calls without lists: after the last failure, and still to come
        self._start(np.empty((0, self.Y.shape[1]), dtype=np.float32))

    def _start(self, Q: Matrix) -> None:
        self._lists = NearLists.empty(len(Q), self.list_length)
        self._lists.floors[:] = np.inf  # nothing is listed, so any row may be better
        self._origins = np.zeros_like(Q)  # positions of the queries when their lists were made
        self._margins = np.zeros(len(Q), dtype=np.float32)  # errors of the listed products

    def search(self, Q: Matrix) -> Best:
        """Return scores and rows, (q, k), best first, as :func:`top_k` does.

        Parameters
        ----------
        Q
            Queries (q, dim), finite: those of the previous call at their new positions.
        """
        Q = as_rows(Q)
        check_same_dim(Q, self.Y, what="Queries and the rows searched")
        if self._rest:
            self._rest -= 1
            return self._compare(Q)
        lengths = row_lengths(Q)
        check_products(Q, self.Y, longest_row(lengths), self.longest, names=("Q", "Y"))
        is_first = self._origins.shape != Q.shape
        if is_first:
            self._start(Q)
        margins = error_margins(lengths, self.longest, Q.shape[1])
        with np.errstate(over="ignore", invalid="ignore"):  # a drift beyond float32 proves nothing, as it should
            drift = self.longest * row_lengths(Q - self._origins) * (1 + 2**-20)
            gains = (drift + margins + self._margins).astype(np.float32)
        (scores, rows), proven = choose_proven(Q, self.Y, self.k, self._lists, gains)
        unsure = np.flatnonzero(~proven)
        if is_first or len(unsure) <= self.max_failed * len(Q):
            self._pause = self._pause if is_first else 0
            if len(unsure):
                self._make_lists(unsure, Q[unsure], margins[unsure])
                found = choose_proven(Q[unsure], self.Y, self.k, self._lists.part(unsure), 2 * margins[unsure])
                (scores[unsure], rows[unsure]), proven = found
                unsure = unsure[~proven]  # more rows are tied than fit on a list
        else:
            self._rest = self._pause = 2 * self._pause + 1
            self._origins = self._origins[:0]  # the next call with lists starts from scratch
        if len(unsure):
            scores[unsure], rows[unsure] = self._compare(Q[unsure])
        return Best(scores, rows)

    def _compare(self, Q: Matrix) -> Best:
        """Compare queries with all rows."""
        return search(Q, self.Y, [TopRows(self.k)], longest=self.longest)[0]

    def _make_lists(self, which: IntVector, Q: Matrix, margins: FloatVector) -> None:
        """Make the lists of some queries at their new positions Q."""
        lists = current_backend().near_lists(Q, self.Y, self.list_length)
        self._origins[which], self._margins[which] = Q, margins
        for values, new in zip(self._lists, lists, strict=True):
            values[which] = new
