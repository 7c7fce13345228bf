"""Reading and writing text vectors."""

import bz2
import contextlib
import gzip
import lzma
import zlib
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import isoalign as ia
from isoalign.errors import FileAccessError, FormatError, InvalidValueError, IsoalignError, IsoalignWarning
from isoalign.io import open_vectors
from isoalign.io.text import _segments
from isoalign.io.text._numbers import exact_float32
from vector_files import assert_same, memory_stays_below

HEADER = b"2 3\n"
ROWS = b"cat 1 2.5 -3e-1\ndog .5 +7 1E2\n"


def read(folder: Path, content: bytes, **options) -> ia.Embeddings:
    file = folder / "x.vec"
    file.write_bytes(content)
    return ia.read_vectors(file, **options)


@pytest.mark.parametrize("content", [HEADER + ROWS, ROWS], ids=["word2vec", "glove"])
def test_reads_rows_with_and_without_header(tmp_path, content):
    vectors = read(tmp_path, content)
    assert vectors.index_to_key == ["cat", "dog"]
    np.testing.assert_array_equal(vectors.vectors, np.array([[1, 2.5, -0.3], [0.5, 7, 100]], dtype=np.float32))


@pytest.mark.parametrize(
    "content",
    [
        b"\xef\xbb\xbf" + HEADER + ROWS,
        (HEADER + ROWS).replace(b"\n", b"\r\n"),
        HEADER + ROWS.replace(b"\n", b" \n"),
        HEADER + ROWS.replace(b" ", b"\t"),
        HEADER + ROWS.replace(b" ", b"  "),
        (HEADER + ROWS).removesuffix(b"\n"),
        HEADER + ROWS + b"\n\n",
    ],
    ids=["bom", "crlf", "trailing space", "tabs", "double spaces", "no last line end", "blank lines at the end"],
)
def test_reads_the_same_from_every_layout(tmp_path, content):
    vectors = read(tmp_path, content)
    assert vectors.index_to_key == ["cat", "dog"]
    np.testing.assert_array_equal(vectors["dog"], np.array([0.5, 7, 100], dtype=np.float32))


@pytest.mark.parametrize("compress", [gzip.compress, bz2.compress, lzma.compress], ids=["gzip", "bz2", "xz"])
def test_reads_compressed_files_by_content(tmp_path, compress):
    assert len(read(tmp_path, compress(HEADER + ROWS))) == 2


@pytest.mark.parametrize(
    "word", ["new york", "a\u00a0b", "x\u0085y", "l\u2028m", ". . .", "apollo 11", "windows 3.1", " lead"]
)
def test_keeps_words_that_contain_spaces(tmp_path, word):
    rows = f"{word} 0.25 0.125 0.75\nplain 0.25 0.5 0.75\nother 0.5 0.5 0.5\n".encode()
    assert read(tmp_path, b"3 3\n" + rows).index_to_key[0] == word
    if not word.startswith(" "):
        assert read(tmp_path, rows).index_to_key[0] == word


def test_replaces_and_counts_invalid_utf8(tmp_path):
    with pytest.warns(IsoalignWarning, match="1 words were not UTF-8"):
        vectors = read(tmp_path, b"2 1\nna\xefve 1\nok 2\n")
    assert vectors.index_to_key == ["na\ufffdve", "ok"]
    assert vectors.metadata["replaced_words"] == 1


