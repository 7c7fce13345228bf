"""Files that never end, or unpack to more than any memory holds: refused early and cheaply."""

import bz2
import gzip
import json
import lzma
import time
from contextlib import contextmanager
from functools import cache

import numpy as np
import pytest

from isoalign.errors import FormatError, InvalidValueError
from isoalign.io import _bounds as bounds
from isoalign.io import (
    map_tensors,
    open_vectors,
    read_lexicon,
    read_similarity,
    read_toml,
    read_vectors,
    write_lexicon,
    write_vectors,
)
from isoalign.io._description import read_description
from isoalign.lexicon import Lexicon
from isoalign.vectors import Embeddings
from vector_files import memory_stays_below

MILLION = 10**6
FAR_TOO_LONG = 6  # seconds of computing: no measurement, but less than reading everything would take


@contextmanager
def refused(match):
    """Expect `FormatError` with little memory, long before the end of the file."""
    start = time.process_time()
    with memory_stays_below(700 * MILLION), pytest.raises(FormatError, match=match):
        yield
    assert time.process_time() - start < FAR_TOO_LONG


@cache
def bomb(byte):
    """Pack 10 GB of one byte into 44 MB."""
    return gzip.compress(byte * 10**8, 1) * 100


@pytest.fixture(autouse=True, scope="module")
def warm(tmp_path_factory):
    """Compile what reads text, so that the time is that of reading."""
    path = tmp_path_factory.mktemp("warm") / "a.vec"
    path.write_bytes(b"1 2\na 1 2\n")
    read_vectors(path)


@pytest.mark.parametrize("byte", [b"\0", b" ", b"a", b"1"])
def test_a_bomb_is_no_text_file_of_vectors(tmp_path, byte):
    path = tmp_path / "a.vec.gz"
    path.write_bytes(gzip.compress(b"1000 2\na 1 2\n") + bomb(byte))
    with refused("does not end within 33,554,432 bytes"):
        read_vectors(path)


@pytest.mark.parametrize("read", [read_lexicon, read_similarity], ids=["dictionary", "similarity"])
@pytest.mark.parametrize(
    ("byte", "match"), [(b"\0", "has more than 262,144 bytes"), (b"\n", "has more than 4,194,304 lines")]
)
def test_a_bomb_is_no_table(tmp_path, read, byte, match):
    path = tmp_path / "a.txt.gz"
    path.write_bytes(bomb(byte))
    with refused(match):
        read(path)


def test_a_table_is_read_up_to_its_bound(tmp_path):
    path = tmp_path / "a.txt.gz"
    path.write_bytes(gzip.compress((b"x" * 1000 + b" y\n") * 1000, 1) * 200)
    with refused("has more than 134,217,728 bytes"):
        read_lexicon(path)


def test_a_bomb_of_rows_is_refused_by_its_ratio(tmp_path):
    path = tmp_path / "a.bin.gz"
    path.write_bytes(gzip.compress(b"1000000000 300\n") + bomb(b" "))
    with refused("unpacks to more than 100 times its size"):
        for _ in open_vectors(path).blocks:
            pass


@pytest.mark.parametrize("compress", [bz2.compress, lzma.compress], ids=["bz2", "xz"])
def test_other_compressions_have_the_same_bound(tmp_path, monkeypatch, compress):
    monkeypatch.setattr("isoalign.io._compression.TRUSTED_BYTES", 1 << 20)
    path = tmp_path / "a.bin"
    path.write_bytes(compress(b"1000000 300\n" + b" " * (1 << 24)))
    with refused("unpacks to more than 100 times its size"):
        for _ in open_vectors(path).blocks:
            pass


def test_a_fasttext_bomb_does_not_fill_the_disk(tmp_path, monkeypatch):
    monkeypatch.setattr("isoalign.io._compression.TRUSTED_BYTES", 1 << 24)
    path = tmp_path / "a.bin"
    path.write_bytes(gzip.compress((793712314).to_bytes(4, "little")) + bomb(b"\0"))
    with refused("unpacks to more than 100 times its size"):
        read_vectors(path)


