"""Search again and again for queries that move a little, as those of a map that is being learned do."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from isoalign._arrays import row_blocks, row_lengths
from isoalign._compile import compiled
from isoalign._threads import map_threads
from isoalign._types import FloatVector, IntVector, Matrix
from isoalign._validate import check_count, check_same_dim
from isoalign.neighbors._kernels import empty_heaps, push, similarity, sort_heaps
from isoalign.neighbors._search import error_margins, top_k
from isoalign.neighbors._tiles import Tile, multiply_tiles, plan_rounds, walk_tiles

__all__ = ["MovingSearch"]

Rows = NDArray[np.int32]

_LISTED = 128  # good rows kept per query, and up to twice as many: enough to last for some steps
_CHUNK = 64


class MovingSearch:
    r"""The k best rows of Y by inner product, for queries of which every call brings the next position.

    Of every query a list of good rows is kept. A row that is not on it had a score of at most :math:`s`, and once the
    query has moved by :math:`\delta` of at most :math:`s + \lVert\delta\rVert \max_y \lVert y \rVert`. As long as the
    k-th best score on the list, computed anew, is above that, the k best rows are on the list; only queries for which
    it is not are compared with all rows again. The answers are those of :func:`top_k`, bit for bit.

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
        self.size = max(_LISTED, 2 * self.k)
        self._lists: _Lists | None = None

    def search(self, Q: Matrix) -> tuple[Matrix, IntVector]:
        """Return scores and rows, (q, k), best first, as :func:`top_k` does.

        Parameters
        ----------
        Q
            Queries (q, dim), finite: those of the call before, where they are now.
        """
        Q = np.ascontiguousarray(Q, dtype=np.float32)
        check_same_dim(Q, self.Y, what="Queries and the rows searched")
        if self._lists is None or self._lists.origins.shape != Q.shape:
            self._lists = _Lists.none(len(Q), Q.shape[1], self.size)
        lists = self._lists
        margins = error_margins(row_lengths(Q).astype(np.float32), self.longest, Q.shape[1])
        scores, rows, proven = self._choose(Q, lists, margins)
        stale = np.flatnonzero(~proven)
        if len(stale):
            moved = Q[stale]
            fresh = _list_best(moved, self.Y, self.size, margins[stale])
            scores[stale], rows[stale], proven = self._choose(moved, fresh, margins[stale])
            lists.replace(stale, fresh)
            tied = stale[~proven]  # by more rows than a list holds
            if len(tied):
                scores[tied], rows[tied] = top_k(Q[tied], self.Y, self.k, longest=self.longest)
        return scores, rows

    def _choose(self, Q: Matrix, lists: "_Lists", margins: FloatVector) -> tuple[Matrix, IntVector, NDArray[np.bool_]]:
        """Return the best rows on the lists, and whether no other row can be among the best."""
        scores, rows = empty_heaps((len(Q), self.k))
        gains = self.longest * row_lengths(Q - lists.origins) * (1 + 2**-20) + margins + lists.margins

        def choose(block: slice) -> None:
            chosen = scores[block], rows[block]
            _choose_listed(
                Q[block], self.Y, lists.rows[block], lists.scores[block], lists.counts[block], gains[block], *chosen
            )

        map_threads(choose, row_blocks(len(Q), 256))
        sort_heaps(scores, rows)
        return scores, rows.astype(np.int64), scores.min(axis=1, initial=np.inf) > lists.floors + gains