def test_a_word_that_holds_the_replacement_character_is_not_counted(tmp_path):
    assert "replaced_words" not in read(tmp_path, "1 1\n\ufffd 1\n".encode()).metadata


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "empty file"),
        (b"\n \n", "empty file"),
        (b"3 3\n" + ROWS, r"x.vec:3: the header promises 3 rows, the file has 2. Is the file cut off"),
        (b"1 3\n" + ROWS, r"x.vec:3: the header promises 1 rows, but more follow"),
        (b"2 5\n" + ROWS, r"x.vec:2: expected 5 values, as the header says, got 3"),
        (b"2 2\n" + ROWS, r"x.vec:2: expected 2 values, got 3"),
        (b"2 3\ncat 1 2 3\ndog 1 2\n", r"x.vec:3: expected 3 values, got 2. Is the file cut off"),
        (b"2 3\ncat 1 2 3\ndog 1 2 3 4\n", r"x.vec:3: expected 3 values, got 4. Repair or skip that line"),
        (b"2 3\ncat 1 2 3\ndog 0.125 0.125 0.125 0.125\n", r"x.vec:3: expected 3 values, got 4"),
        (b"2 3\ncat 1 2 3\ndog 1 x 3\n", r"x.vec:3: 'x' is not a number"),
        (b"2 3\ncat 1 2 3\ndog 1 1_0 3\n", r"x.vec:3: '1_0' is not a number"),
        (b"2 3\ncat 1 2 3\ndog 1 0x1 3\n", r"x.vec:3: '0x1' is not a number"),
        (b"2 3\ncat 1 nan 3\ndog 1 2 3\n", r"x.vec:2: 'nan' is not a finite"),
        (b"2 3\ncat 1 2 3\ndog 1 -inf 3\n", r"x.vec:3: '-inf' is not a finite"),
        (b"2 3\ncat 1 2 3\ndog 1 1e39 3\n", r"x.vec:3: '1e39' is not a finite"),
        (b"2 3\ncat 1 2 3\n\ndog 1 2 3\n", r"x.vec:3: expected 3 values, got a blank line"),
        (b"word\n", "expected a word and its values"),
        (b"999999999999 3\ncat 1 2 3\n", "promises 999999999999 rows"),
        (b"1 999999999\ncat 1 2 3\n", "expected 999999999 values"),
    ],
)
def test_says_what_is_wrong_and_where(tmp_path, content, message):
    with pytest.raises(FormatError, match=message):
        read(tmp_path, content)


def test_names_the_line_far_into_a_file(tmp_path, monkeypatch):
    monkeypatch.setattr(_segments, "_SEGMENT_BYTES", 64)
    rows = [f"w{i} {i} 1 2" for i in range(500)]
    rows[321] = "w321 1 oops 2"
    content = "\n".join(["500 3", *rows]).encode()
    with pytest.raises(FormatError, match=r"x.vec:323: 'oops'"):
        read(tmp_path, content)


@pytest.mark.parametrize("size", [30, 45, 64, 1 << 20])
def test_blank_lines_between_rows_are_bad_lines_wherever_a_segment_ends(tmp_path, monkeypatch, size):
    monkeypatch.setattr(_segments, "_SEGMENT_BYTES", size)
    content = b"4 3\n" + b"".join(b"w%d 1.25 2.5 3.75\n\n\n" % row for row in range(4))
    with pytest.raises(FormatError, match=r"x.vec:3: expected 3 values, got a blank line"):
        read(tmp_path, content)
    with pytest.warns(IsoalignWarning, match="6 bad rows were skipped"):
        assert read(tmp_path, content, on_bad="skip").index_to_key == ["w0", "w1", "w2", "w3"]


