"""Dictionaries and word-similarity sets."""

import contextlib
import gzip

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import isoalign as ia
from isoalign.errors import FormatError, InvalidValueError, IsoalignError, IsoalignWarning


def write(folder, content, name="d.txt"):
    file = folder / name
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    return file


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("d.txt", "cat\t猫\ndog\t犬\n"),
        ("d.txt", "cat 猫\ndog 犬"),
        ("d.txt", "cat    猫\r\ndog \t 犬\r\n"),
        ("d.txt", "\ufeffcat\t猫\n\n# a comment\ndog\t犬\n\n"),
        ("d.tsv", "cat\t猫\ndog\t犬\n"),
        ("d.csv", 'cat,猫\n"dog",犬\n'),
        ("d.txt", "#\n## \ncat\t猫\t\ndog\t犬 \t \n#"),
    ],
)
def test_reads_pairs_from_every_layout(tmp_path, name, content):
    assert list(ia.read_lexicon(write(tmp_path, content, name))) == [("cat", "猫"), ("dog", "犬")]


def test_words_with_spaces_are_kept_between_tabs(tmp_path):
    assert list(ia.read_lexicon(write(tmp_path, "new york\tニュー ヨーク\na\u2028b\tc\u00a0d\n"))) == [
        ("new york", "ニュー ヨーク"),
        ("a\u2028b", "c\u00a0d"),
    ]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("cat 猫\nlonely\n", "d.txt:2: expected 2 columns, got 'lonely'"),
        ("cat\t\n", "d.txt:1: expected 2 columns"),
        ("cat 猫\nnew york ニューヨーク\n", "d.txt:2: expected 2 words, got 3 fields. Put one tab"),
        ("cat\t猫\tnoun\n", "d.txt:1: expected 2 words, got 3 fields. Put one tab"),
        ("", "contains no word pairs"),
        ("# nothing\n", "contains no word pairs"),
    ],
)
def test_names_the_line_of_a_bad_dictionary(tmp_path, content, message):
    with pytest.raises(FormatError, match=message):
        ia.read_lexicon(write(tmp_path, content))


def test_a_lexicon_survives_writing_and_reading(tmp_path):
    lexicon = ia.Lexicon([("new york", "紐約"), ("#", "x")], scores=[0.5, -1.25])
    ia.write_lexicon(lexicon, tmp_path / "l.tsv.gz")
    assert gzip.decompress((tmp_path / "l.tsv.gz").read_bytes()).count(b"\t") == 4
    assert ia.read_lexicon(tmp_path / "l.tsv.gz") == lexicon


WORD_PAIRS = st.lists(st.tuples(st.text(max_size=4), st.text(max_size=4)), min_size=1, max_size=3)


@given(WORD_PAIRS)
@example([("\ufeff", "\ufeff")])
@example([("#", "#"), ("#", "a")])
@example([("a\r", "b")])
@example([("source", "target"), ("a", "b")])
@example([("a", "half of a pair: \ud800")])
def test_a_lexicon_between_tabs_reads_back_or_is_refused(tmp_path_factory, pairs):
    file = tmp_path_factory.mktemp("lexicon") / "l.tsv"
    try:
        ia.write_lexicon(ia.Lexicon(pairs), file)
    except InvalidValueError:
        assert not file.exists()
    else:
        assert list(ia.read_lexicon(file)) == pairs


@given(WORD_PAIRS, st.booleans())
@example([("New York, NY", "紐育")], False)
@example([("source", "target"), ("target", "source")], True)
@example([(' "quoted" ', "a\r\nb\r"), ("# no comment", "\t")], True)
@example([("\ufeff", "\ufeff")], False)
@example([("\r", "\r"), ("\n", " ")], False)
def test_every_word_survives_a_csv_file(tmp_path_factory, pairs, scored):
    pairs = [(a or "a", b or "b") for a, b in pairs]
    lexicon = ia.Lexicon(pairs, scores=[0.5] * len(pairs) if scored else None)
    file = tmp_path_factory.mktemp("lexicon") / "l.csv"
    ia.write_lexicon(lexicon, file)
    assert ia.read_lexicon(file) == lexicon


