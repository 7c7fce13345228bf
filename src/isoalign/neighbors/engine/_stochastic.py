"""The best rows by CSLS in both directions when every entry of the product is kept with some probability."""

from typing import NamedTuple

import numpy as np

from isoalign._core.arrays import row_blocks, row_lengths
from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.threads import map_threads, single_threaded_blas
from isoalign._core.types import FloatVector, IntVector, Matrix
from isoalign._core.validate import check_count, check_number, check_same_dim
from isoalign.errors import ParameterError
from isoalign.neighbors.engine._backend import current_backend
from isoalign.neighbors.engine._choice import LISTS, ListSettings
from isoalign.neighbors.engine._coins import CoinKeys, keep_limit, row_keys
from isoalign.neighbors.engine._kernels import Rows, empty_heaps
from isoalign.neighbors.engine._margins import as_rows, error_margins, longest_row
from isoalign.neighbors.engine._near_lists import NearLists, choose_listed
from isoalign.neighbors.engine._stochastic_kernels import append_kept, choose_dropped, scan_kept
from isoalign.neighbors.engine._tiles import Tile
from isoalign.neighbors.engine._top_rows import Best, mean_best

__all__ = ["NOTHING", "KeptSide", "SideChoices", "StochasticBest", "list_kept", "stochastic_best"]

NOTHING = -1
"""Row number if no entry was kept."""

_BLOCK = 256


class SideChoices(NamedTuple):
    """The choices of the words of one side.

    Attributes
    ----------
    chosen
        Row of the other side that each word chooses, (n,); :data:`NOTHING` if no entry was kept.
    nearest
        The k rows with the largest inner products, including dropped entries; one row for ``k=0``.
    means
        Mean of these products, (n,); zeros for ``k=0``.
    floors
        What the best kept entries of each word exceeded, (n,). It speeds up a similar search.
    """

    chosen: IntVector
    nearest: Best
    means: FloatVector
    floors: FloatVector


class StochasticBest(NamedTuple):
    """The choices of both sides: targets of the sources, and sources of the targets."""

    forward: SideChoices
    backward: SideChoices


def stochastic_best(
    X: Matrix,
    Y: Matrix,
    *,
    keep: float = 1.0,
    k: int = 10,
    seed: int = 0,
    iteration: int = 0,
    dropped_is_zero: bool = False,
    about: StochasticBest | None = None,
    progress: Progress = ignore_progress,
) -> StochasticBest:
    """Let every row of each side choose its best kept partner by CSLS, from one product.

    Parameters
    ----------
    X, Y
        Finite matrices (n, dim) and (m, dim); rows of unit length for cosines.
    keep
        Probability that an entry is available, independently for each direction. 1: all of them.
    k
        Neighbours in a CSLS mean; 0 chooses by the inner product alone.
    seed, iteration
        Determine, together with the direction and both rows, whether an entry is kept.
    dropped_is_zero
        Whether dropped entries have the score 0, as in VecMap, so that they win if all kept ones are negative.
    about
        Result for similar spaces of the same sizes with the same ``k``, such as that of the previous iteration. It
        affects the speed, never the result.
    progress
        Progress callback.

    References
    ----------
    Artetxe, Labaka, Agirre (2018), section 3.3. A row that keeps nothing chooses nothing.
    """
    keep, k = check_number(keep, name="keep"), check_count(k, name="k", minimum=0)
    if not 0.0 < keep <= 1.0:
        raise ParameterError(f"keep must be above 0 and at most 1. Got {keep!r}.")
    X, Y = as_rows(X), as_rows(Y)
    check_same_dim(X, Y)
    forward = KeptSide(row_keys(seed, iteration, 0, len(X)), keep, len(Y))
    backward = KeptSide(row_keys(seed, iteration, 1, len(Y)), keep, len(X))
    if about is not None:
        forward.expect(about.forward, about.backward.means)
        backward.expect(about.backward, about.forward.means)

    backend = current_backend()
    nearest = backend.kept_lists(X, Y, max(k, 1), forward=forward, backward=backward, progress=progress)
    source_means, target_means = (
        mean_best(best.scores) if k else np.zeros(len(best.scores), dtype=np.float32) for best in nearest
    )
    chosen = (
        forward.choose(X, Y, target_means, dropped_is_zero=dropped_is_zero),
        backward.choose(Y, X, source_means, dropped_is_zero=dropped_is_zero),
    )
    return StochasticBest(
        SideChoices(chosen[0], nearest[0], source_means, forward.next_floors()),
        SideChoices(chosen[1], nearest[1], target_means, backward.next_floors()),
    )