def test_a_numpy_header_that_never_ends_is_refused(tmp_path):
    path = tmp_path / "a.npy.gz"
    path.write_bytes(gzip.compress(b"\x93NUMPY\x02\x00\xff\xff\xff\xff") + bomb(b" "))
    with refused("its .npy header is damaged"):
        read_vectors(path)


def test_a_list_of_words_that_never_ends_is_refused(tmp_path):
    np.save(tmp_path / "a.npy", np.zeros((2, 2), dtype=np.float32))
    (tmp_path / "a.words").write_bytes(bomb(b"\n"))
    with refused("has more than"):
        read_vectors(tmp_path / "a.npy")


@pytest.mark.parametrize("on_bad", ["error", "skip"])
def test_a_line_with_millions_of_values_is_bad_and_cheap(tmp_path, on_bad):
    path = tmp_path / "a.vec"
    path.write_bytes(b"2 2\na 1 2\nb" + b" 1" * 5 * MILLION + b"\n")
    start = time.process_time()
    if on_bad == "error":
        with pytest.raises(FormatError, match=r":3: a row of 2 values has at most 67,584 bytes"):
            read_vectors(path)
    else:
        with pytest.warns(match="1 bad rows were skipped"):
            assert read_vectors(path, on_bad="skip").index_to_key == ["a"]
    assert time.process_time() - start < FAR_TOO_LONG


