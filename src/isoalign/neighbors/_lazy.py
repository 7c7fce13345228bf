r"""Exact CSLS for a few queries without the means of all targets.

For one query the order of the targets depends on :math:`2\cos(x, y) - r_S(y)`. A lower bound of the mean
:math:`r_S(y)` gives an upper bound of that score. Every query keeps a list of the targets with the highest bounds; the
means of those at its top are made exact until the first k of the list are exact, and then no other target can be
better. The answers are those of the full computation to the bit; the bounds decide the time alone.
"""

import numpy as np

from isoalign._progress import Progress, ignore_progress
from isoalign._types import FloatVector, IntVector, Matrix
from isoalign.neighbors._bounds import MeanBounds
from isoalign.neighbors._ranks import score_pairs
from isoalign.neighbors._search import Selection, mean_best, search, top_k

__all__ = ["lazy_top_k"]

_LIST = 64  # candidates of a query, and four more for each answer wanted
_BATCH = 64  # targets to learn at once at least: a pass over all source words costs as much for fewer
# Where more than such a share of the means is wanted, at the first look or later, all of them are computed.
_MOST_AT_FIRST, _MOST_KNOWN = 0.25, 0.5


class _Lists:
    """The candidates of some queries, sorted by their bounds, best first.

    ``scores`` and ``rows`` are (q, width). What is in no list comes after the last candidate, ``ends``, that the list
    had when it was made.
    """

    def __init__(self, queries: IntVector, scores: Matrix, rows: IntVector, complete: bool) -> None:
        self.queries, self.scores, self.rows = queries, scores, rows
        self.end_scores = np.full(len(queries), -np.inf, dtype=np.float32) if complete else scores[:, -1].copy()
        self.end_rows = rows[:, -1].copy()

    def keep(self, which: IntVector) -> None:
        """Drop all queries but some."""
        for name in ("queries", "scores", "rows", "end_scores", "end_rows"):
            setattr(self, name, getattr(self, name)[which])

    def update(self, Q: Matrix, bounds: MeanBounds, changed: IntVector) -> None:
        """Compute scores again after the bounds of some targets have changed, and sort."""
        mark = np.zeros(len(bounds.means), dtype=bool)
        mark[changed] = True
        lists, places = np.nonzero(mark[self.rows])
        self.scores[lists, places] = score_pairs(
            Q, bounds.Y, self.queries[lists], self.rows[lists, places], scale=2, bias=bounds.means
        )
        order = np.lexsort((self.rows, -self.scores), axis=1)
        self.scores = np.take_along_axis(self.scores, order, axis=1)
        self.rows = np.take_along_axis(self.rows, order, axis=1)

    def first_open(self, done: IntVector, depth: int) -> IntVector:
        """Return the targets among the first ``depth`` candidates that are not done."""
        rows = self.rows[:, :depth]
        return np.unique(rows[~done[rows]])


def lazy_top_k(
    Q: Matrix, bounds: MeanBounds, k: int, *, longest: float | None = None, progress: Progress = ignore_progress
) -> tuple[Matrix, IntVector, FloatVector]:
    r"""Find the k best targets of every query by CSLS, and make exact only the means that this takes.

    Parameters
    ----------
    Q
        Queries (q, dim): finite, C-contiguous, float32.
    bounds
        Of the means of the targets; what is learned about them stays there for later queries.
    k
        How many, at most the number of targets.
    longest
        Length of the longest target, where it is known.
    progress
        Hears how many queries are settled.

    Returns
    -------
    scores, rows
        :math:`2\cos(x, y) - r_S(y)` and target rows, (q, k), best first, ties to the lower row.
    query_means
        Mean similarity of every query to its nearest targets, (q,).
    """
    m = len(bounds.Y)
    scores, rows = np.empty((len(Q), k), dtype=np.float32), np.empty((len(Q), k), dtype=np.int64)
    near = Selection(bounds.k)
    width = min(m, _LIST + 4 * k)
    choice = Selection(width, scale=2, bias=bounds.means)
    (cosines, _), found = search(Q, bounds.Y, [near, choice], longest=longest)
    lists = _Lists(np.arange(len(Q)), *found, complete=width == m)
    while True:
        left = _settle(Q, bounds, lists, scores, rows, progress)
        if not len(left):
            return scores, rows, mean_best(cosines)
        if bounds.known.all():
            scores[left], rows[left] = top_k(Q[left], bounds.Y, k, scale=2, bias=bounds.means, longest=longest)
            return scores, rows, mean_best(cosines)
        width = min(m, 4 * width)
        found = top_k(Q[left], bounds.Y, width, scale=2, bias=bounds.means, longest=longest)
        lists = _Lists(left, *found, complete=width == m)


def _settle(
    Q: Matrix, bounds: MeanBounds, lists: _Lists, scores: Matrix, rows: IntVector, progress: Progress
) -> IntVector:
    """Write the answers of all queries that their lists can settle, and return the queries that need longer lists."""
    k = scores.shape[1]
    longer = []
    ahead = 0
    n_queries = len(lists.queries)
    most = _MOST_AT_FIRST
    while True:
        last_scores, last_rows = lists.scores[:, k - 1], lists.rows[:, k - 1]
        exact = bounds.known[lists.rows[:, :k]].all(axis=1)
        inside = (last_scores > lists.end_scores) | ((last_scores == lists.end_scores) & (last_rows <= lists.end_rows))
        settled = exact & inside
        scores[lists.queries[settled]] = lists.scores[settled, :k]
        rows[lists.queries[settled]] = lists.rows[settled, :k]
        # A list whose first k have fallen behind its own end, exact or not, says nothing more about them.
        longer.append(lists.queries[~inside])
        lists.keep(inside & ~settled)
        progress("CSLS", n_queries - len(lists.queries), n_queries)
        if not len(lists.queries):
            return np.sort(np.concatenate(longer))
        wanted = lists.first_open(bounds.known, k)
        if bounds.known.sum() + len(wanted) > most * len(bounds.known):
            bounds.learn(np.flatnonzero(~bounds.known), progress=progress)
            return np.sort(np.concatenate([*longer, lists.queries]))
        most = _MOST_KNOWN
        if not bounds.tight[wanted].all():
            loose = lists.first_open(bounds.tight, k + ahead)
            bounds.tighten(loose)
            lists.update(Q, bounds, loose)
            ahead += 1  # the longer it takes, the more candidates at once, to save rounds
            continue
        if len(wanted) < _BATCH:
            wanted = lists.first_open(bounds.known, k + max(1, _BATCH // len(lists.queries)))
        bounds.learn(wanted)
        lists.update(Q, bounds, wanted)
