"""Stores of vectors: a source yields chunks of rows from any row on, a sink writes them and can be resumed."""

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from isoalign._core.threads import single_threaded_blas, thread_count
from isoalign._core.types import Matrix
from isoalign._core.validate import first_bad_row
from isoalign.errors import FormatError, InvalidValueError, IsoalignError, ShapeError
from isoalign.maps import AbstractMap

__all__ = ["CHUNK_ROWS", "AbstractSink", "AbstractSource", "Chunk", "mapped_chunks", "reading", "widen"]

CHUNK_ROWS = 2048
"""Rows handled at once: few enough to stay in the cache of the processor between steps."""


class Chunk(NamedTuple):
    """Consecutive rows, and what else the store keeps about them, in a form of its own."""

    vectors: NDArray[Any]
    rest: Any = None


@contextmanager
def reading(name: str) -> Iterator[None]:
    """Convert errors of a library about a damaged file to an error that names the file."""
    try:
        yield
    except IsoalignError:
        raise
    except Exception as error:
        raise FormatError(f"{name}: cannot be read ({error}). Is it damaged?") from error


class AbstractSource(ABC):
    """Stored vectors, read a chunk at a time.

    Attributes
    ----------
    name
        Where they come from, for messages.
    dim
        Number of columns.
    n_rows
        Number of rows.
    dtype
        Type of the stored numbers.
    """

    name: str
    dim: int
    n_rows: int
    dtype: np.dtype[Any]

    def chunks(self, start: int = 0) -> Iterator[Chunk]:
        """Yield the rows from ``start`` on."""
        with reading(self.name):
            yield from self._chunks(start)

    def ids(self) -> list[Any] | None:
        """Return what names the rows, or None where they are numbered only."""
        with reading(self.name):
            return self._ids()

    @abstractmethod
    def _chunks(self, start: int) -> Iterator[Chunk]:
        """Yield the rows from ``start`` on."""

    def _ids(self) -> list[Any] | None:
        """Return what names the rows, or None."""
        return None


class AbstractSink(ABC):
    """Mapped vectors on their way to a store; what was written before a kill is kept.

    Attributes
    ----------
    done
        Number of rows that are there already.
    """

    done: int

    @abstractmethod
    def write(self, chunk: Chunk) -> None:
        """Take the next rows."""

    @abstractmethod
    def finish(self) -> None:
        """Put the complete output into its place."""

    @abstractmethod
    def close(self) -> None:
        """Release files without finishing; what was written stays for the next attempt."""


def widen(vectors: NDArray[Any], *, name: str) -> Matrix:
    """Return stored numbers as float32; only real numbers are taken."""
    if vectors.dtype.kind not in "fiu" or vectors.ndim != 2:
        raise FormatError(f"{name}: expected rows of real numbers, got {vectors.dtype} of shape {vectors.shape}.")
    with np.errstate(over="ignore", invalid="ignore"):  # numbers beyond float32 are found when they are mapped
        return np.ascontiguousarray(vectors, dtype=np.float32)


class _ChunkWork:
    """Work for whichever thread comes first."""

    def __init__(self, work: Callable[[], Chunk]) -> None:
        self._work, self._claim, self._outcome = work, Lock(), Future[Chunk]()

    def run(self) -> bool:
        """Do the work unless a thread has begun it; return whether this one did."""
        if not self._claim.acquire(blocking=False):
            return False
        try:
            self._outcome.set_result(self._work())
        except Exception as error:  # noqa: BLE001  (whatever it is, it is raised in the turn of the chunk)
            self._outcome.set_exception(error)
        return True

    def is_done(self) -> bool:
        """Return whether there is a result, or an error."""
        return self._outcome.done()

    def result(self) -> Chunk:
        """Wait for the result, and raise what went wrong."""
        return self._outcome.result()


def mapped_chunks(
    one: AbstractMap, source: AbstractSource, start: int = 0, *, name: str
) -> Generator[Chunk, None, None]:
    """Yield the rows from ``start`` on through a map, in order; several chunks are mapped side by side.

    A chunk is mapped on one thread, so that the number of threads changes no bit. Until the next chunk is ready, the
    calling thread maps others: one more thread would displace the matrix of the map from the cache. The memory of a
    chunk is used again when the next one is asked for.
    """
    if source.dim != one.dim_in:
        raise ShapeError(f"{name}: the map takes vectors with {one.dim_in} columns. Got {source.dim}.")

    def apply(chunk: Chunk, row: int, out: Matrix) -> Chunk:
        with np.errstate(over="ignore", invalid="ignore"):  # what is not finite is refused
            one._apply_into(widen(chunk.vectors, name=name), out)
        bad = first_bad_row(out)
        if bad is not None:
            raise InvalidValueError(
                f"{name}: row {row + bad} or its mapped vector contains NaN or infinity. Drop or repair that row."
            )
        return Chunk(out, chunk.rest)

    def take_first() -> Chunk:
        while not waiting[0].is_done() and any(task.run() for task in waiting):
            pass
        return waiting.popleft().result()

    threads, waiting, used = thread_count(), deque[_ChunkWork](), list[Matrix]()
    with single_threaded_blas(), ThreadPoolExecutor(max(threads - 1, 1)) as pool:
        for chunk in source.chunks(start):
            n = len(chunk.vectors)
            out = used.pop() if used and len(used[-1]) == n else np.empty((n, one.dim_out), dtype=np.float32)
            waiting.append(_ChunkWork(partial(apply, chunk, start, out)))
            start += n
            if threads > 1:
                pool.submit(waiting[-1].run)
            if len(waiting) == 2 * threads:
                first = take_first()
                yield first
                used = [first.vectors]
        while waiting:
            yield take_first()
