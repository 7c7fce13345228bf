"""Every format of the registry passes the same round trip."""

import contextlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import isoalign as ia
from isoalign.errors import InvalidValueError, IsoalignError
from isoalign.io import FORMATS, detect_format, open_vectors

WRITABLE = [entry for entry in FORMATS.values() if entry.writer is not None]
WORDS = ["the", "猫", "naïve", "x\u2028y", "a\u00a0b", "🙂", "Ω", "w\u0085v"]


def sample():
    matrix = np.random.default_rng(0).standard_normal((len(WORDS), 5)).astype(np.float32)
    return ia.Embeddings(WORDS, matrix)


def file_name(entry, compression=""):
    return "x" + entry.suffixes[0] + compression


@pytest.mark.parametrize("entry", WRITABLE, ids=lambda entry: entry.name)
def test_what_is_written_reads_back_bit_for_bit(tmp_path, entry):
    vectors = sample()
    ia.write_vectors(vectors, tmp_path / file_name(entry))
    assert detect_format(tmp_path / file_name(entry)).name == entry.name
    back = ia.read_vectors(tmp_path / file_name(entry))
    assert back.index_to_key == vectors.index_to_key
    assert np.asarray(back.vectors).tobytes() == vectors.vectors.tobytes()


@pytest.mark.parametrize("word", ["\ufeff", "", "\0", "x" * 100_000, "7", "-", "#", "'"])
@pytest.mark.parametrize("entry", WRITABLE, ids=lambda entry: entry.name)
def test_an_odd_first_word_survives_or_is_refused(tmp_path, entry, word):
    vectors = ia.Embeddings([word, "a"], np.eye(2, dtype=np.float32))
    try:
        ia.write_vectors(vectors, tmp_path / file_name(entry))
    except InvalidValueError:
        assert len(word) > 1000
        assert list(tmp_path.iterdir()) == []
    else:
        assert ia.read_vectors(tmp_path / file_name(entry)).index_to_key == [word, "a"]


@pytest.mark.parametrize("entry", WRITABLE, ids=lambda entry: entry.name)
def test_a_word_without_utf8_is_refused_by_its_name(tmp_path, entry):
    with pytest.raises(InvalidValueError, match=r"the word '\\ud800' is not Unicode text"):
        ia.write_vectors(ia.Embeddings(["\ud800"], np.ones((1, 2), dtype=np.float32)), tmp_path / file_name(entry))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("entry", WRITABLE, ids=lambda entry: entry.name)
def test_every_format_converts_to_every_other(tmp_path, entry):
    first = tmp_path / file_name(entry)
    ia.write_vectors(sample(), first)
    for other in WRITABLE:
        second = tmp_path / f"y-{other.name}{other.suffixes[0]}"
        ia.write_vectors(open_vectors(first), second, format=other.name)
        assert ia.read_vectors(second).index_to_key == WORDS


@pytest.mark.parametrize("entry", WRITABLE, ids=lambda entry: entry.name)
def test_limit_keeps_the_first_words(tmp_path, entry):
    ia.write_vectors(sample(), tmp_path / file_name(entry))
    assert ia.read_vectors(tmp_path / file_name(entry), limit=3).index_to_key == WORDS[:3]


@pytest.mark.parametrize("entry", WRITABLE, ids=lambda entry: entry.name)
def test_a_failure_in_the_middle_leaves_the_old_file_and_nothing_else(tmp_path, entry):
    path = tmp_path / file_name(entry)
    ia.write_vectors(sample(), path)

    def broken_blocks(blocks):
        yield from blocks
        raise InvalidValueError("the reader failed")

    stream = open_vectors(path)
    stream.blocks = broken_blocks(stream.blocks)
    with pytest.raises(InvalidValueError, match="the reader failed"):
        ia.write_vectors(stream, path)
    assert ia.read_vectors(path).index_to_key == WORDS
    assert not [entry for entry in tmp_path.iterdir() if entry.name.startswith(".")]


@pytest.mark.parametrize("compression", [".gz", ".bz2", ".xz", ".zst"])
@pytest.mark.parametrize("entry", [entry for entry in WRITABLE if not entry.is_folder], ids=lambda entry: entry.name)
def test_every_file_format_can_be_compressed(tmp_path, entry, compression):
    path = tmp_path / file_name(entry, compression)
    ia.write_vectors(sample(), path)
    assert ia.read_vectors(path).index_to_key == WORDS


@pytest.mark.filterwarnings("ignore::isoalign.errors.IsoalignWarning")
@pytest.mark.parametrize("entry", [entry for entry in FORMATS.values() if not entry.is_folder], ids=lambda e: e.name)
@given(content=st.binary(max_size=300))
def test_random_bytes_raise_only_our_errors(tmp_path_factory, entry, content):
    path = tmp_path_factory.mktemp("fuzz") / "x"
    path.write_bytes(content)
    with contextlib.suppress(IsoalignError):
        ia.read_vectors(path, format=entry.name)
