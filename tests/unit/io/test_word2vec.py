import gzip

import numpy as np
import pytest
from gensim.models import KeyedVectors
from hypothesis import given
from hypothesis import strategies as st

from isoalign.errors import FormatError, InvalidValueError
from isoalign.io import _word2vec
from isoalign.io._stream import collect
from isoalign.io._word2vec import looks_like, open_stream
from isoalign.vectors import Embeddings
from vector_files import assert_same, made_up, memory_stays_below, read, write

words = st.text(st.characters(exclude_categories=["Cs"], exclude_characters=" "), max_size=8)


def row(word: bytes, *values: float) -> bytes:
    return word + b" " + np.array(values, dtype="<f4").tobytes()


@pytest.fixture
def path(tmp_path):
    return tmp_path / "vectors.bin"


@given(st.lists(words.filter(lambda word: not word.startswith("\n")), max_size=20), st.integers(1, 5))
def test_what_is_written_is_read_again(tmp_path_factory, some_words, dim):
    path = tmp_path_factory.getbasetemp() / "round_trip.bin"
    vectors = np.random.default_rng(0).standard_normal((len(some_words), dim), dtype=np.float32)
    vectors = Embeddings(some_words, vectors)
    write(_word2vec, vectors, path)
    assert_same(read(_word2vec, path), vectors)


@pytest.mark.parametrize("name", ["x.bin", "x.bin.gz", "x.bin.bz2", "x.bin.xz", "x.bin.zst"])
def test_compressed_files_hold_the_same(tmp_path, name):
    vectors = made_up(30)
    write(_word2vec, vectors, tmp_path / name)
    assert_same(read(_word2vec, tmp_path / name), vectors)


def test_more_rows_than_a_buffer_holds_come_in_several_blocks(path, monkeypatch):
    monkeypatch.setattr(_word2vec, "_BUFFER_BYTES", 1 << 10)
    monkeypatch.setattr(_word2vec, "BLOCK_ROWS", 50)
    vectors = made_up(5000, 40)
    write(_word2vec, vectors, path)
    stream = open_stream(path)
    assert stream.n_rows == 5000
    assert_same(collect(stream), vectors)


def test_gensim_reads_what_we_write_and_the_reverse(path):
    vectors = made_up(50)
    write(_word2vec, vectors, path)
    theirs = KeyedVectors.load_word2vec_format(str(path), binary=True)
    assert theirs.index_to_key == vectors.index_to_key
    np.testing.assert_array_equal(theirs.vectors, vectors.vectors)
    vectors.to_gensim().save_word2vec_format(str(path), binary=True)
    assert_same(read(_word2vec, path), vectors)


def test_rows_may_end_with_a_newline_or_not(path):
    path.write_bytes(b"3 2\n" + row(b"a", 1, 2) + b"\n" + row(b"b", 3, 4) + row(b"c", 5, 6) + b"\n")
    vectors = read(_word2vec, path)
    assert vectors.index_to_key == ["a", "b", "c"]
    np.testing.assert_array_equal(vectors.vectors, [[1, 2], [3, 4], [5, 6]])


def test_words_keep_characters_that_only_look_like_spaces(path):
    vectors = Embeddings(["a\u00a0b", "c\u0085d", "e\u2028f", "g\th"], np.ones((4, 2), dtype=np.float32))
    write(_word2vec, vectors, path)
    assert_same(read(_word2vec, path), vectors)


def test_other_float_types_are_written_as_float32(path):
    write(_word2vec, Embeddings(["a"], np.array([[0.1, 0.2]])), path)
    np.testing.assert_array_equal(read(_word2vec, path).vectors, np.array([[0.1, 0.2]], dtype=np.float32))


def test_invalid_utf8_is_replaced_and_counted(path):
    path.write_bytes(b"3 1\n" + row(b"a\xff", 1) + row(b"\xe7", 2) + row("\ufffd".encode(), 3))
    vectors = read(_word2vec, path)
    assert vectors.index_to_key == ["a\ufffd", "\ufffd", "\ufffd"]
    assert vectors.metadata == {"replaced_words": 2}


def test_large_finite_values_are_kept(path):
    largest = float(np.finfo(np.float32).max)
    path.write_bytes(b"2 2\n" + row(b"a", largest, largest) + row(b"b", -largest, -largest))
    np.testing.assert_array_equal(read(_word2vec, path).vectors, np.array([[largest] * 2, [-largest] * 2]))


def test_a_file_cut_off_names_its_size_or_the_row_and_byte(path):
    whole = b"3 2\n" + row(b"long-word", 1, 2) + row(b"longer-word", 3, 4) + row(b"longest-word", 5, 6)
    path.write_bytes(whole[:30])
    with pytest.raises(FormatError, match=r"promises 3 rows of 2 values, at least 31 bytes, but the file has 30"):
        open_stream(path)
    path.write_bytes(whole[:-1])
    with pytest.raises(FormatError, match=r"row 3 of 3 at byte 42: the file ends before the row does"):
        read(_word2vec, path)
    vectors = read(_word2vec, path, on_bad="skip")
    assert vectors.index_to_key == ["long-word", "longer-word"]
    assert vectors.metadata == {"skipped_rows": 1}


