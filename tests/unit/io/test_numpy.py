import gzip
from pathlib import Path

import numpy as np
import pytest

from isoalign.errors import FileAccessError, FormatError, InvalidValueError, MissingFileError, OutputExistsError
from isoalign.io import _numpy
from isoalign.io._numpy import looks_like, open_stream
from isoalign.io._stream import collect
from isoalign.vectors import Embeddings
from vector_files import assert_same, made_up, memory_stays_below, read, write


@pytest.fixture
def path(tmp_path):
    return tmp_path / "x.npy"


def save(path, matrix, words="a\nb\n"):
    np.save(path, matrix)
    path.with_suffix(".txt").write_bytes(words.encode())


@pytest.mark.parametrize("name", ["x.npy", "x.npy.gz", "x.npy.zst"])
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_what_is_written_is_read_again_in_its_type(tmp_path, name, dtype):
    vectors = made_up(30)
    vectors = Embeddings(vectors.index_to_key, vectors.vectors.astype(dtype))
    write(_numpy, vectors, tmp_path / name)
    assert sorted(entry.name for entry in tmp_path.iterdir()) == sorted([name, "x.words"])
    assert_same(read(_numpy, tmp_path / name), vectors)


def test_numpy_reads_what_we_write(path):
    vectors = made_up(10)
    write(_numpy, vectors, path)
    np.testing.assert_array_equal(np.load(path), vectors.vectors)
    assert path.with_suffix(".words").read_text(encoding="utf-8").split("\n")[:-1] == vectors.index_to_key


@pytest.mark.parametrize("suffix", [".words", ".vocab", ".txt"])
def test_words_come_from_the_list_beside_the_matrix(path, suffix):
    np.save(path, np.eye(2))
    path.with_suffix(suffix).write_bytes(b"\xef\xbb\xbfa b\r\nc\xe2\x80\xa8d")
    assert read(_numpy, path).index_to_key == ["a b", "c\u2028d"]


def test_words_can_be_passed_as_a_list_or_a_file(path):
    np.save(path, np.eye(2))
    assert collect(open_stream(path, words=["x", "y"])).index_to_key == ["x", "y"]
    elsewhere = path.with_name("elsewhere")
    elsewhere.write_bytes(b"p\n\xff\n")
    vectors = collect(open_stream(path, words=elsewhere))
    assert vectors.index_to_key == ["p", "\ufffd"]
    assert vectors.metadata == {"replaced_words": 1}


