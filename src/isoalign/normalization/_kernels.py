"""Compiled kernels that perform one round of normalisation in a single, multi-threaded pass over the rows.

A row of 300 values stays in the L1 cache while the mean is subtracted, the length computed, and the row scaled and
added to the next mean, so a round costs one pass over memory. Values are float32; lengths and sums are float64.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from isoalign._core.arrays import row_blocks
from isoalign._core.compile import SUM_FLAGS, compiled
from isoalign._core.threads import map_threads
from isoalign._core.types import FloatVector, Matrix

__all__ = ["VANISHED", "PassResult", "Survey", "center_unit", "replay", "survey_rows"]

VANISHED = 2.0**-20
"""A unit row shorter than this after centring equals the mean; what remains is rounding error."""

_TASK_ROWS = (
    2048  # sums are computed per task and added in order, so the result does not depend on the number of threads
)


class Survey(NamedTuple):
    """First row with NaN or infinity, first zero row (-1 if there is none), and number of zero rows."""

    first_bad: int
    first_zero: int
    n_zero: int


class PassResult(NamedTuple):
    """Result of one pass.

    Attributes
    ----------
    mean
        (dim,), float64: mean of the unit rows after the pass.
    length_error
        Largest ``|length - 1|`` of a row after centring and before scaling.
    n_lost
        Number of rows without a direction.
    """

    mean: NDArray[np.float64]
    length_error: float
    n_lost: int


@compiled(fastmath=SUM_FLAGS)
def _survey_block(X: Matrix) -> tuple[int, int, int]:
    first_bad, first_zero, n_zero = -1, -1, 0
    for i in range(X.shape[0]):
        square = 0.0  # sum over float32 values, so it cannot overflow
        for j in range(X.shape[1]):
            value = np.float64(X[i, j])
            square += value * value
        if square == 0.0:
            n_zero += 1
            if first_zero < 0:
                first_zero = i
        elif not square < np.inf:  # also true of NaN; isfinite() takes x - x, which reassociation folds to 0
            first_bad = i
            break
    return first_bad, first_zero, n_zero


@compiled()
def _is_zero(row: FloatVector) -> bool:
    for j in range(row.shape[0]):  # noqa: SIM110  (compiled; the first value almost always decides)
        if row[j] != 0:
            return False
    return True


@compiled(fastmath=SUM_FLAGS)
def _centered_length(row: FloatVector, shift: NDArray[np.float64]) -> float:
    square = 0.0
    for j in range(row.shape[0]):
        value = np.float64(row[j]) - shift[j]
        square += value * value
    return np.sqrt(square)  # type: ignore[no-any-return]


@compiled()  # with reordering, multiplication by 1 / length would become a division, which takes twice as long
def _center_unit_block(
    X: Matrix,
    shift: NDArray[np.float64],
    shortest: float,
    zero_row: FloatVector,
    keep_zero: bool,
    total: NDArray[np.float64],
) -> tuple[float, int]:
    length_error, n_lost = 0.0, 0
    for i in range(X.shape[0]):
        row = X[i]
        length = 0.0 if keep_zero and _is_zero(row) else _centered_length(row, shift)
        if length <= shortest:
            n_lost += 1
            for j in range(row.shape[0]):
                row[j] = zero_row[j]
                total[j] += zero_row[j]
            continue
        length_error = max(length_error, abs(length - 1.0))
        scale = 1.0 / length
        for j in range(row.shape[0]):
            value = (row[j] - shift[j]) * scale  # float64; rounded when stored, but not in the sum
            row[j] = value
            total[j] += value
    return length_error, n_lost


@compiled()
def _replay_block(
    X: Matrix, shifts: NDArray[np.float64], shortest: float, zero_row: FloatVector, keep_zero: bool
) -> int:
    n_lost = 0
    for i in range(X.shape[0]):
        row = X[i]
        for r in range(shifts.shape[0]):
            shift = shifts[r]
            length = 0.0 if keep_zero and _is_zero(row) else _centered_length(row, shift)
            if length <= (shortest if r > 0 else 0.0):
                n_lost += r == 0
                for j in range(row.shape[0]):
                    row[j] = zero_row[j]
                continue
            scale = 1.0 / length
            for j in range(row.shape[0]):
                row[j] = (row[j] - shift[j]) * scale
    return n_lost


def survey_rows(X: Matrix) -> Survey:
    """Find rows with NaN or infinity and count zero rows."""
    blocks = list(row_blocks(len(X), _TASK_ROWS))
    found = map_threads(lambda rows: _survey_block(X[rows]), blocks)
    starts = [rows.start for rows in blocks]
    first_bad = next((start + bad for start, (bad, _, _) in zip(starts, found, strict=True) if bad >= 0), -1)
    first_zero = next((start + zero for start, (_, zero, _) in zip(starts, found, strict=True) if zero >= 0), -1)
    return Survey(first_bad, first_zero, sum(n_zero for _, _, n_zero in found))


def center_unit(
    X: Matrix,
    shift: NDArray[np.float64],
    *,
    shortest: float = 0.0,
    zero_row: FloatVector | None = None,
    keep_zero: bool = False,
) -> PassResult:
    """Subtract ``shift`` from every row and scale it to unit length, in place.

    Parameters
    ----------
    X
        (n, dim), changed in place.
    shift
        (dim,), subtracted first; pass zeros to scale only.
    shortest
        Rows that are not longer than this after centring have no direction.
    zero_row
        (dim,), replaces rows without a direction. None sets them to zero and excludes them from the mean.
    keep_zero
        Do not centre zero rows, but treat them as rows without a direction.
    """
    blocks = list(row_blocks(len(X), _TASK_ROWS))
    totals = np.zeros((len(blocks), X.shape[1]))
    fill = _fill(zero_row, X)

    def run(task: int) -> Any:
        return _center_unit_block(X[blocks[task]], shift, shortest, fill, keep_zero, totals[task])

    errors, lost = zip(*map_threads(run, range(len(blocks))), strict=True)
    n_lost = sum(lost)
    counted = len(X) if zero_row is not None else len(X) - n_lost
    return PassResult(totals.sum(axis=0) / max(counted, 1), max(errors), n_lost)


def replay(
    X: Matrix, means: NDArray[np.float64], *, zero_row: FloatVector | None = None, keep_zero: bool = False
) -> int:
    """Apply finished rounds to rows, in place: scale, then subtract a stored mean and scale, for every mean.

    Rounding is the same as in `center_unit`, so fitted rows give the fitted result.

    Parameters
    ----------
    X
        (n, dim), changed in place.
    means
        (rounds, dim): the mean that each round subtracted.
    zero_row, keep_zero
        As in `center_unit`.

    Returns
    -------
    n_lost
        Number of zero rows.
    """
    shifts = np.vstack([np.zeros((1, X.shape[1])), means])
    fill = _fill(zero_row, X)
    blocks = row_blocks(len(X), _TASK_ROWS)
    return sum(map_threads(lambda rows: _replay_block(X[rows], shifts, VANISHED, fill, keep_zero), blocks))


def _fill(zero_row: FloatVector | None, X: Matrix) -> FloatVector:
    return np.zeros(X.shape[1], dtype=np.float32) if zero_row is None else zero_row.astype(np.float32)
