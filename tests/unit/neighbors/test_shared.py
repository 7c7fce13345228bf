"""Searches that an executor shares out give the bits of a search here."""

import pickle

import numpy as np
import pytest

import isoalign as ia
from isoalign._core.executor import InProcess
from isoalign._core.mapped import MappedRows, open_rows, share_rows
from isoalign.errors import FileAccessError, InvalidValueError
from isoalign.neighbors import (
    CSLS,
    LazySettings,
    SharingSettings,
    csls_best,
    neighborhood_means,
    top_k,
    top_k_both,
    use_workers,
)
from isoalign.neighbors.engine import count_ranks

SMALL = SharingSettings(min_products=1, min_rows=7, max_rows=50)


class Travelling(InProcess):
    """Send tasks and outcomes through pickles, last task first, and count their bytes."""

    def __init__(self):
        self.tasks = self.bytes = 0

    def run(self, function, tasks):
        for task in reversed(list(tasks)):
            sent = pickle.dumps((function, task))
            again, copy = pickle.loads(sent)  # noqa: S301
            returned = pickle.dumps(list(again(copy)))
            self.tasks += 1
            self.bytes += len(sent) + len(returned)
            yield task, pickle.loads(returned)  # noqa: S301


def spaces(n=300, m=220, dim=12):
    """Return unit rows with many equal ones, so that ties must be broken across parts."""
    rng = np.random.default_rng(0)
    X, Y = (rng.standard_normal((size, dim)).astype(np.float32) for size in (n, m))
    Y[100:150] = Y[:50]
    X[::3] = X[0]
    return tuple(np.ascontiguousarray(Z / np.linalg.norm(Z, axis=1, keepdims=True)) for Z in (X, Y))


def same(found, wanted):
    for one, other in zip(found, wanted, strict=True):
        assert one.dtype == other.dtype
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("k", [1, 3, 60, 1000])
def test_the_best_rows_are_the_same_to_the_bit(k):
    X, Y = spaces()
    bias = np.linspace(0, 0.1, len(Y), dtype=np.float32)
    for queries in (X, X[:5]):
        wanted = top_k(queries, Y, k, scale=2, bias=bias)
        with use_workers(executor := Travelling(), sharing=SMALL):
            same(top_k(queries, Y, k, scale=2, bias=bias), wanted)
        assert executor.tasks > 4


def test_both_directions_and_means_are_the_same_to_the_bit():
    X, Y = spaces()
    both, means = top_k_both(X, Y, 4), neighborhood_means(X, Y)
    with use_workers(Travelling(), sharing=SMALL):
        for found, wanted in zip(top_k_both(X, Y, 4), both, strict=True):
            same(found, wanted)
        same(neighborhood_means(X, Y), means)


@pytest.mark.parametrize("max_rank", [None, 20, (0, 30)], ids=str)
def test_choices_by_csls_are_the_same_to_the_bit(max_rank):
    X, Y = spaces()
    wanted = csls_best(X, Y, 3, max_rank=max_rank)
    with use_workers(Travelling(), sharing=SMALL):
        found = csls_best(X, Y, 3, max_rank=max_rank)
    same(found.forward, wanted.forward)
    same(found.backward, wanted.backward)
    same(found[2:4], wanted[2:4])


@pytest.mark.parametrize("engine", ["full", "lazy"])
def test_csls_and_its_ranks_are_the_same_to_the_bit(engine):
    X, Y = spaces()
    lazy = LazySettings(min_targets=1, max_share=1)
    alone = CSLS(engine=engine, lazy=lazy).fit(Y, X)
    wanted, ranks = alone.kneighbors(X[:20]), alone.rank_targets(X[:20], np.arange(20))
    with use_workers(Travelling(), sharing=SMALL):
        retriever = CSLS(engine=engine, lazy=lazy).fit(Y, X)
        same(retriever.kneighbors(X[:20]), wanted)
        same([retriever.rank_targets(X[:20], np.arange(20))], [ranks])


def test_ranks_are_the_same_to_the_bit():
    X, Y = spaces()
    rows = np.arange(len(X)) % len(Y)
    wanted = count_ranks(X, Y, rows)
    with use_workers(Travelling(), sharing=SMALL):
        same([count_ranks(X, Y, rows)], [wanted])


def test_rows_of_a_file_are_opened_by_name_and_do_not_travel(tmp_path):
    X, Y = spaces(n=3000, dim=64)
    ia.write_vectors(ia.Embeddings(None, X), tmp_path / "x")
    mapped = ia.read_vectors(tmp_path / "x").vectors
    wanted = top_k(Y[:2], X, 3)
    with use_workers(by_name := Travelling(), sharing=SMALL):
        same(top_k(Y[:2], mapped, 3), wanted)
    assert by_name.bytes < X.nbytes / 3
    with use_workers(by_value := Travelling(), sharing=SMALL):
        top_k(Y[:2], X, 3)
    assert by_value.bytes > X.nbytes


def test_a_slice_of_a_mapped_matrix_is_found_at_its_place(tmp_path):
    X = spaces()[0]
    np.save(tmp_path / "x.npy", X)
    mapped = np.load(tmp_path / "x.npy", mmap_mode="r")
    for rows in (mapped, mapped[10:20], mapped[5:][3:9], np.asarray(mapped)[7:8]):
        shared = share_rows(rows)
        assert isinstance(shared, MappedRows)
        np.testing.assert_array_equal(open_rows(shared), rows)
    for rows in (X[3:9], mapped[:, :2], mapped[::2], np.array(mapped)):
        assert share_rows(rows) is rows


def test_a_worker_that_does_not_see_the_file_says_so(tmp_path):
    with pytest.raises(FileAccessError, match="a disk that all workers can access"):
        open_rows(MappedRows(str(tmp_path / "none"), 0, (2, 2)))


def test_bad_rows_are_refused_before_anything_is_shared_out():
    X, Y = spaces()
    Y[200, 3] = np.nan
    with use_workers(executor := Travelling(), sharing=SMALL), pytest.raises(InvalidValueError, match="Row 200"):
        top_k(X, Y, 3)
    assert executor.tasks == 0


def test_small_searches_stay_here():
    with use_workers(executor := Travelling()):
        top_k(*spaces(), 3)
    assert executor.tasks == 0