@pytest.mark.parametrize("header", ["5000 3\n", ""])
@pytest.mark.parametrize("size", [64, 1 << 20])
def test_a_gzip_stream_that_is_cut_off_is_an_error_with_its_line(tmp_path, monkeypatch, size, header):
    monkeypatch.setattr(_segments, "_SEGMENT_BYTES", size)
    rows = "".join(f"w{i} {i} 1 2\n" for i in range(5000))
    whole = gzip.compress((header + rows).encode())
    n_lines = zlib.decompressobj(31).decompress(whole[: len(whole) // 2]).count(b"\n")
    with pytest.raises(FormatError, match=f"x.vec:{n_lines + 1}: damaged gzip file .* cut off"):
        read(tmp_path, whole[: len(whole) // 2])
    n_whole = n_lines - bool(header)
    with pytest.warns(IsoalignWarning, match=f"{5000 - n_whole if header else 1} bad rows were skipped"):
        assert len(read(tmp_path, whole[: len(whole) // 2], on_bad="skip")) == n_whole


def test_limit_does_not_mind_what_is_wrong_behind_it(tmp_path):
    for content in (b"1 3\n" + ROWS, b"9 3\n" + ROWS, gzip.compress(b"2 3\n" + ROWS)[:-9]):
        assert read(tmp_path, content, limit=1).index_to_key == ["cat"]


def test_skips_and_counts_bad_rows_when_asked(tmp_path):
    content = b"5 2\na 1 2\nb 1\nc x 2\nd 1 nan\ne 3 4\nf 1 2 3\n"
    with pytest.warns(IsoalignWarning, match="4 bad rows were skipped"):
        vectors = read(tmp_path, content, on_bad="skip")
    assert vectors.index_to_key == ["a", "e"]
    np.testing.assert_array_equal(vectors.vectors, [[1, 2], [3, 4]])


def test_rows_that_the_header_promised_are_counted_as_skipped(tmp_path):
    with pytest.warns(IsoalignWarning, match="3 bad rows were skipped"):
        assert read(tmp_path, b"4 3\nbad 1\ncat 1 2 3\n", on_bad="skip").index_to_key == ["cat"]


def test_a_bad_first_row_does_not_make_the_header_wrong_when_skipping(tmp_path):
    with pytest.warns(IsoalignWarning, match="1 bad rows were skipped"):
        assert read(tmp_path, b"2 9\na 1\nb" + b" 1" * 9, on_bad="skip").index_to_key == ["b"]


def test_what_was_skipped_once_is_not_reported_again(tmp_path):
    with pytest.warns(IsoalignWarning, match="1 bad rows"):
        ia.write_vectors(read(tmp_path, b"2 2\na 1\nb 1 2\n", on_bad="skip"), tmp_path / "native")
    assert ia.read_vectors(tmp_path / "native", duplicates="error").metadata == {"skipped_rows": 1}


def test_a_header_that_lies_does_not_reserve_memory(tmp_path):
    with memory_stays_below(2 << 30), pytest.raises(FormatError, match="the file has 1"):
        read(tmp_path, b"999999999999 10000\na" + b" 1" * 10_000)


def test_the_named_format_decides_whether_the_first_line_is_a_header(tmp_path):
    assert read(tmp_path, b"2 3\n4 5\n", format="glove").index_to_key == ["2", "4"]
    with pytest.raises(FormatError, match=r"x.vec:1: expected a header, .* got 'cat 1 2.5 -3e-1'"):
        read(tmp_path, ROWS, format="text")


def test_words_with_spaces_need_no_header(tmp_path):
    assert read(tmp_path, b"new york 1 2\nlos angeles 3 4\nrio 5 6\n").index_to_key == [
        "new york",
        "los angeles",
        "rio",
    ]


@pytest.mark.parametrize(
    "words", [["apollo 11", "windows 3.1"], [" 5", "a\t6"], ["7 1e5", "x inf"], ["1", "2"], ["", "2"], ["\ufeff", "a"]]
)
@pytest.mark.parametrize("dim", [1, 2])
@pytest.mark.parametrize("name", ["x.vec", "x.txt"])
def test_words_that_look_like_values_or_headers_survive(tmp_path, words, dim, name):
    matrix = np.array([[1, 1e-45], [-3, 2.5]], dtype=np.float32)[:, :dim]
    filler = [f"w{row}" for row in range(5)]
    vectors = ia.Embeddings([*words, *filler], np.vstack([matrix, np.ones((5, dim), dtype=np.float32)]))
    ia.write_vectors(vectors, tmp_path / name)
    assert_same(ia.read_vectors(tmp_path / name), vectors)


def test_a_folder_and_a_missing_file_are_told_apart(tmp_path):
    with pytest.raises(FileAccessError, match="is a folder"):
        ia.read_vectors(tmp_path)
    with pytest.raises(FileNotFoundError, match="no such file"):
        ia.read_vectors(tmp_path / "nothing.vec")


def test_limit_reads_no_further_than_it_must(tmp_path):
    assert read(tmp_path, b"3 1\na 1\nb 2\nc oops\n", limit=2).index_to_key == ["a", "b"]
    assert len(read(tmp_path, HEADER + ROWS, limit=5)) == 2


def test_lower_case_keeps_the_first_casing(tmp_path):
    with pytest.warns(IsoalignWarning, match="1 rows repeat"):
        vectors = read(tmp_path, b"3 1\nThe 1\nthe 2\ncat 3\n", lower=True)
    assert vectors.index_to_key == ["the", "cat"]
    assert vectors["the"] == 1


def test_duplicates_are_dropped_kept_or_refused(tmp_path):
    content = b"3 1\na 1\na 2\nb 3\n"
    with pytest.warns(IsoalignWarning):
        assert read(tmp_path, content).index_to_key == ["a", "b"]
    assert read(tmp_path, content, duplicates="keep").index_to_key == ["a", "a", "b"]
    with pytest.raises(FormatError, match="row 2: the word 'a' occurs twice"):
        read(tmp_path, content, duplicates="error")


def test_unicode_forms_are_unified(tmp_path):
    assert read(tmp_path, "1 1\ne\u0301 1\n".encode(), unicode="NFC").index_to_key == ["é"]
    assert read(tmp_path, "1 1\nﬁ 1\n".encode(), unicode="NFKC").index_to_key == ["fi"]


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_reads_the_asked_precision(tmp_path, dtype):
    vectors = read(tmp_path, b"1 2\na 0.1 0.12345678901234567\n", dtype=dtype).vectors
    assert vectors.dtype == dtype
    np.testing.assert_array_equal(vectors[0], np.array([0.1, 0.12345678901234567], dtype=dtype))


def test_a_number_beyond_the_asked_precision_is_refused(tmp_path):
    with pytest.raises(FormatError, match=r"row 2 \('b'\) contains .* too large for float16"):
        read(tmp_path, b"2 1\na 1\nb 1e10\n", dtype="float16")
    assert read(tmp_path, b"1 1\na 1e300\n", dtype="float64").vectors[0] == 1e300
    with pytest.raises(InvalidValueError, match="too large for float32"):
        ia.write_vectors(ia.Embeddings(["a"], np.array([[1e300]])), tmp_path / "y.vec")


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1), st.integers(1, 30))
def test_every_number_becomes_the_nearest_float(tmp_path_factory, values, digits):
    tokens = [f"{value * scale:.{digits}e}" for value in values for scale in (1, 1e-40)]
    tokens = [token for token in tokens if abs(float(token)) < 3e38] or ["0"]
    content = f"1 {len(tokens)}\nw {' '.join(tokens)}\n".encode()
    folder = tmp_path_factory.mktemp("numbers")
    assert read(folder, content, dtype="float64").vectors[0].tolist() == [float(token) for token in tokens]
    expected = exact_float32([token.encode() for token in tokens])
    assert read(folder, content).vectors[0].tobytes() == expected.tobytes()


@given(st.integers(0, 2**24 - 1), st.sampled_from([0, 1, -1]))
def test_midpoints_of_the_smallest_numbers_go_to_even(tmp_path_factory, units, nudge):
    exact = Fraction(2 * units + 1, 2) * Fraction(1, 2**149) * (1 + Fraction(nudge, 10**40))
    token = f"{exact.numerator * 10**200 // exact.denominator}e-200"
    found = read(tmp_path_factory.mktemp("midpoints"), f"1 1\nw {token}\n".encode()).vectors[0, 0]
    above = nudge > 0 or (nudge == 0 and units % 2 == 1)
    assert Fraction(float(found)) * 2**149 == units + above


def test_rounds_to_the_nearest_float32_and_not_twice():
    # Just above the middle of two float32: the nearest float64 is the middle itself, which would round down to even.
    token = b"1.000000059604644775390625000000000001"
    assert exact_float32([token])[0] == float(np.nextafter(np.float32(1), np.float32(2)))
    assert exact_float32([b"1.000000059604644775390625"])[0] == 1.0


def test_long_and_extreme_numbers_are_exact(tmp_path):
    tokens = [
        "1.000000059604644775390625000000000001",
        "1e-45",
        "1.17549435e-38",
        "0." + "0" * 30 + "123456789123456789123",
        "-0",
    ]
    row = " ".join(tokens)
    found = read(tmp_path, f"1 5\nw {row}\n".encode()).vectors[0]
    np.testing.assert_array_equal(found, exact_float32([token.encode() for token in tokens]))
    assert np.signbit(found[4])


@given(st.lists(st.floats(width=32, allow_nan=False, allow_infinity=False), min_size=1, max_size=20))
def test_float32_to_text_and_back_gives_the_same_bits(tmp_path_factory, values):
    file = tmp_path_factory.mktemp("bits") / "x.vec"
    matrix = np.array([values], dtype=np.float32)
    ia.write_vectors(ia.Embeddings(["w"], matrix), file)
    assert ia.read_vectors(file).vectors.tobytes() == matrix.tobytes()


def test_every_exponent_survives_text(tmp_path):
    rng = np.random.default_rng(0)
    bits = rng.integers(0, 2**32, size=(200, 50), dtype=np.uint32)
    bits[0] = np.arange(50, dtype=np.uint32) << 23  # powers of two, where the gap below is half the gap above
    matrix = bits.view(np.float32)
    matrix[~np.isfinite(matrix)] = 1
    ia.write_vectors(ia.Embeddings([f"w{i}" for i in range(200)], matrix), tmp_path / "x.vec")
    assert ia.read_vectors(tmp_path / "x.vec").vectors.tobytes() == matrix.tobytes()


def test_writes_the_shortest_number(tmp_path):
    numbers = np.array([[0.1, 1e-7, 123456.7, 5, 0.3, 1e10, 16777216, 0.999999999]], dtype=np.float32)
    ia.write_vectors(ia.Embeddings(["w"], numbers), tmp_path / "x.vec")
    assert (tmp_path / "x.vec").read_text() == "1 8\nw 0.1 1e-7 123456.7 5 0.3 1e10 16777216 1\n"


@pytest.mark.parametrize("word", ["a\nb", "a ", "a\t"])
def test_refuses_to_write_words_that_text_cannot_hold(tmp_path, word):
    with pytest.raises(InvalidValueError, match=r"x.vec: text cannot contain the word"):
        ia.write_vectors(ia.Embeddings([word], np.ones((1, 2), dtype=np.float32)), tmp_path / "x.vec")
    assert list(tmp_path.iterdir()) == []


def test_refuses_to_write_nan(tmp_path):
    with pytest.raises(InvalidValueError, match=r"x.vec: row 1 \('w'\) contains NaN"):
        ia.write_vectors(ia.Embeddings(["w"], np.full((1, 2), np.nan, dtype=np.float32)), tmp_path / "x.vec")


def test_an_existing_file_is_replaced_only_when_allowed_and_only_by_a_whole_one(tmp_path):
    file = tmp_path / "x.vec"
    file.write_text("precious")
    good = ia.Embeddings(["w"], np.ones((1, 2), dtype=np.float32))
    with pytest.raises(FileExistsError, match="exists already"):
        ia.write_vectors(good, file, overwrite=False)
    with pytest.raises(InvalidValueError):
        ia.write_vectors(ia.Embeddings(["a\nb"], good.vectors), file)
    assert file.read_text() == "precious"
    assert [entry.name for entry in tmp_path.iterdir()] == ["x.vec"]


def test_a_stream_of_unknown_length_gets_a_true_header(tmp_path):
    source = tmp_path / "in.txt"
    source.write_bytes(b"a 1 2\nb 3 4\na 5 6\n")
    with pytest.warns(IsoalignWarning, match="1 rows repeat"):
        ia.write_vectors(open_vectors(source, duplicates="first"), tmp_path / "out.vec.gz")
    assert gzip.decompress((tmp_path / "out.vec.gz").read_bytes()) == b"2 2\na 1 2\nb 3 4\n"
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["in.txt", "out.vec.gz"]


@pytest.mark.filterwarnings("ignore::isoalign.errors.IsoalignWarning")
@given(content=st.binary(max_size=200), on_bad=st.sampled_from(["error", "skip"]))
def test_random_bytes_raise_only_our_errors(tmp_path_factory, content, on_bad):
    with contextlib.suppress(IsoalignError):
        read(tmp_path_factory.mktemp("fuzz"), content, on_bad=on_bad)


@pytest.mark.filterwarnings("ignore::isoalign.errors.IsoalignWarning")
@given(
    st.lists(
        st.lists(st.sampled_from(["1", "-2.5", "1e3", "word", "", "nan", "\t", "é", "9" * 40]), max_size=5).map(
            " ".join
        ),
        max_size=8,
    ),
    st.booleans(),
)
def test_lines_made_of_likely_pieces_raise_only_our_errors(tmp_path_factory, lines, header):
    content = "\n".join((["3 2"] if header else []) + lines).encode()
    try:
        vectors = read(tmp_path_factory.mktemp("fuzz"), content)
    except IsoalignError:
        return
    assert np.isfinite(vectors.vectors).all()
