r"""Exact CSLS for a few queries without the means of all targets.

For one query the order of the targets depends on :math:`2\cos(x, y) - r_S(y)`. A lower bound of the mean
:math:`r_S(y)` gives an upper bound of that score. Every query has a list of the targets with the highest bounds. The
means of the first targets on the lists are made exact, until the first k of every list are exact; then no other target
can be better. If the lists do not settle, all means are computed. The answers are those of the full computation to the
bit; the bounds only decide the time.
"""

import numpy as np
from numpy.typing import NDArray

from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.types import FloatVector, IntVector, Matrix
from isoalign.neighbors.engine._bounds import MeanBounds
from isoalign.neighbors.engine._counts import score_pairs
from isoalign.neighbors.engine._top_rows import Best, TopRows, mean_best, search

__all__ = ["SortedBounds", "lazy_top_k"]


class SortedBounds:
    """The candidates of some queries, sorted by their bounds, best first.

    ``scores`` and ``rows`` are (q, width). All targets that are not candidates come after the last candidate that a
    list had when it was made, ``end_scores`` and ``end_rows``.
    """

    def __init__(self, queries: IntVector, best: Best, complete: bool) -> None:
        self.queries, self.scores, self.rows = queries, best.scores, best.rows
        self.end_scores = np.full(len(queries), -np.inf, dtype=np.float32) if complete else best.scores[:, -1].copy()
        self.end_rows = best.rows[:, -1].copy()

    def keep(self, which: NDArray[np.bool_]) -> None:
        """Drop all but some queries."""
        for name in ("queries", "scores", "rows", "end_scores", "end_rows"):
            setattr(self, name, getattr(self, name)[which])

    def update(self, Q: Matrix, bounds: MeanBounds, changed: IntVector) -> None:
        """Compute scores again after the bounds of some targets have changed, and sort the lists that have them."""
        mark = np.zeros(len(bounds.means), dtype=bool)
        mark[changed] = True
        lists, places = np.nonzero(mark[self.rows])
        self.scores[lists, places] = score_pairs(
            Q, bounds.Y, self.queries[lists], self.rows[lists, places], scale=2, bias=bounds.means
        )
        touched = np.flatnonzero(np.bincount(lists, minlength=len(self.rows)))
        self.scores[touched], self.rows[touched] = _sorted_lists(self.scores[touched], self.rows[touched])

    def first_open(self, done: NDArray[np.bool_], depth: int, *, ahead: int = 0) -> IntVector:
        """Return the targets among the first ``depth`` candidates that are not done.

        Lists with such a target also contribute those among the next ``ahead`` candidates.
        """
        waiting = ~done[self.rows[:, :depth]].all(axis=1)
        is_open = np.zeros(len(done), dtype=bool)
        is_open[self.rows[waiting, : depth + ahead]] = True
        return np.flatnonzero(is_open & ~done)


def _sorted_lists(scores: Matrix, rows: IntVector) -> tuple[Matrix, IntVector]:
    """Return lists (q, width) sorted by score, best first, ties to the lower row."""
    order = np.argsort(-scores, axis=1, kind="stable")
    scores, rows = np.take_along_axis(scores, order, axis=1), np.take_along_axis(rows, order, axis=1)
    tied = np.flatnonzero(((scores[:, 1:] == scores[:, :-1]) & (rows[:, 1:] < rows[:, :-1])).any(axis=1))
    if len(tied):  # seldom, and sorting by two keys takes several times as long
        rows[tied] = np.take_along_axis(rows[tied], np.lexsort((rows[tied], -scores[tied]), axis=1), axis=1)
    return scores, rows


