"""Walk over a product of two matrices tile by tile, one worker thread and one BLAS thread per tile.

A tile of 2 MB is still in the cache when it is scanned. A worker that multiplies and scans its own tile never waits for
the others, unlike the threads of one multi-threaded product.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise
from threading import Event, local
from typing import NamedTuple, TypeAlias

import numpy as np

from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.threads import map_threads, single_threaded_blas, thread_count
from isoalign._core.types import Matrix
from isoalign.neighbors.engine._few import FEW, multiply_few

__all__ = [
    "TILING",
    "Strip",
    "Tile",
    "TileSource",
    "Tiling",
    "multiply_tiles",
    "plan_parts",
    "plan_rounds",
    "walk_tiles",
]


class Tiling(NamedTuple):
    """Shape of the tiles of a product; it decides the time, never the result.

    Attributes
    ----------
    rows, columns
        Size of a tile.
    threads
        Number of workers to plan for; None: all threads that numeric work may use.
    """

    rows: int = 512
    columns: int = 1024
    threads: int | None = None


TILING = Tiling()
"""The default: tiles of 2 MB."""

TileSource: TypeAlias = Callable[[slice, slice], Matrix]
"""Return the values of the product at the given rows and columns."""


class Strip(NamedTuple):
    """Part of a product assigned to one worker: some rows against blocks of columns, in this order."""

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
    """Cut ``range(n)`` into ``count`` non-empty slices of about equal length."""
    edges = [i * n // count for i in range(count + 1)]
    return [slice(start, stop) for start, stop in pairwise(edges) if start < stop]


def plan_parts(n: int, m: int, tiling: Tiling = TILING) -> list[Strip]:
    """Cut a product of n by m values into strips that keep all threads busy, columns ascending in each.

    With few rows the columns are cut as well. ``part`` numbers the pieces; each of them needs its own memory for what
    it finds.
    """
    threads = tiling.threads or thread_count()
    blocks = -(-n // tiling.rows)
    parts = 1 if blocks >= threads else 2 * threads
    row_blocks = _split(n, -(-blocks // threads) * threads if parts == 1 else blocks)
    width = max(1, tiling.rows * tiling.columns // max(rows.stop - rows.start for rows in row_blocks))
    columns = [
        [slice(start, min(start + width, cut.stop)) for start in range(cut.start, cut.stop, width)]
        for cut in _split(m, parts)
    ]
    return [Strip(rows, cut, part) for rows in row_blocks for part, cut in enumerate(columns)]


def plan_rounds(n: int, m: int, tiling: Tiling = TILING) -> list[Strip]:
    """Cut a product of n by m values into strips of whole rows.

    All strips have the same blocks of columns, ``tiling.columns`` wide, but workers begin at different ones, so that
    they rarely wait for each other at the lock of a block.
    """
    threads = tiling.threads or thread_count()
    blocks = -(-n // tiling.rows)
    columns = [slice(start, min(start + tiling.columns, m)) for start in range(0, m, tiling.columns)]
    shifts = [worker * len(columns) // threads for worker in range(threads)]
    orders = [columns[shift:] + columns[:shift] for shift in shifts]
    row_blocks = _split(n, -(-blocks // threads) * threads)
    return [Strip(rows, orders[i % threads], 0) for i, rows in enumerate(row_blocks)]


def multiply_tiles(X: Matrix, Y: Matrix) -> TileSource:
    """Return a source of tiles of ``X @ Y.T``; the next tile of a worker overwrites its previous one."""
    own = local()

    def multiply(rows: slice, columns: slice) -> Matrix:
        A, B = X[rows], Y[columns]
        size = len(A) * len(B)
        if not hasattr(own, "memory") or own.memory.size < size:
            own.memory = np.empty(max(size, TILING.rows * TILING.columns), dtype=np.float32)
        values: Matrix = own.memory[:size].reshape(len(A), len(B))
        if len(A) in FEW and len(B) > 1:
            multiply_few(A, B, values)
        else:
            np.matmul(A, B.T, out=values)
        return values

    return multiply


def walk_tiles(
    strips: list[Strip],
    source: TileSource,
    visit: Callable[[Tile], None],
    *,
    what: str = "search",
    progress: Progress = ignore_progress,
) -> None:
    """Call a function for every tile of a plan.

    Parameters
    ----------
    strips
        The plan.
    source
        Returns the values of a tile.
    visit
        Called on worker threads; it should release the interpreter lock.
    what, progress
        Name of the stage, and the progress callback, called after every strip.
    """
    stop = Event()

    def walk(strip: Strip) -> None:
        for columns in strip.columns:
            if stop.is_set():
                return
            visit(Tile(source(strip.rows, columns), strip.rows, columns, strip.part))

    with single_threaded_blas():
        map_threads(walk, strips, stop=stop, done=lambda done: progress(what, done, len(strips)))
