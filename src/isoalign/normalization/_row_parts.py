r"""Statistics of rows in several parts: each part is summed by a worker, and the sums are added in order.

.. math:: \mu = \frac{\sum_p \sum_{x \in p} x}{\sum_p n_p}, \qquad
    C = \frac{\sum_p \sum_{x \in p} (x - \mu)(x - \mu)^\top}{\sum_p n_p}

Sums are float64 and added in the order of the parts, so that the result does not depend on which worker finishes first.
"""

import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from isoalign._core.executor import Executor, InProcess
from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.spill import copy_rows
from isoalign._core.types import Doubles, FloatVector, Matrix
from isoalign.errors import FormatError, IsoalignWarning
from isoalign.io import open_vectors
from isoalign.normalization._kernels import VANISHED, PassResult, center_unit, replay

__all__ = ["RowParts"]


class _Sums(NamedTuple):
    """Sums over some rows: the total, the number of rows, of rows without a direction, and the largest error."""

    total: Doubles
    n: int
    n_lost: int = 0
    length_error: float = 0.0

    def add(self, other: "_Sums") -> "_Sums":
        """Return the sums over both."""
        error = max(self.length_error, other.length_error)
        return _Sums(self.total + other.total, self.n + other.n, self.n_lost + other.n_lost, error)

    @property
    def mean(self) -> Doubles:
        """The total for one row."""
        mean: Doubles = self.total / max(self.n, 1)
        return mean


class _PartToMeasure(NamedTuple):
    """A part, the steps applied to its rows, and the measurement."""

    path: Path
    on_bad: str
    before: tuple[Callable[[Matrix], Matrix], ...]
    measure: Callable[..., _Sums]
    arguments: tuple[Any, ...]


class RowParts:
    """Rows of one embedding in several parts.

    Parameters
    ----------
    paths
        The parts, in order.
    on_bad
        As in `open_vectors`.
    before
        Steps applied to the rows before they are measured.
    executor
        Executor; None is this process.
    progress
        Progress callback.
    """

    def __init__(
        self,
        paths: Sequence[Path],
        *,
        on_bad: str = "error",
        before: tuple[Callable[[Matrix], Matrix], ...] = (),
        executor: Executor | None = None,
        progress: Progress = ignore_progress,
    ) -> None:
        self.paths = [path.absolute() for path in paths]  # workers may have other working folders
        self.on_bad, self.before = on_bad, before
        self.executor, self.progress = executor, progress
        self.dim = open_vectors(self.paths[0]).dim

    def after(self, change: Callable[[Matrix], Matrix]) -> "RowParts":
        """Return the rows after one more step."""
        options: dict[str, Any] = {"executor": self.executor, "progress": self.progress, "on_bad": self.on_bad}
        return RowParts(self.paths, before=(*self.before, change), **options)

    def count(self) -> int:
        """Return the number of rows that are read, without bad ones that are skipped."""
        return self._measure(_count_rows).n

    def column_mean(self) -> Doubles:
        """Return the mean row, (dim,)."""
        return self._measure(_sum_rows).mean

    def covariance(self) -> tuple[Doubles, Doubles]:
        """Return the mean (dim,) and the covariance (dim, dim), normalised by the number of rows."""
        mean = self.column_mean()
        return mean, self.moment(mean)

    def moment(self, mean: Doubles) -> Doubles:
        """Return the second moment about a point, (dim, dim)."""
        return self._measure(_sum_squares, mean).mean

    def run_pass(self, means: Sequence[Doubles], zero_row: FloatVector | None, keep_zero: bool) -> PassResult:
        """Return the measurements of `center_unit` after rounds with these means, without changing the stored rows."""
        sums = self._measure(_pass_rows, np.array(means).reshape(len(means), self.dim), zero_row, keep_zero)
        return PassResult(sums.mean, sums.length_error, sums.n_lost)

    def _measure(self, measure: Callable[..., _Sums], *arguments: Any) -> _Sums:
        """Return the sums over all parts, added in their order."""
        tasks = [_PartToMeasure(path, self.on_bad, self.before, measure, arguments) for path in self.paths]
        found: dict[Path, _Sums] = {}
        for task, outcomes in (self.executor or InProcess()).run(measure_part, tasks):
            (found[task.path],) = outcomes
            self.progress("passes over the parts", len(found), len(tasks))
        return reduce(_Sums.add, (found[path] for path in self.paths))


def measure_part(task: _PartToMeasure) -> Iterator[_Sums]:
    """Measure the blocks of a part, and yield their sums."""
    sums: _Sums | None = None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", IsoalignWarning)  # bad rows are counted when the parts are written
        for block in open_vectors(task.path, on_bad=task.on_bad).blocks:
            rows = copy_rows(block.vectors)
            for change in task.before:
                rows = change(rows)
            found = task.measure(rows, *task.arguments)
            sums = found if sums is None else sums.add(found)
    if sums is None:
        raise FormatError(f"{task.path}: contains no rows. Remove it.")
    yield sums


def _count_rows(X: Matrix) -> _Sums:
    return _Sums(np.zeros(0), len(X))


def _sum_rows(X: Matrix) -> _Sums:
    return _Sums(X.sum(axis=0, dtype=np.float64), len(X))


def _sum_squares(X: Matrix, mean: Doubles) -> _Sums:
    centered = np.subtract(X, mean, dtype=np.float64)
    return _Sums(centered.T @ centered, len(X))


def _pass_rows(X: Matrix, means: Doubles, zero_row: FloatVector | None, keep_zero: bool) -> _Sums:
    """Apply all rounds but the last, and measure the last one, with the same rounding as in-place rounds."""
    if len(means):
        replay(X, means[:-1], zero_row=zero_row, keep_zero=keep_zero)
        shift, shortest = means[-1], VANISHED
    else:
        shift, shortest = np.zeros(X.shape[1]), 0.0
    result = center_unit(X, shift, shortest=shortest, zero_row=zero_row, keep_zero=keep_zero)
    counted = len(X) if zero_row is not None else len(X) - result.n_lost
    return _Sums(result.mean * counted, counted, result.n_lost, result.length_error)