def test_a_csv_file_has_a_header_and_a_file_with_tabs_on_request(tmp_path):
    lexicon = ia.Lexicon([("New York, NY", "紐育")], scores=[0.5])
    ia.write_lexicon(lexicon, tmp_path / "l.csv")
    assert (tmp_path / "l.csv").read_text() == 'source,target,score\n"New York, NY",紐育,0.5\n'
    ia.write_lexicon(lexicon, tmp_path / "l.tsv", header=True)
    assert (tmp_path / "l.tsv").read_text() == "source\ttarget\tscore\nNew York, NY\t紐育\t0.5\n"
    assert ia.read_lexicon(tmp_path / "l.tsv") == lexicon


def test_columns_are_found_by_their_titles(tmp_path):
    file = write(tmp_path, "rank,target,mutual,source\n1,猫,yes,cat\n2,,,\n", "d.csv")
    with pytest.warns(IsoalignWarning, match="1 bad lines"):
        assert list(ia.read_lexicon(file, on_bad="skip")) == [("cat", "猫")]


def test_a_quote_that_never_ends_is_an_error(tmp_path):
    with pytest.raises(FormatError, match=r"d.csv:2: not comma-separated values"):
        ia.read_lexicon(write(tmp_path, 'cat,猫\n"dog,犬\n', "d.csv"))


def test_bad_lines_can_be_skipped_and_are_counted(tmp_path):
    with pytest.warns(IsoalignWarning, match=r"d.txt: 2 bad lines were skipped"):
        assert list(ia.read_lexicon(write(tmp_path, "a\nb c\nd e f\n"), on_bad="skip")) == [("b", "c")]
    with pytest.warns(IsoalignWarning, match=r"d.txt: 1 bad lines were skipped"):
        assert ia.read_similarity(write(tmp_path, "a b 1\nc d x\n"), on_bad="skip").scores == [1.0]


def test_invalid_utf8_is_replaced_and_counted(tmp_path):
    with pytest.warns(IsoalignWarning, match=r"d.txt: 1 lines were not UTF-8"):
        assert list(ia.read_lexicon(write(tmp_path, b"a\xff b\nc d\n"))) == [("a\ufffd", "b"), ("c", "d")]


def test_a_csv_field_beyond_all_measure_is_an_error_of_ours(tmp_path):
    with pytest.raises(FormatError, match=r"d.csv:1: not comma-separated values"):
        ia.read_lexicon(write(tmp_path, "a," + "x" * 200_000, "d.csv"))


def test_reads_similarity_with_tabs_spaces_and_titles(tmp_path):
    for content in (
        "car\tautomobile\t3.92\ngem\tJewel\t3.84\n",
        "word1 word2 score\ncar automobile 3.92\ngem jewel 3.84",
    ):
        found = ia.read_similarity(write(tmp_path, content, "EN_MC-30.txt"))
        assert found.name == "EN_MC-30"
        assert found.pairs == [("car", "automobile"), ("gem", "jewel")]
        assert found.scores == [3.92, 3.84]


@pytest.mark.parametrize("score", ["high", "nan", "inf"])
@pytest.mark.parametrize("first", ["a b 1", "word1 word2 score"])
def test_a_score_that_is_no_number_is_named(tmp_path, first, score):
    with pytest.raises(FormatError, match=rf"d.txt:2: expected a score in the third column, got '{score}'"):
        ia.read_similarity(write(tmp_path, f"{first}\nc d {score}\ne f 1\n"))


@pytest.mark.filterwarnings("ignore::isoalign.errors.IsoalignWarning")
@given(st.binary(max_size=80))
def test_random_bytes_raise_only_our_errors(tmp_path_factory, content):
    file = write(tmp_path_factory.mktemp("fuzz"), content)
    for read in (ia.read_lexicon, ia.read_similarity):
        with contextlib.suppress(IsoalignError):
            read(file)