class KeptSide:
    """The words of one side while they choose: what is kept of their best entries.

    Parameters
    ----------
    keys
        One per word, by :func:`row_keys`.
    keep
        Probability that an entry is kept.
    m
        Number of words of the other side.
    lengths
        How long the lists are.

    Attributes
    ----------
    offsets
        Half the approximate means of the other side, (m,): lists are sorted by the product minus these.
    known
        Different rows of the other side that are probably near, (n, k), or None.
    """

    def __init__(self, keys: CoinKeys, keep: float, m: int, lengths: ListSettings = LISTS) -> None:
        self.keys, self.keep, self.lengths = keys, keep, lengths
        self.limit = keep_limit(keep)
        self.offsets = np.zeros(m, dtype=np.float32)
        self.known: IntVector | None = None
        self.lists = _empty_lists(len(keys), lengths.kept)

    def expect(self, before: SideChoices, other_means: FloatVector) -> None:
        """Expect choices similar to those of an earlier search, and the means of the other side in it."""
        if (len(before.floors), len(other_means)) != (len(self.keys), len(self.offsets)):
            raise ParameterError("about must be the result for spaces of the same sizes.")
        self.offsets = 0.5 * other_means
        self.known = before.nearest.rows
        self.lists = _empty_lists(len(self.keys), self.lengths.hinted)
        self.lists.floors[:] = before.floors

    def next_floors(self) -> FloatVector:
        """Return what the best kept entries of each word exceeded, for a similar search."""
        return self.lists.next_floors(self.lengths.hinted // 2)

    def choose(self, Q: Matrix, Y: Matrix, bias: FloatVector, *, dropped_is_zero: bool) -> IntVector:
        """Return the best kept row of Y for every row of Q, by twice the product minus the bias."""
        scores, rows = empty_heaps((len(Q), 1))
        self.lists.scores[:] += self.offsets[self.lists.rows]
        longest = longest_row(row_lengths(Y))
        largest = np.concatenate([bias, 4 * self.offsets])  # four more roundings
        margins = error_margins(row_lengths(Q), longest, Q.shape[1], scale=2, bias=largest)

        def choose(block: slice) -> None:
            choose_listed(Q[block], Y, self.lists.part(block), margins[block], 2.0, bias, scores[block], rows[block])

        map_threads(choose, row_blocks(len(Q), _BLOCK))
        # A row that is not listed can be chosen if its bias exceeds its approximate value by at most this.
        # If nothing has been chosen yet, any score is higher.
        reach: FloatVector = 2.0 * self.lists.floors + margins - np.maximum(scores[:, 0], np.finfo(np.float32).min)
        self._compare_thin(Q, Y, bias, reach, margins, scores, rows)
        chosen = np.where(scores[:, 0] > -np.inf, rows[:, 0], NOTHING).astype(np.int64)
        if dropped_is_zero:
            choose_dropped(chosen, scores[:, 0], self.keys, self.limit, len(Y))
        return chosen

    def _compare_thin(
        self,
        Q: Matrix,
        Y: Matrix,
        bias: FloatVector,
        reach: FloatVector,
        margins: FloatVector,
        scores: Matrix,
        rows: Rows,
    ) -> None:
        """Let every query also choose among all kept rows whose bias is within its reach."""
        surplus = bias - 2 * self.offsets
        thinnest = np.argsort(surplus, kind="stable")
        counts = np.searchsorted(surplus[thinnest], reach, side="right")
        order = np.argsort(counts, kind="stable")
        order = order[counts[order] > 0]

        def compare(block: slice) -> None:
            some = order[block]
            thin = thinnest[: counts[some[-1]]]
            tile = Q[some] @ Y[thin].T
            scan_kept(tile, some, thin, Q, Y, bias, margins, self.keys, self.limit, scores, rows)

        with single_threaded_blas():
            map_threads(compare, row_blocks(len(order), _BLOCK))


def _empty_lists(queries: int, length: int) -> NearLists:
    lists = NearLists.empty(queries, length)
    lists.rows[:] = lists.scores[:] = 0  # unused places are read as well
    return lists


def list_kept(tile: Tile, forward: KeptSide, backward: KeptSide) -> None:
    """Put the kept entries of a tile on the lists of both sides; its rows and columns belong to the caller."""
    rows, columns = tile.rows, tile.columns
    append_kept(
        tile.values,
        rows.start,
        columns.start,
        forward.lists.part(rows),
        backward.lists.part(columns),
        forward.keys[rows],
        backward.keys[columns],
        forward.offsets[columns],
        backward.offsets[rows],
        forward.limit,
    )
