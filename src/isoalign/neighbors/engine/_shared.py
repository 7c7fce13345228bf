"""A backend that distributes large searches: the longer side is split into parts, and the best of all parts are merged.

A score does not depend on the tile in which it was found, and of equal scores the lower row wins. So the result is
bitwise identical, whatever the parts and the workers. Rows in a file are opened by path, on a disk that all workers can
access; other rows are sent.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from isoalign._core.arrays import row_blocks, row_lengths
from isoalign._core.executor import Executor
from isoalign._core.mapped import SharedRows, open_rows, share_rows
from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.types import FloatVector, IntVector, Matrix
from isoalign.neighbors.engine._backend import CslsLists, SearchMemory
from isoalign.neighbors.engine._choice import SHARING, SharingSettings
from isoalign.neighbors.engine._cpu import CpuBackend
from isoalign.neighbors.engine._kernels import Rows, empty_heaps, merge_heaps, sort_heaps
from isoalign.neighbors.engine._margins import margins_both
from isoalign.neighbors.engine._near_lists import NearLists
from isoalign.neighbors.engine._stochastic import KeptSide
from isoalign.neighbors.engine._tiles import TILING, Tiling
from isoalign.neighbors.engine._top_rows import Best, TopRows

__all__ = ["LISTED", "SharedBackend", "shared_parts"]

T = TypeVar("T")

LISTED = SHARING.listed
"""Rows on the lists for CSLS, by default."""


def shared_parts(n: int, sharing: SharingSettings = SHARING) -> int:
    """Return the number of parts that n rows are split into."""
    return -(-n // sharing.part_rows(n))


class _Slice(NamedTuple):
    """Some rows of a search, and the number of the first."""

    first: int
    rows: SharedRows


class _Found(NamedTuple):
    """Scores and row numbers of the best rows of a part for every query, (q, k)."""

    scores: Matrix
    rows: Rows

    @classmethod
    def of(cls, best: Best, first: int = 0) -> "_Found":
        """Convert the result of a search among rows from ``first`` on to small types, since it is sent."""
        return cls(best.scores, (best.rows + first).astype(np.int32))


class _Merged:
    """The k best rows of n queries, merged from parts."""

    def __init__(self, n: int, k: int) -> None:
        self.scores, self.rows = empty_heaps((n, k))

    def add(self, found: _Found, first: int = 0) -> None:
        """Add what was found for the queries from the first on."""
        own = slice(first, first + len(found.scores))
        merge_heaps(self.scores[own], self.rows[own], found.scores, found.rows)

    def result(self) -> Best:
        """Return scores and rows, best first."""
        sort_heaps(self.scores, self.rows)
        return Best(self.scores, self.rows.astype(np.int64))


class SharedBackend:
    """Run large searches on an executor, and small ones, or those that need the product itself, in this process.

    Parameters
    ----------
    executor
        Runs the parts; see `Executor`.
    sharing
        Which searches are large, and how they are split.
    """

    def __init__(self, executor: Executor, sharing: SharingSettings = SHARING) -> None:
        self._executor, self._sharing, self._cpu = executor, sharing, CpuBackend()

    def top_rows(
        self,
        Q: Matrix,
        Y: Matrix,
        wanted: Sequence[TopRows],
        *,
        lengths: NDArray[np.float64],
        longest: float,
        tiling: Tiling,
        progress: Progress,
    ) -> list[Best]:
        """Return the best rows of Y for every row of Q."""
        if not self._is_large(Q, Y):
            return self._cpu.top_rows(Q, Y, wanted, lengths=lengths, longest=longest, tiling=tiling, progress=progress)
        scores = tuple((top.k, top.scale, top.bias) for top in wanted)
        if len(Q) > len(Y):
            tasks = [_Rows(part, _Slice(0, share_rows(Y)), scores, longest) for _, part in self._cut(Q)]
        else:
            tasks = [
                _Rows(_Slice(0, share_rows(Q)), part, _cut_biases(scores, some), longest) for some, part in self._cut(Y)
            ]
        merged = [_Merged(len(Q), min(top.k, len(Y))) for top in wanted]
        for task, outcome in self._run(find_rows, tasks, "search", progress):
            for one, found in zip(merged, outcome, strict=True):
                one.add(found, task.queries.first)
        return [one.result() for one in merged]

    def top_both(
        self, X: Matrix, Y: Matrix, k: int, *, tiling: Tiling, what: str, progress: Progress
    ) -> tuple[Best, Best]:
        """Return the k best rows in both directions."""
        if not self._is_large(X, Y):
            return self._cpu.top_both(X, Y, k, tiling=tiling, what=what, progress=progress)
        margins_both(X, Y)  # raises an error if products would overflow
        for_x, for_y = _Merged(len(X), min(k, len(Y))), _Merged(len(Y), min(k, len(X)))
        tasks = [_Both(part, share_rows(Y), k) for _, part in self._cut(X)]
        for task, (own, others) in self._run(find_both, tasks, what, progress):
            for_x.add(own, task.part.first)
            for_y.add(others)
        return for_x.result(), for_y.result()

    def near_lists(self, Q: Matrix, Y: Matrix, length: int) -> NearLists:
        """Return a list of near rows of Y for every row of Q; computed here."""
        return self._cpu.near_lists(Q, Y, length)

    def csls_lists(
        self,
        X: Matrix,
        Y: Matrix,
        k: int,
        *,
        n_sources: int,
        n_targets: int,
        about: SearchMemory | None,
        progress: Progress,
    ) -> CslsLists:
        """Return the k best rows in both directions, and lists that begin with them."""
        if not self._is_large(X, Y):
            return self._cpu.csls_lists(
                X, Y, k, n_sources=n_sources, n_targets=n_targets, about=about, progress=progress
            )
        both = self.top_both(
            X, Y, max(k, self._sharing.listed), tiling=TILING, what="neighbourhood means", progress=progress
        )
        nearest = tuple(Best(best.scores[:, :k], best.rows[:, :k]) for best in both)
        forward, backward = (_as_lists(best, m) for best, m in zip(both, (len(Y), len(X)), strict=True))
        return CslsLists((nearest[0], nearest[1]), forward, backward)

    def kept_lists(
        self, X: Matrix, Y: Matrix, k: int, *, forward: KeptSide, backward: KeptSide, progress: Progress
    ) -> tuple[Best, Best]:
        """Return the k best rows in both directions, and fill the lists of kept rows of both sides; computed here."""
        return self._cpu.kept_lists(X, Y, k, forward=forward, backward=backward, progress=progress)

    def count_better(
        self,
        Q: Matrix,
        Y: Matrix,
        rows: IntVector,
        marks: FloatVector,
        margins: FloatVector,
        *,
        scale: float,
        bias: FloatVector,
        progress: Progress,
    ) -> IntVector:
        """Count the rows of Y that come before the given one of every query."""
        if not self._is_large(Q, Y):
            return self._cpu.count_better(Q, Y, rows, marks, margins, scale=scale, bias=bias, progress=progress)
        shared = share_rows(Q)
        tasks = [_Count(shared, part, rows, marks, margins, scale, bias[some]) for some, part in self._cut(Y)]
        counts = np.zeros(len(Q), dtype=np.int64)
        for _, outcome in self._run(count_rows, tasks, "ranks", progress):
            counts += outcome
        return counts

    def log_partition(self, Y: Matrix, X: Matrix, beta: float, *, progress: Progress) -> FloatVector:
        """Return the logarithm of the sum of ``exp(beta * inner product)`` over all rows of X; computed here."""
        return self._cpu.log_partition(Y, X, beta, progress=progress)

    def _run(
        self, function: Callable[[T], Iterable[Any]], tasks: Sequence[T], what: str, progress: Progress
    ) -> Iterator[tuple[T, Any]]:
        """Yield every task with its one outcome, in the order in which they end."""
        for done, (task, outcomes) in enumerate(self._executor.run(function, tasks), 1):
            (outcome,) = outcomes
            yield task, outcome
            progress(what, done, len(tasks))

    def _is_large(self, X: Matrix, Y: Matrix) -> bool:
        return len(X) * len(Y) >= self._sharing.min_products

    def _cut(self, X: Matrix) -> list[tuple[slice, _Slice]]:
        """Split a matrix into parts of equal size, small enough that losing one costs little."""
        blocks = row_blocks(len(X), self._sharing.part_rows(len(X)))
        return [(rows, _Slice(rows.start, share_rows(X[rows]))) for rows in blocks]


def _as_lists(best: Best, n_rows: int) -> NearLists:
    """Return the best rows as lists; no row that is not listed is above the last one."""
    queries, length = best.rows.shape
    floors = np.full(queries, -np.inf, dtype=np.float32) if length == n_rows else best.scores[:, -1].copy()
    return NearLists(best.rows.astype(np.int32), best.scores, np.full(queries, length, dtype=np.int32), floors)


Scores = tuple[tuple[int, float, FloatVector | None], ...]


def _cut_biases(scores: Scores, rows: slice) -> Scores:
    return tuple((k, scale, None if bias is None else bias[rows]) for k, scale, bias in scores)


class _Rows(NamedTuple):
    """Some queries, some rows, and by which scores their best are wanted: numbers of rows, scales and biases."""

    queries: _Slice
    rows: _Slice
    scores: Scores
    longest: float


class _Both(NamedTuple):
    """Some rows of one side, all of the other, and how many are wanted."""

    part: _Slice
    others: SharedRows
    k: int


class _Count(NamedTuple):
    """Queries, the rows among which better ones are counted, and what `SearchBackend.count_better` takes."""

    queries: SharedRows
    part: _Slice
    rows: IntVector
    marks: FloatVector
    margins: FloatVector
    scale: float
    bias: FloatVector


def find_rows(task: _Rows) -> Iterator[list[_Found]]:
    """Search a part; runs on a worker."""
    Q, Y = open_rows(task.queries.rows), open_rows(task.rows.rows)
    wanted = [TopRows(k, scale=scale, bias=bias) for k, scale, bias in task.scores]
    sizes: dict[str, Any] = {"lengths": row_lengths(Q), "longest": task.longest, "tiling": TILING}
    found = CpuBackend().top_rows(Q, Y, wanted, **sizes, progress=ignore_progress)
    yield [_Found.of(best, task.rows.first) for best in found]


def find_both(task: _Both) -> Iterator[tuple[_Found, _Found]]:
    """Search a part in both directions; runs on a worker."""
    X, Y = open_rows(task.part.rows), open_rows(task.others)
    own, others = CpuBackend().top_both(X, Y, task.k, tiling=TILING, what="search", progress=ignore_progress)
    yield _Found.of(own), _Found.of(others, task.part.first)


def count_rows(task: _Count) -> Iterator[IntVector]:
    """Count the better rows of a part; runs on a worker."""
    Q, Y, own = open_rows(task.queries), open_rows(task.part.rows), task.rows - task.part.first
    options: dict[str, Any] = {"scale": task.scale, "bias": task.bias, "progress": ignore_progress}
    yield CpuBackend().count_better(Q, Y, own, task.marks, task.margins, **options)
