import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from safetensors.numpy import load_file, save_file

from isoalign.errors import FileAccessError, FormatError, MissingFileError
from isoalign.io._safetensors import RowWriter, map_tensors, write_tensors
from vector_files import memory_stays_below

dtypes = st.sampled_from(["f2", "f4", "f8", "i1", "i4", "i8", "u1"]).map(np.dtype)
arrays = dtypes.flatmap(lambda dtype: hnp.arrays(dtype, hnp.array_shapes(min_dims=0, min_side=0, max_side=4)))
tensors = st.dictionaries(st.text("abcé ", min_size=1, max_size=5), arrays, max_size=4)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "x.safetensors"


def raw(path, header, data=b""):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + data)


@given(tensors)
def test_safetensors_reads_what_we_write(tmp_path_factory, expected):
    path = tmp_path_factory.getbasetemp() / "ours.safetensors"
    write_tensors(path, expected)
    for found in (load_file(path), map_tensors(path)):
        assert found.keys() == expected.keys()
        for name, tensor in expected.items():
            assert found[name].dtype == tensor.dtype
            np.testing.assert_array_equal(found[name], tensor)


@given(tensors)
def test_we_read_what_safetensors_writes(tmp_path_factory, expected):
    path = tmp_path_factory.getbasetemp() / "theirs.safetensors"
    save_file(expected, path, metadata={"made by": "safetensors"})
    found = map_tensors(path)
    assert found.keys() == expected.keys()
    for name, tensor in expected.items():
        np.testing.assert_array_equal(found[name], tensor)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_rows_written_one_block_after_the_other_make_one_matrix(path, dtype):
    matrix = np.random.default_rng(0).standard_normal((10, 3)).astype(dtype)
    with RowWriter(path, name="vectors", dim=3, dtype=dtype) as rows:
        for start in range(0, 10, 4):
            rows.append(matrix[start : start + 4])
    np.testing.assert_array_equal(load_file(path)["vectors"], matrix)
    np.testing.assert_array_equal(map_tensors(path)["vectors"], matrix)


def test_no_rows_make_an_empty_matrix(path):
    with RowWriter(path, name="vectors", dim=3):
        pass
    assert map_tensors(path)["vectors"].shape == (0, 3)
    assert load_file(path)["vectors"].shape == (0, 3)


def test_a_failure_while_writing_rows_leaves_no_valid_file(path):
    with pytest.raises(ValueError, match="convert"), RowWriter(path, name="vectors", dim=3) as rows:
        rows.append(np.array([["no", "number"]]))
    with pytest.raises(FormatError):
        map_tensors(path)


def test_only_a_writable_map_changes_the_file(path):
    write_tensors(path, {"x": np.zeros(3, dtype=np.float32)})
    with pytest.raises(ValueError, match="read-only"):
        map_tensors(path)["x"][0] = 1
    tensor = map_tensors(path, mode="r+")["x"]
    tensor[0] = 1
    np.testing.assert_array_equal(load_file(path)["x"], [1, 0, 0])


@pytest.mark.parametrize(
    "entry",
    [
        None,
        [],
        {},
        {"dtype": "F99", "shape": [1], "data_offsets": [0, 4]},
        {"dtype": "F32", "shape": [2], "data_offsets": [0, 4]},
        {"dtype": "F32", "shape": [-1], "data_offsets": [4, 0]},
        {"dtype": "F32", "shape": [-1, -1], "data_offsets": [0, 4]},
        {"dtype": "F32", "shape": [1], "data_offsets": [-4, 0]},
        {"dtype": "F32", "shape": [10**18], "data_offsets": [0, 4 * 10**18]},
        {"dtype": "F32", "shape": [0, 10**30], "data_offsets": [0, 0]},
        {"dtype": "F32", "shape": [float("inf")], "data_offsets": [0, 4]},
        {"dtype": "F32", "shape": "x", "data_offsets": [0, 4]},
        {"dtype": "F32", "shape": [1], "data_offsets": [0, 4, 8]},
        {"dtype": "F32", "shape": [1], "data_offsets": [1, 5]},
    ],
)
def test_a_tensor_described_wrongly_is_refused_without_reserving_memory(path, entry):
    raw(path, {"x": entry}, b"12345678")
    with memory_stays_below(1 << 20), pytest.raises(FormatError, match="tensor 'x'"):
        map_tensors(path)


@pytest.mark.parametrize("header", [b"", b"xx", b"[]", b"1 ", b"[" * 100_000, b'{"x": 1', b"\xff\xfe{}"])
def test_a_damaged_header_is_refused(path, header):
    raw(path, header)
    with pytest.raises(FormatError, match="safetensors"):
        map_tensors(path)


@pytest.mark.parametrize("data", [b"", b"1234567", b"\xff" * 8, (10**15).to_bytes(8, "little") + b"{}"])
def test_a_file_too_short_for_its_header_is_refused(path, data):
    path.write_bytes(data)
    with pytest.raises(FormatError, match="cut off"):
        map_tensors(path)


def test_a_missing_file_and_a_folder_are_refused(tmp_path):
    with pytest.raises(MissingFileError, match="no such file"):
        map_tensors(tmp_path / "missing")
    with pytest.raises(FileAccessError):
        map_tensors(tmp_path)
