"""What tests of readers and writers share."""

import os
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from isoalign.errors import IsoalignError
from isoalign.io import FORMATS, write_vectors
from isoalign.io._stream import VectorStream, collect, stream_embeddings
from isoalign.vectors import Embeddings

FASTTEXT = Path(__file__).parent / "data" / "fasttext"


def made_up(n: int = 20, dim: int = 3, *, seed: int = 0) -> Embeddings:
    """Return vectors with words of several scripts, one of them a surrogate pair in UTF-16."""
    words = [f"{'aßж猫😀'[row % 5]}{row}" for row in range(n)]
    return Embeddings(words, np.random.default_rng(seed).standard_normal((n, dim), dtype=np.float32))


def write(module: ModuleType, vectors: Embeddings, path: Path) -> None:
    """Write vectors with a format's module, in several blocks."""
    name = next(name for name, entry in FORMATS.items() if entry.writer == f"{module.__name__}:write_stream")
    write_vectors(stream_embeddings(vectors, block_rows=7), path, format=name)


def read(module: ModuleType, path: Path, **options: str) -> Embeddings:
    """Read vectors with a format's module."""
    return collect(module.open_stream(path, **options))


def assert_same(ours: Embeddings, expected: Embeddings) -> None:
    """Compare words, and vectors bit by bit."""
    assert ours.index_to_key == expected.index_to_key
    assert ours.vectors.dtype == expected.vectors.dtype
    np.testing.assert_array_equal(ours.vectors, expected.vectors)


def collect_or_refuse(open_stream: Callable[[], VectorStream]) -> Embeddings | None:
    """Read to the end, or return None if that raised one of isoalign's own errors; any other fails the test."""
    try:
        return collect(open_stream())
    except IsoalignError:
        return None


@contextmanager
def memory_stays_below(limit: int) -> Iterator[None]:
    """Fail if more than ``limit`` bytes are reserved at any time, touched or not."""
    tracemalloc.start()
    try:
        yield
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < limit


@pytest.fixture
def unprivileged() -> Iterator[None]:
    """Take the rights of the superuser away for one test, since nothing is forbidden to it."""
    if os.name != "posix" or os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)