class _Lists(NamedTuple):
    """A list of good rows for every query, and what is known of the rows that are not on it.

    Attributes
    ----------
    origins
        Where the queries were when their lists were made, (q, dim).
    rows, scores
        The lists, (q, 2 * size), and the float32 products with queries at their origins.
    counts
        How many rows are on each list, (q,).
    floors
        The largest product of a row outside the list with the query at its origin, (q,).
    margins
        The largest error of these products, (q,).
    """

    origins: Matrix
    rows: Rows
    scores: Matrix
    counts: Rows
    floors: FloatVector
    margins: FloatVector

    @classmethod
    def none(cls, queries: int, dim: int, size: int) -> "_Lists":
        """Return lists with nothing on them; whatever is outside may be better."""
        return cls(
            np.zeros((queries, dim), dtype=np.float32),
            np.empty((queries, 2 * size), dtype=np.int32),
            np.empty((queries, 2 * size), dtype=np.float32),
            np.zeros(queries, dtype=np.int32),
            np.full(queries, np.inf, dtype=np.float32),
            np.zeros(queries, dtype=np.float32),
        )

    def replace(self, queries: IntVector, lists: "_Lists") -> None:
        for values, new in zip(self, lists, strict=True):
            values[queries] = new


def _list_best(Q: Matrix, Y: Matrix, size: int, margins: FloatVector) -> _Lists:
    """Return lists of the best rows of Y by the float32 product: so many, or up to twice as many."""
    lists = _Lists.none(len(Q), Q.shape[1], size)._replace(origins=Q, margins=margins)
    lists.floors[:] = -np.inf

    def visit(tile: Tile) -> None:
        _list_rows(
            tile.values,
            tile.columns.start,
            lists.scores[tile.rows],
            lists.rows[tile.rows],
            lists.counts[tile.rows],
            lists.floors[tile.rows],
        )

    walk_tiles(plan_rounds(len(Q), len(Y)), multiply_tiles(Q, Y), visit)
    return lists


@compiled()
def _list_rows(tile: Matrix, first: int, scores: Matrix, rows: Rows, counts: Rows, floors: FloatVector) -> None:
    """Append to every row's list the columns above its floor; a list that is full loses its worse half."""
    n_columns = tile.shape[1]
    for i in range(tile.shape[0]):
        for start in range(0, n_columns, _CHUNK):
            end = min(start + _CHUNK, n_columns)
            floor = floors[i]
            hit = 0
            for j in range(start, end):
                hit |= tile[i, j] > floor
            if not hit:
                continue
            for j in range(start, end):
                if tile[i, j] > floors[i]:
                    scores[i, counts[i]] = tile[i, j]
                    rows[i, counts[i]] = first + j
                    counts[i] += 1
                    if counts[i] == scores.shape[1]:
                        counts[i] //= 2
                        floors[i] = _halve(scores[i], rows[i])


@compiled()
def _halve(scores: FloatVector, rows: Rows) -> Any:
    """Move the better half of a list to its front, by quickselect, and return the lowest score in it."""
    last = scores.shape[0] // 2 - 1
    low, high = 0, scores.shape[0] - 1
    while low < high:
        pivot = scores[(low + high) // 2]
        i, j = low, high
        while i <= j:
            while scores[i] > pivot:
                i += 1
            while scores[j] < pivot:
                j -= 1
            if i <= j:
                scores[i], scores[j] = scores[j], scores[i]
                rows[i], rows[j] = rows[j], rows[i]
                i += 1
                j -= 1
        if last <= j:
            high = j
        elif last >= i:
            low = i
        else:
            break
    return scores[last]


@compiled()
def _choose_listed(
    Q: Matrix,
    Y: Matrix,
    lists: Rows,
    list_scores: Matrix,
    counts: Rows,
    gains: FloatVector,
    scores: Matrix,
    rows: Rows,
) -> None:
    """Take the best of every query's list into its heap; a row's score rose at most by the gain of its query."""
    for i in range(Q.shape[0]):
        for place in range(counts[i]):
            if list_scores[i, place] + gains[i] < scores[i, 0]:
                continue
            row = lists[i, place]
            score = np.float32(similarity(Q[i], Y[row]))
            if score > scores[i, 0] or (score == scores[i, 0] and row < rows[i, 0]):
                push(scores[i], rows[i], score, row)