def lazy_top_k(
    Q: Matrix, bounds: MeanBounds, k: int, *, longest: float | None = None, progress: Progress = ignore_progress
) -> tuple[Matrix, IntVector, FloatVector]:
    r"""Find the k best targets of every query by CSLS, computing only the means that this needs.

    Parameters
    ----------
    Q
        Queries (q, dim): C-contiguous, float32.
    bounds
        Bounds of the target means. They keep what is learned for later queries.
    k
        Number of targets to find, at most all.
    longest
        Length of the longest target, or an upper bound. None: measured.
    progress
        Progress callback.

    Returns
    -------
    scores, rows
        :math:`2\cos(x, y) - r_S(y)` and target rows, (q, k), best first, ties to the lower row.
    query_means
        Mean similarity of every query to its nearest targets, (q,).
    """
    m = len(bounds.Y)
    bounds.prepare_for(len(Q), progress)
    bounds.look_around(Q)
    width = min(m, bounds.settings.list_length + 4 * k)
    near, found = search(Q, bounds.Y, [TopRows(bounds.k), _by_bounds(bounds, width)], longest=longest)
    settling = _Settling(Q, bounds, k, progress)
    left = settling.settle(SortedBounds(np.arange(len(Q)), found, complete=width == m))
    while len(left):
        width = k if bounds.known.all() else min(m, 4 * width)
        found = search(Q[left], bounds.Y, [_by_bounds(bounds, width)], longest=longest)[0]
        before = len(left)
        left = settling.settle(SortedBounds(left, found, complete=width == m))
        # For a few queries longer lists are cheap; for many, lists that settle little cost more than all means.
        if len(left) > bounds.settings.max_unsettled * before and 4 * width * len(left) > m:
            bounds.learn(np.flatnonzero(~bounds.known), progress=progress)
    return settling.scores, settling.rows, mean_best(near.scores)


def _by_bounds(bounds: MeanBounds, width: int) -> TopRows:
    return TopRows(width, scale=2, bias=bounds.means)


class _Settling:
    """The answers found so far, and the number of rounds that they have taken.

    Parameters
    ----------
    Q, bounds, k, progress
        As for :func:`lazy_top_k`.
    """

    def __init__(self, Q: Matrix, bounds: MeanBounds, k: int, progress: Progress) -> None:
        self.Q, self.bounds, self.k, self.progress = Q, bounds, k, progress
        self.scores, self.rows = np.empty((len(Q), k), dtype=np.float32), np.empty((len(Q), k), dtype=np.int64)
        self.rounds = 0

    def settle(self, lists: SortedBounds) -> IntVector:
        """Write the answers of all queries that their lists can settle, and return those that need new lists."""
        bounds, k = self.bounds, self.k
        n_queries = len(lists.queries)
        longer = []
        ahead = 0
        while True:
            longer.append(self._take(lists))
            self.progress("CSLS", n_queries - len(lists.queries), n_queries)
            if not len(lists.queries):
                return np.sort(np.concatenate(longer))
            wanted = lists.first_open(bounds.known, k)
            if self._costs_too_much(len(wanted), first=len(longer) == 1):
                bounds.learn(np.flatnonzero(~bounds.known), progress=self.progress)
                return np.sort(np.concatenate([*longer, lists.queries]))
            if not bounds.tight[wanted].all():
                changed = lists.first_open(bounds.tight, k, ahead=ahead)
                bounds.tighten(changed)
                ahead = 2 * ahead + 1  # the longer it takes, the more candidates at once, to save rounds
            else:
                changed = wanted
                if len(wanted) < bounds.settings.batch:
                    depth = k + max(1, bounds.settings.batch // len(lists.queries))
                    changed = lists.first_open(bounds.known, depth)
                bounds.learn(changed)
                if bounds.prepare_for(0, self.progress):
                    changed = np.arange(len(bounds.means))
            lists.update(self.Q, bounds, changed)

    def _take(self, lists: SortedBounds) -> IntVector:
        """Move settled answers from the lists to the results, and return the queries that need longer lists."""
        k = self.k
        last_scores, last_rows = lists.scores[:, k - 1], lists.rows[:, k - 1]
        exact = self.bounds.known[lists.rows[:, :k]].all(axis=1)
        inside = (last_scores > lists.end_scores) | ((last_scores == lists.end_scores) & (last_rows <= lists.end_rows))
        settled = exact & inside
        self.scores[lists.queries[settled]] = lists.scores[settled, :k]
        self.rows[lists.queries[settled]] = lists.rows[settled, :k]
        # A list whose first k have fallen behind its own end, exact or not, cannot settle them.
        longer: IntVector = lists.queries[~inside]
        lists.keep(inside & ~settled)
        return longer

    def _costs_too_much(self, wanted: int, *, first: bool) -> bool:
        """Count a round, and return whether computing all means is likely to be faster than going on."""
        settings = self.bounds.settings
        self.rounds += 1
        known = self.bounds.known
        at_once = first and wanted > settings.max_wanted * len(known)  # what is known costs nothing more
        in_all = bool(known.sum() + wanted > settings.max_known * len(known))
        return at_once or in_all or self.rounds > settings.max_rounds
