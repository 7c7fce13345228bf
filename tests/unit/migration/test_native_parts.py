"""Native folders through an adapter: part by part, with their keys, here and on other processes."""

import numpy as np
import pyarrow.parquet as pq
import pytest

import isoalign as ia
from isoalign.experiments import Dask, LocalProcesses
from isoalign.io import is_native, list_parts, write_vectors
from isoalign.migration import _parts, apply_adapter, fit_adapter, read_items
from migrations import planted_change

N_PARTS, ROWS = 3, 3000


@pytest.fixture(scope="module")
def adapter():
    return fit_adapter(*planted_change(300), use="corpus", method="ridge", settings={"ridge": 0.1})


@pytest.fixture(scope="module")
def items():
    return ia.Embeddings([f"doc {row}" for row in range(N_PARTS * ROWS)], planted_change(N_PARTS * ROWS, seed=5).old)


@pytest.fixture(scope="module")
def folder(items, tmp_path_factory):
    path = tmp_path_factory.mktemp("native") / "in.parts"
    path.mkdir()
    for part in range(N_PARTS):
        rows = slice(part * ROWS, (part + 1) * ROWS)
        write_vectors(ia.Embeddings(items.index_to_key[rows], items.vectors[rows]), path / f"p{part}")
    return path


def contents(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("name", ["out", "out.parts"])
def test_native_parts_become_native_parts_with_the_same_names_and_keys(adapter, items, folder, tmp_path, name):
    assert apply_adapter(adapter, folder, tmp_path / name).rows == len(items)
    assert [part.name for part in list_parts(tmp_path / name)] == ["p0", "p1", "p2"]
    mapped = ia.read_vectors(tmp_path / name)
    assert mapped.index_to_key == items.index_to_key
    np.testing.assert_allclose(mapped.vectors, adapter.transform(items.vectors), atol=1e-6)
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_parts_that_are_there_are_not_mapped_again(adapter, folder, tmp_path):
    def stop(what, done, total):
        raise KeyboardInterrupt

    apply_adapter(adapter, folder, tmp_path / "whole")
    with pytest.raises(KeyboardInterrupt):
        apply_adapter(adapter, folder, tmp_path / "out", progress=stop)
    assert apply_adapter(adapter, folder, tmp_path / "out").resumed == ROWS
    assert contents(tmp_path / "out") == contents(tmp_path / "whole")


def test_one_native_folder_is_cut_into_parts(adapter, items, tmp_path, monkeypatch):
    monkeypatch.setattr(_parts, "PART_ROWS", 4000)
    write_vectors(items, tmp_path / "in")
    apply_adapter(adapter, tmp_path / "in", tmp_path / "out")
    assert [len(ia.read_vectors(part)) for part in list_parts(tmp_path / "out")] == [4000, 4000, 1000]
    mapped = ia.read_vectors(tmp_path / "out")
    assert mapped.index_to_key == items.index_to_key
    np.testing.assert_allclose(mapped.vectors, adapter.transform(items.vectors), atol=1e-6)


def test_numbers_stay_numbers(adapter, items, tmp_path):
    write_vectors(ia.Embeddings(range(7, 57), items.vectors[:50]), tmp_path / "in")
    assert is_native(tmp_path / "in")
    apply_adapter(adapter, tmp_path / "in", tmp_path / "out")
    assert list(ia.read_vectors(tmp_path / "out").keys) == list(range(7, 57))


@pytest.mark.parametrize("name", ["out.jsonl", "out.parquet"])
def test_keys_go_along_to_other_formats(adapter, items, folder, tmp_path, name):
    apply_adapter(adapter, folder, tmp_path / name)
    found = read_items(tmp_path / name)
    assert list(found.keys) == items.index_to_key
    np.testing.assert_allclose(found.vectors, adapter.transform(items.vectors), atol=1e-6)


def test_columns_of_parquet_become_fields_of_json_lines_and_ids_return(adapter, items, folder, tmp_path):
    apply_adapter(adapter, folder, tmp_path / "a.parquet")
    back = fit_adapter(*planted_change(300), use="queries", method="ridge", settings={"ridge": 0.1})
    apply_adapter(back, tmp_path / "a.parquet", tmp_path / "b.jsonl")
    apply_adapter(adapter, tmp_path / "b.jsonl", tmp_path / "c.parquet")
    assert pq.read_table(tmp_path / "c.parquet")["id"].to_pylist() == items.index_to_key


@pytest.mark.slow
@pytest.mark.parametrize("executor", [LocalProcesses(2), Dask()], ids=["processes", "dask"])
def test_workers_give_the_same_bytes(adapter, folder, tmp_path, executor):
    apply_adapter(adapter, folder, tmp_path / "here")
    apply_adapter(adapter, folder, tmp_path / "there", executor=executor)
    assert contents(tmp_path / "there") == contents(tmp_path / "here")