@pytest.mark.parametrize("dtype", ["<f4", ">f4", ">f8", "<i2", "u1"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_other_byte_orders_layouts_and_whole_numbers_are_converted(path, dtype, order):
    matrix = np.asarray(np.arange(6).reshape(2, 3), dtype=dtype, order=order)
    save(path, matrix)
    vectors = read(_numpy, path)
    np.testing.assert_array_equal(vectors.vectors, matrix)
    assert vectors.vectors.dtype == ("float64" if dtype == ">f8" else "float32")
    assert vectors.vectors.flags.c_contiguous


def test_a_compressed_matrix_stored_by_columns_is_refused(path):
    save(path, np.asfortranarray(np.arange(6.0).reshape(2, 3)))
    packed = path.with_name("x.npy.gz")
    packed.write_bytes(gzip.compress(path.read_bytes()))
    with pytest.raises(FormatError, match="Decompress it first"):
        open_stream(packed)


def test_the_list_must_be_there_and_fit(path):
    np.save(path, np.eye(2))
    with pytest.raises(FileAccessError, match=r"none of x\.words, x\.vocab, x\.txt next to it"):
        open_stream(path)
    with pytest.raises(MissingFileError):
        open_stream(path, words=path.with_name("missing"))
    save(path, np.eye(2), "a\nb\nc\n")
    with pytest.raises(FormatError, match=r"x\.npy: 2 rows, but .*x\.txt has 3 words"):
        open_stream(path)


@pytest.mark.parametrize(
    ("matrix", "says"),
    [
        (np.zeros(2), "one row per word"),
        (np.zeros((2, 2, 2)), "one row per word"),
        (np.zeros((2, 0)), "vectors of 0 values"),
        (np.zeros((2, 2), dtype=complex), "real numbers"),
        (np.array([["a", "b"]]), "real numbers"),
    ],
)
def test_what_is_no_matrix_of_real_numbers_is_refused(path, matrix, says):
    save(path, matrix)
    with pytest.raises(FormatError, match=says):
        open_stream(path)


def test_pickled_objects_are_never_loaded(path):
    np.save(path, np.array([[{}, {}]], dtype=object), allow_pickle=True)
    with pytest.raises(FormatError, match="real numbers"):
        open_stream(path)


def test_a_matrix_cut_off_is_refused(path):
    save(path, np.arange(20.0).reshape(2, 10))
    whole = path.read_bytes()
    path.write_bytes(whole[:-1])
    with pytest.raises(FormatError, match="promises 288 bytes, but the file has 287"):
        open_stream(path)
    packed = path.with_name("x.npy.gz")
    packed.write_bytes(gzip.compress(whole[:-1]))
    with pytest.raises(FormatError, match="ends within row 2 of 2"):
        read(_numpy, packed)


def test_a_lying_header_reserves_no_memory(path):
    save(path, np.eye(2))
    for shape in [b"(2, 9999999)", b"(9**99, 2)  ", b"(-1, 2)     "]:
        path.write_bytes(path.read_bytes().replace(b"(2, 2), }   ", shape + b"}"[:0]))
        with memory_stays_below(1 << 20), pytest.raises(FormatError):
            read(_numpy, path)


def test_a_foreign_list_of_words_is_not_overwritten(path):
    path.with_suffix(".words").write_bytes(b"mine")
    with pytest.raises(OutputExistsError, match="Move it away"):
        write(_numpy, made_up(3), path)
    assert path.with_suffix(".words").read_bytes() == b"mine"
    assert not path.exists()


def test_a_failure_leaves_matrix_and_words_as_they_were(path):
    write(_numpy, made_up(3), path)
    before = {entry.name: entry.read_bytes() for entry in path.parent.iterdir()}
    with pytest.raises(InvalidValueError, match="line end"):
        write(_numpy, Embeddings(["a", "b\nc"], np.eye(2)), path)
    assert {entry.name: entry.read_bytes() for entry in path.parent.iterdir()} == before


def renames_until(monkeypatch, name):
    """Let a rename onto a name, and all after it, be the end of the process."""

    def replace(self, target):
        if Path(target).name == name:
            raise KeyboardInterrupt
        return real(self, target)

    real = Path.replace
    monkeypatch.setattr(Path, "replace", replace)


@pytest.mark.parametrize("first", [True, False])
def test_a_kill_between_the_two_names_leaves_the_old_words_with_the_old_matrix(path, monkeypatch, first):
    old, new = made_up(3), Embeddings(["x", "y", "z"], np.eye(3))
    if not first:
        write(_numpy, old, path)
    with monkeypatch.context() as killed:
        renames_until(killed, path.name)
        killed.setattr("isoalign.io._pairs._settle", lambda *_: None)
        with pytest.raises(KeyboardInterrupt):
            write(_numpy, new, path)
    assert path.with_suffix(".words").read_text(encoding="utf-8") == "x\ny\nz\n"
    if not first:
        assert_same(read(_numpy, path), old)
        assert sorted(entry.name for entry in path.parent.iterdir()) == [path.name, "x.words"]
    write(_numpy, new, path)
    assert_same(read(_numpy, path), new)
    assert sorted(entry.name for entry in path.parent.iterdir()) == [path.name, "x.words"]


def test_a_failure_between_the_two_names_puts_the_words_back(path, monkeypatch):
    old = made_up(3)
    write(_numpy, old, path)
    with monkeypatch.context() as failing:
        renames_until(failing, path.name)
        with pytest.raises(KeyboardInterrupt):
            write(_numpy, Embeddings(["x", "y", "z"], np.eye(3)), path)
    assert_same(read(_numpy, path), old)
    assert sorted(entry.name for entry in path.parent.iterdir()) == [path.name, "x.words"]


def test_a_matrix_is_found_by_its_content(path):
    save(path, np.eye(2))
    assert looks_like(path.read_bytes(), path)
    assert not looks_like(b"2 2\n", path)
