"""Walk over a product of two matrices tile by tile, one worker thread and one BLAS thread per tile.

A tile of 2 MB is still in the cache when it is scanned, and a worker that multiplies and scans its own tile never
waits for the others, as the threads of one multi-threaded product do.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise
from threading import Event, local
from typing import NamedTuple, TypeAlias

import numpy as np

from isoalign._progress import Progress, ignore_progress
from isoalign._threads import map_threads, single_threaded_blas, thread_count
from isoalign._types import Matrix

__all__ = [
    "TILE_COLUMNS",
    "TILE_ROWS",
    "Strip",
    "Tile",
    "TileSource",
    "multiply_tiles",
    "plan_parts",
    "plan_rounds",
    "walk_tiles",
]

TILE_ROWS = 512
TILE_COLUMNS = 1024
_TILE_VALUES = TILE_ROWS * TILE_COLUMNS  # 2 MB of float32

TileSource: TypeAlias = Callable[[slice, slice], Matrix]
"""Give the values of the product at some rows and columns."""


class Strip(NamedTuple):
    """Part of a product that one worker walks over: some rows against blocks of columns, in this order."""

    rows: slice
    columns: Sequence[slice]
    part: int


class Tile(NamedTuple):
    """Part of a product that is in memory."""

    values: Matrix
    rows: slice
    columns: slice
    part: int


def _split(n: int, count: int) -> list[slice]:
    """Cut ``range(n)`` into ``count`` slices of about equal length, without empty ones."""
    edges = [i * n // count for i in range(count + 1)]
    return [slice(start, stop) for start, stop in pairwise(edges) if start < stop]


def plan_parts(n: int, m: int) -> list[Strip]:
    """Cut a product of n by m values into strips that keep all threads busy, columns ascending in each.

    Where there are few rows, the columns are cut too, and ``part`` numbers the pieces: each of them needs a memory of
    its own for what it finds.
    """
    threads = thread_count()
    blocks = -(-n // TILE_ROWS)
    parts = 1 if blocks >= threads else 2 * threads
    row_blocks = _split(n, -(-blocks // threads) * threads if parts == 1 else blocks)
    width = _TILE_VALUES // max(rows.stop - rows.start for rows in row_blocks)
    columns = [
        [slice(start, min(start + width, cut.stop)) for start in range(cut.start, cut.stop, width)]
        for cut in _split(m, parts)
    ]
    return [Strip(rows, cut, part) for rows in row_blocks for part, cut in enumerate(columns)]


def plan_rounds(n: int, m: int) -> list[Strip]:
    """Cut a product of n by m values into strips of whole rows.

    All strips have the same blocks of columns, :data:`TILE_COLUMNS` wide, but workers begin at different ones, so
    that they seldom meet at the memory of a column.
    """
    threads = thread_count()
    blocks = -(-n // TILE_ROWS)
    columns = [slice(start, min(start + TILE_COLUMNS, m)) for start in range(0, m, TILE_COLUMNS)]
    shifts = [worker * len(columns) // threads for worker in range(threads)]
    orders = [columns[shift:] + columns[:shift] for shift in shifts]
    row_blocks = _split(n, -(-blocks // threads) * threads)
    return [Strip(rows, orders[i % threads], 0) for i, rows in enumerate(row_blocks)]


def multiply_tiles(X: Matrix, Y: Matrix) -> TileSource:
    """Return a source of tiles of ``X @ Y.T``; a worker's next tile overwrites its last."""
    own = local()

    def multiply(rows: slice, columns: slice) -> Matrix:
        A, B = X[rows], Y[columns]
        size = len(A) * len(B)
        if not hasattr(own, "memory") or own.memory.size < size:
            own.memory = np.empty(max(size, _TILE_VALUES), dtype=np.float32)
        values: Matrix = own.memory[:size].reshape(len(A), len(B))
        return np.matmul(A, B.T, out=values)

    return multiply


def walk_tiles(
    strips: list[Strip],
    source: TileSource,
    visit: Callable[[Tile], None],
    *,
    what: str = "search",
    progress: Progress = ignore_progress,
) -> None:
    """Show every tile of a plan to a function.

    Parameters
    ----------
    strips
        Who walks where.
    source
        Gives the values of a tile.
    visit
        Called on worker threads; it should release the interpreter lock.
    what, progress
        Name of the stage, and who hears about it after every strip.
    """
    stop = Event()

    def walk(strip: Strip) -> None:
        for columns in strip.columns:
            if stop.is_set():
                return
            visit(Tile(source(strip.rows, columns), strip.rows, columns, strip.part))

    with single_threaded_blas():
        map_threads(walk, strips, stop=stop, done=lambda done: progress(what, done, len(strips)))