@pytest.mark.parametrize("word", [b"w" * (bounds.WORD_BYTES + 1), b"v w" * (bounds.WORD_BYTES // 3 + 1)])
def test_a_word_has_a_longest_length_in_text(tmp_path, word):
    path = tmp_path / "a.vec"
    path.write_bytes(b"2 2\na 1 2\n%b 3 4\n" % word)
    with pytest.raises(FormatError, match=r":3: a word has at most 65,536 bytes, got 65,53"):
        read_vectors(path)
    path.write_bytes(b"2 2\na 1 2\n%b 3 4\n" % word[: bounds.WORD_BYTES].rstrip())
    assert read_vectors(path).vectors.tolist() == [[1, 2], [3, 4]]


@pytest.mark.parametrize("on_bad", ["error", "skip"])
@pytest.mark.parametrize("line", [b"\n", b"x\n"], ids=["blank", "bad"])
def test_millions_of_bad_lines_are_not_looked_at_one_by_one(tmp_path, on_bad, line):
    path = tmp_path / "a.vec"
    path.write_bytes(b"2 2\na 1 2\n" + line * 4 * MILLION + b"b 1 2\n")
    start = time.process_time()
    with pytest.raises(FormatError, match=r":3: expected 2 values|more than 10,000 lines"):
        read_vectors(path, on_bad=on_bad)
    assert time.process_time() - start < FAR_TOO_LONG


@pytest.mark.parametrize("ending", ["vec", "txt", "bin", "npy"])
def test_writers_refuse_words_that_readers_would(tmp_path, ending):
    vectors = Embeddings(["w" * (bounds.WORD_CHARACTERS + 1)], np.ones((1, 2), dtype=np.float32))
    with pytest.raises(InvalidValueError, match="16384 characters"):
        write_vectors(vectors, tmp_path / f"a.{ending}")
    longest = Embeddings(["😀" * bounds.WORD_CHARACTERS], np.ones((1, 2), dtype=np.float32))
    write_vectors(longest, tmp_path / f"a.{ending}")
    format_ = "word2vec" if ending == "bin" else None  # its head, where the word does not end, could be anything
    assert read_vectors(tmp_path / f"a.{ending}", format=format_).index_to_key == longest.index_to_key


def test_a_dictionary_keeps_the_longest_words_and_no_longer_ones(tmp_path):
    word = "😀" * bounds.WORD_CHARACTERS
    write_lexicon(Lexicon([(word, word)], scores=[0.5]), tmp_path / "a.txt")
    assert list(read_lexicon(tmp_path / "a.txt")) == [(word, word)]
    with pytest.raises(InvalidValueError, match="more than 16384 characters"):
        write_lexicon(Lexicon([(word + "w", "v")]), tmp_path / "b.txt")


def test_a_description_has_a_largest_size(tmp_path):
    file = tmp_path / "a.json"
    file.write_bytes(b'{"kind": "' + b" " * bounds.DESCRIPTION_BYTES + b'"}')
    with refused("has more than 16,777,216 bytes"):
        read_description(file, kind="k", version=1, what="a thing")
    with refused("has more than 16,777,216 bytes"):
        read_toml(file)


def test_a_deeply_nested_toml_file_is_refused_in_one_line(tmp_path):
    (tmp_path / "a.toml").write_bytes(b"a = " + b"[" * 50_000)
    with refused("not a TOML file .*recursion"):
        read_toml(tmp_path / "a.toml")


def test_a_safetensors_header_has_a_largest_size(tmp_path):
    path = tmp_path / "a.safetensors"
    header = json.dumps({"__metadata__": {"a": "b" * bounds.HEADER_BYTES}}).encode()
    path.write_bytes(len(header).to_bytes(8, "little") + header)
    with refused("At most 4,194,304"):
        map_tensors(path)


@pytest.mark.parametrize(
    ("head", "what"),
    [
        (b"PK\x03\x04", "zip"),
        (b"7z\xbc\xaf\x27\x1c", "7z archive"),
        (b"Rar!\x1a\x07\x01\x00", "RAR archive"),
        (b"\x80\x04\x95", "Python pickle"),
        (b"\x89HDF\r\n\x1a\n", "HDF5"),
        (b"PAR1\x15\x04", "Parquet"),
        (b"SQLite format 3\x00", "SQLite"),
        (b"\x7fELF\x02", "program"),
        (b"\x89PNG\r\n\x1a\n", "an image"),
        (b"\xff\xfe1\x00", "UTF-16"),
    ],
)
def test_files_of_other_programs_are_refused_by_name(tmp_path, head, what):
    content = head + b" 1 2\nb 3 4\n"
    for path, data in ((tmp_path / "a.vec", content), (tmp_path / "b.vec", gzip.compress(content))):
        path.write_bytes(data)
        with pytest.raises(FormatError, match=what):
            read_vectors(path)
    (tmp_path / "a.txt").write_bytes(content)
    with pytest.raises(FormatError, match=what):
        read_lexicon(tmp_path / "a.txt")


def test_a_word_may_begin_like_an_archive(tmp_path):
    (tmp_path / "a.vec").write_bytes(b"2 2\nPK 1 2\nRar! 3 4\n")
    assert read_vectors(tmp_path / "a.vec").index_to_key == ["PK", "Rar!"]


@pytest.mark.parametrize("bad", [b"1" * 60_000 + b"x", b"." + b"1" * 60_000 + b"x", b"1e" + b"1" * 60_000 + b"x"])
def test_refusing_a_number_of_many_digits_takes_no_quadratic_time(tmp_path, bad):
    path = tmp_path / "a.vec"
    path.write_bytes(b"2 2\na 1 2\nb 1 %b\n" % bad)
    start = time.process_time()
    with pytest.raises(FormatError, match=r":3: .* is not a number"):
        read_vectors(path)
    assert time.process_time() - start < FAR_TOO_LONG


def test_a_number_of_many_digits_is_rounded_exactly(tmp_path):
    halfway = b"1.00000005960464477539062500"  # between 1 and the next float32
    path = tmp_path / "a.vec"
    path.write_bytes(b"2 1\na %b\nb %b1\n" % (halfway, halfway + b"0" * 6000))
    assert read_vectors(path).vectors.ravel().tolist() == [1.0, float(np.nextafter(np.float32(1), np.float32(2)))]
