"""Matrices too large for memory lie in temporary files that look like arrays."""

import errno
import os
import tempfile

import numpy as np
import pytest

import isoalign as ia
from isoalign._core import spill
from isoalign._core.arrays import unit_rows
from isoalign._core.spill import RowSpool, copy_rows, empty_rows, gather_rows
from isoalign.errors import FileAccessError
from isoalign.io import Block, VectorStream, _stream, collect

RNG = np.random.default_rng(0)


@pytest.fixture
def small(monkeypatch, tmp_path):
    """Take everything beyond 1,000 bytes for large, and keep it in a folder of the test."""
    monkeypatch.setattr(spill, "LARGE_BYTES", 1000)
    monkeypatch.setattr(_stream, "LARGE_BYTES", 1000)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def is_mapped(array):
    while isinstance(array, np.ndarray):
        if isinstance(array, np.memmap):
            return True
        array = array.base
    return False


def test_only_a_large_matrix_leaves_memory_and_its_file_has_no_name(small):
    assert not is_mapped(empty_rows(25, 10))
    large = empty_rows(26, 10)
    assert is_mapped(large)
    assert (type(large), large.shape, large.dtype) == (np.ndarray, (26, 10), np.float32)
    assert list(small.iterdir()) == []
    large[:] = 3
    assert (large == 3).all()


def test_copies_and_chosen_rows_are_those_of_numpy(small):
    X = RNG.standard_normal((20_000, 3))
    rows = RNG.integers(len(X), size=15_000)
    np.testing.assert_array_equal(copy_rows(X), X.astype(np.float32))
    np.testing.assert_array_equal(gather_rows(X.astype(np.float32), rows), X.astype(np.float32)[rows])


def test_unit_rows_of_a_large_matrix_are_the_same_bits(small):
    X = RNG.standard_normal((300, 7)).astype(np.float32)
    found = unit_rows(X)
    assert is_mapped(found)
    np.testing.assert_array_equal(found, np.concatenate([unit_rows(X[i : i + 1]) for i in range(len(X))]))


@pytest.mark.parametrize("n", [10, 11, 40])
def test_a_stream_is_collected_in_memory_up_to_the_limit_and_in_a_file_beyond(small, n):
    X = RNG.standard_normal((n, 25)).astype(np.float32)
    blocks = (Block([str(row) for row in range(i, min(i + 7, n))], X[i : i + 7]) for i in range(0, n, 7))
    found = collect(VectorStream(blocks, 25))
    np.testing.assert_array_equal(found.vectors, X)
    assert len(found) == n
    assert is_mapped(found.vectors) == (n > 10)


def test_a_full_disk_is_one_line_before_any_row_is_written(small, monkeypatch):
    def refuse(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "posix_fallocate", refuse)
    with pytest.raises(FileAccessError, match=r"cannot store .* GB .* No space left .* Set TMPDIR"):
        empty_rows(1000, 300)
    assert list(small.iterdir()) == []


def test_a_spool_is_mapped_when_all_rows_are_there(small):
    spool = RowSpool(2, "float16")
    for start in range(0, 10, 3):
        spool.append(np.arange(2 * start, 2 * min(start + 3, 10)).reshape(-1, 2))
    np.testing.assert_array_equal(spool.close(), np.arange(20).reshape(10, 2).astype(np.float16))


def test_an_alignment_of_large_vectors_is_the_same_to_the_bit(monkeypatch, tmp_path):
    X = RNG.standard_normal((400, 20)).astype(np.float32)
    Y = X @ np.linalg.qr(RNG.standard_normal((20, 20)))[0].astype(np.float32) + 0.1
    words = [str(row) for row in range(400)]
    pairs = [(word, word) for word in words[:100]]

    def learn():
        return ia.align(ia.Embeddings(words, X), ia.Embeddings(words, Y), pairs, method="procrustes")

    in_memory = learn()
    monkeypatch.setattr(spill, "LARGE_BYTES", 1000)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    large = learn()
    for name in in_memory.names:
        assert is_mapped(large.space(name))
        np.testing.assert_array_equal(large.space(name), in_memory.space(name))