def test_a_compressed_file_cut_off_is_refused(tmp_path):
    path = tmp_path / "vectors.bin.gz"
    path.write_bytes(gzip.compress(b"3 2\n" + row(b"a", 1, 2)))
    with pytest.raises(FormatError, match="row 2 of 3 at byte 14"):
        read(_word2vec, path)
    whole = gzip.compress(b"3000 2\n" + b"".join(row(b"word%d" % n, n, 1 / (n + 1)) for n in range(3000)))
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(FormatError, match="damaged gzip file"):
        read(_word2vec, path)


@pytest.mark.parametrize("suffix", [".gz", ".bz2", ".xz", ".zst"])
def test_of_a_compressed_file_cut_off_the_rows_before_the_cut_are_kept(tmp_path, suffix):
    words = [f"word{n}" for n in range(20_000)]
    vectors = np.random.default_rng(0).standard_normal((len(words), 16)).astype(np.float32)
    path = tmp_path / f"vectors.bin{suffix}"
    write(_word2vec, Embeddings(words, vectors), path)
    path.write_bytes(path.read_bytes()[: path.stat().st_size * 9 // 10])
    with pytest.raises(FormatError, match="damaged"):
        read(_word2vec, path)
    found = read(_word2vec, path, on_bad="skip")
    assert 0 < len(found) < len(words)
    assert found.index_to_key == words[: len(found)]
    np.testing.assert_array_equal(found.vectors, vectors[: len(found)])
    assert found.metadata == {"skipped_rows": len(words) - len(found)}


def test_a_header_that_promises_too_few_rows_is_refused_or_believed(path):
    path.write_bytes(b"1 1\n" + row(b"a", 1) + row(b"b", 2))
    with pytest.raises(FormatError, match="byte 10: the file continues after the 1 rows"):
        read(_word2vec, path)
    assert read(_word2vec, path, on_bad="skip").index_to_key == ["a"]


@pytest.mark.parametrize(
    "data", [b"", b"\n", b"a b\n", b"3\n", b"3 2", b"-3 2\n", b"3 0\n", b"3 99999999\n" + b"x" * 99]
)
def test_a_file_without_a_proper_header_is_refused(path, data):
    path.write_bytes(data)
    with pytest.raises(FormatError, match=r"vectors\.bin"):
        open_stream(path)


def test_a_word_without_end_is_refused(path):
    path.write_bytes(b"2 1\n" + row(b"a", 1) + b"x" * 200_000)
    with pytest.raises(FormatError, match="row 2 of 2 at byte 10: no space ends the word"):
        read(_word2vec, path)


@pytest.mark.parametrize("compress", [bytes, gzip.compress])
@pytest.mark.parametrize("on_bad", ["error", "skip"])
def test_a_lying_header_reserves_no_memory(path, compress, on_bad):
    path.write_bytes(compress(b"999999999999 1000000\n" + row(b"a", 1)))
    with memory_stays_below(64 << 20):
        if on_bad == "error":
            with pytest.raises(FormatError):
                read(_word2vec, path)
        else:
            assert len(read(_word2vec, path, on_bad="skip")) == 0


@pytest.mark.parametrize("word", ["New York", "\nnew"])
def test_a_word_that_the_format_cannot_hold_is_refused_and_the_old_file_stays(path, word):
    path.write_bytes(b"old")
    with pytest.raises(InvalidValueError, match="Choose another format"):
        write(_word2vec, Embeddings(["a", word], np.ones((2, 2))), path)
    assert path.read_bytes() == b"old"


@pytest.mark.parametrize("value", [np.nan, 1e39])
def test_values_that_no_reader_takes_are_not_written(path, value):
    with pytest.raises(InvalidValueError, match=r"row 2 \('b'\)"):
        write(_word2vec, Embeddings(["a", "b"], np.array([[1.0], [value]])), path)
    assert not path.exists()


def test_a_closed_stream_closes_its_file(path):
    write(_word2vec, made_up(5), path)
    stream = open_stream(path)
    next(stream.blocks)
    frame = stream.blocks.gi_yieldfrom.gi_frame
    file = frame.f_locals["file"]
    assert not file.closed
    stream.blocks.close()
    assert file.closed


@given(st.integers(1, 40), st.integers(0, 2**32 - 1))
def test_binary_files_are_told_from_text_files(tmp_path_factory, dim, seed):
    folder = tmp_path_factory.getbasetemp()
    vectors = np.random.default_rng(seed).standard_normal((2, dim), dtype=np.float32)
    write(_word2vec, Embeddings(["New_York", "猫"], vectors), folder / "sniffed.bin")
    head = (folder / "sniffed.bin").read_bytes()
    assert looks_like(head, folder / "sniffed.bin")
    for word in ("New York", "1", "猫 x"):
        text = f"2 {dim}\n" + "".join(f"{word} {' '.join(map(str, line))}\n" for line in vectors.tolist())
        assert not looks_like(text.encode(), folder / "text.bin")
        assert not looks_like(text.encode(), folder / "text.vec")


def test_zeros_under_a_text_name_are_still_binary(path):
    assert looks_like(b"1 3\n" + row(b"a", 0, 0, 0), path.with_suffix(".vec"))
    assert not looks_like(b"a 1 2\nb 3 4\n", path)
    assert not looks_like(b"", path)
