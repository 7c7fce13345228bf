"""Stores of vectors: a source yields chunks of rows from any row on, a sink writes them and can be resumed."""

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Generator, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from isoalign._core.threads import single_threaded_blas, thread_count
from isoalign._core.types import Matrix
from isoalign._core.validate import check_finite
from isoalign.errors import FormatError, IsoalignError
from isoalign.maps import AbstractMap

__all__ = ["CHUNK_ROWS", "AbstractSink", "AbstractSource", "Chunk", "mapped_chunks", "reading", "widen"]

CHUNK_ROWS = 1024
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


def mapped_chunks(
    one: AbstractMap, source: AbstractSource, start: int = 0, *, name: str
) -> Generator[Chunk, None, None]:
    """Yield the rows from ``start`` on through a map, in order; several chunks are mapped side by side.

    A chunk is mapped on one thread, so that the number of threads changes no bit.
    """

    def apply(chunk: Chunk) -> Chunk:
        with np.errstate(over="ignore", invalid="ignore"):  # what is not finite is refused
            vectors = one.apply(widen(chunk.vectors, name=name))
        check_finite(vectors, name=f"The mapped vectors of {name}")
        return Chunk(vectors, chunk.rest)

    threads, waiting = thread_count(), deque[Future[Chunk]]()
    with single_threaded_blas(), ThreadPoolExecutor(threads) as pool:
        for chunk in source.chunks(start):
            waiting.append(pool.submit(apply, chunk))
            if len(waiting) > threads:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
