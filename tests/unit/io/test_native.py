import json

import numpy as np
import pytest
from safetensors.numpy import load_file

from isoalign.errors import FileAccessError, FormatError, IsoalignWarning, ParameterError
from isoalign.io import _native, read_vectors
from isoalign.io._atomic import replacing_folder
from isoalign.io._native import is_native, open_native
from isoalign.io._safetensors import write_tensors
from isoalign.io._stream import collect, stream_embeddings
from isoalign.vectors import Embeddings
from vector_files import assert_same, made_up


@pytest.fixture
def folder(tmp_path):
    path = tmp_path / "vectors"
    vectors = made_up(30)
    write(Embeddings(vectors.index_to_key, vectors.vectors, lang="en", metadata={"made": "up"}), path)
    return path


def write(vectors, path):
    with replacing_folder(path) as temporary:
        _native.write_stream(stream_embeddings(vectors, block_rows=7), temporary, named=path)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_what_is_written_is_opened_again(tmp_path, dtype):
    words = ["", "a b", "a\u00a0b", "x\ny", "猫", "😀", "a b"]
    matrix = np.random.default_rng(0).standard_normal((7, 4)).astype(dtype)
    write(Embeddings(words, matrix), tmp_path / "x")
    assert_same(open_native(tmp_path / "x"), Embeddings(words, matrix))
    assert_same(collect(_native.open_stream(tmp_path / "x")), Embeddings(words, matrix))


def test_language_and_metadata_come_along(folder):
    vectors = open_native(folder)
    assert (vectors.lang, vectors.metadata) == ("en", {"made": "up"})


def test_no_words_make_an_empty_folder(tmp_path):
    write(Embeddings([], np.empty((0, 5), dtype=np.float32)), tmp_path / "x")
    assert open_native(tmp_path / "x").vectors.shape == (0, 5)


def test_the_matrix_is_mapped_and_not_read(folder):
    vectors = open_native(folder).vectors
    assert isinstance(vectors.base, np.memmap)
    assert not vectors.flags.writeable


def test_a_writable_map_changes_the_file(folder):
    open_native(folder, mode="r+").vectors[0] = 7
    np.testing.assert_array_equal(load_file(folder / "vectors.safetensors")["vectors"][0], [7, 7, 7])


def test_is_native_tells_our_folders_from_others(folder, tmp_path):
    assert is_native(folder)
    assert not is_native(tmp_path)
    assert not is_native(folder / "metadata.json")


@pytest.mark.parametrize(
    ("about", "says"),
    [
        (b"", "damaged"),
        (b"\xff\xfe", "damaged"),
        (b"[" * 100_000, "damaged"),
        (b"[]", "not the description of word vectors"),
        (b'{"kind": "other"}', "not the description of word vectors"),
        (b'{"kind": "isoalign-embeddings", "version": 99}', "version 99; this isoalign reads version 1"),
        (b'{"kind": "isoalign-embeddings", "version": 1, "lang": 1, "metadata": {}}', "damaged"),
        (b'{"kind": "isoalign-embeddings", "version": 1, "metadata": []}', "damaged"),
    ],
)
def test_damaged_metadata_is_refused(folder, about, says):
    (folder / "metadata.json").write_bytes(about)
    with pytest.raises(FormatError, match=says):
        open_native(folder)


@pytest.mark.parametrize("name", ["metadata.json", "vectors.safetensors", "vocabulary.safetensors"])
def test_a_missing_part_is_named(folder, name):
    (folder / name).unlink()
    with pytest.raises(FileAccessError, match=name):
        open_native(folder)


def test_parts_that_do_not_belong_together_are_refused(folder):
    write_tensors(folder / "vectors.safetensors", {"vectors": np.ones((29, 3), dtype=np.float32)})
    with pytest.raises(FormatError, match="29 vectors but 30 words"):
        open_native(folder)


@pytest.mark.parametrize(
    "tensors",
    [
        {"other": np.ones((30, 3), dtype=np.float32)},
        {"vectors": np.ones(30, dtype=np.float32)},
        {"vectors": np.ones((30, 3), dtype=np.int64)},
    ],
)
def test_vectors_of_another_kind_are_refused(folder, tensors):
    write_tensors(folder / "vectors.safetensors", tensors)
    with pytest.raises(FormatError, match=r"vectors\.safetensors"):
        open_native(folder)


@pytest.mark.parametrize(
    "offsets",
    [np.zeros(31, dtype=np.int64), np.arange(1, 32), np.zeros(31, dtype=np.int32), np.empty(0, dtype=np.int64)],
)
def test_offsets_that_do_not_fit_are_refused(folder, offsets):
    words = load_file(folder / "vocabulary.safetensors")
    write_tensors(folder / "vocabulary.safetensors", {**words, "offsets": offsets})
    with pytest.raises(FormatError):
        open_native(folder)


def test_words_that_are_not_utf8_are_replaced(folder):
    words = load_file(folder / "vocabulary.safetensors")
    write_tensors(folder / "vocabulary.safetensors", {**words, "bytes": np.full_like(words["bytes"], 0xFF)})
    assert set("".join(open_native(folder).index_to_key)) == {"\ufffd"}


@pytest.mark.parametrize("seed", range(3))
def test_offsets_that_go_backwards_are_refused_at_the_first_look(folder, seed):
    words = load_file(folder / "vocabulary.safetensors")
    offsets = words["offsets"].copy()
    offsets[1:-1] = np.random.default_rng(seed).integers(-(2**62), 2**62, len(offsets) - 2)
    write_tensors(folder / "vocabulary.safetensors", {**words, "offsets": offsets})
    with pytest.raises(FormatError, match="go backwards"):
        _ = open_native(folder).index_to_key


def test_offsets_cannot_make_many_long_words_of_few_bytes(folder):
    words = load_file(folder / "vocabulary.safetensors")
    offsets = np.where(np.arange(31) % 2, len(words["bytes"]), 0)
    offsets[-1] = len(words["bytes"])
    write_tensors(folder / "vocabulary.safetensors", {**words, "offsets": offsets})
    with pytest.raises(FormatError, match="go backwards"):
        _ = open_native(folder).index_to_key


def test_bad_rows_are_skipped_where_that_is_asked_for(folder):
    vectors = np.ones((30, 3), dtype=np.float32)
    vectors[4, 1] = np.nan
    write_tensors(folder / "vectors.safetensors", {"vectors": vectors})
    assert len(read_vectors(folder)) == 30
    with pytest.warns(IsoalignWarning, match="1 bad rows were skipped"):
        assert len(read_vectors(folder, on_bad="skip")) == 29
    with pytest.raises(ParameterError, match="on_bad must be one of"):
        read_vectors(folder, on_bad="hide")


def test_metadata_is_readable_json(folder):
    about = json.loads((folder / "metadata.json").read_text(encoding="utf-8"))
    assert about == {"kind": "isoalign-embeddings", "version": 1, "lang": "en", "metadata": {"made": "up"}}
