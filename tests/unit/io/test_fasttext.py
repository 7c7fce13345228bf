import gzip
import json
import struct

import numpy as np
import pytest
from gensim.models.fasttext import load_facebook_vectors

from isoalign.errors import FormatError, OutputExistsError, ParameterError, ShapeError, UnknownWordError
from isoalign.io import _fasttext
from isoalign.io._fasttext import open_stream, write_mapped
from isoalign.io._fasttext_model import parse_model
from vector_files import FASTTEXT, memory_stays_below, read

EXPECTED = json.loads((FASTTEXT / "expected.json").read_text(encoding="utf-8"))
SETTINGS, DICTIONARY, WORDS = 8, 64, 92  # where these begin in a file


def rotation(dim):
    return np.linalg.qr(np.random.default_rng(0).standard_normal((dim, dim)))[0]


def changed(tmp_path, name, position, data):
    """Write a copy of a model with some bytes replaced."""
    model = bytearray((FASTTEXT / name).read_bytes())
    model[position : position + len(data)] = data
    path = tmp_path / name
    path.write_bytes(model)
    return path


@pytest.mark.parametrize("name", EXPECTED)
def test_words_have_the_vectors_of_the_real_program(name):
    vectors = read(_fasttext, FASTTEXT / name)
    assert vectors.index_to_key == EXPECTED[name]["words"]
    np.testing.assert_allclose(vectors.vectors, EXPECTED[name]["vectors"], rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("name", EXPECTED)
def test_unseen_words_have_the_vectors_of_the_real_program(name):
    vectors = read(_fasttext, FASTTEXT / name)
    for word, expected in EXPECTED[name]["unseen"].items():
        if any(expected):
            np.testing.assert_allclose(vectors.get_vector(word), expected, rtol=1e-6, atol=1e-7)
        else:  # the real program gives zeros to a word without n-grams
            with pytest.raises(UnknownWordError):
                vectors.get_vector(word)


@pytest.mark.parametrize("name", ["skipgram.bin", "cbow.bin", "words_only.bin"])
def test_gensim_gives_the_same_vectors_in_and_out_of_vocabulary(name):
    ours, theirs = read(_fasttext, FASTTEXT / name), load_facebook_vectors(str(FASTTEXT / name))
    assert ours.index_to_key == theirs.index_to_key
    # gensim adds n-grams to the end-of-sentence mark; the real program does not.
    words = [word for word in ours.index_to_key if word != "</s>"]
    np.testing.assert_allclose(ours[words], theirs[words], atol=1e-6)
    for word in EXPECTED[name]["unseen"] if ours.subwords else ():
        np.testing.assert_allclose(ours.get_vector(word), theirs.get_vector(word), atol=1e-6)


def test_the_fixtures_cover_every_kind_of_model():
    models = {name: parse_model(FASTTEXT / name, np.fromfile(FASTTEXT / name, np.uint8)) for name in EXPECTED}
    assert {model.about["model"] for model in models.values()} == {"cbow", "skipgram", "supervised"}
    assert {model.about["version"] for model in models.values()} == {11, 12}
    assert models["pruned.ftz"].ngrams.kept is not None
    assert models["plain.ftz"].ngrams.kept is None
    assert models["words_only.bin"].about["bucket"] == 0
    assert models["qnorm.ftz"].table.lengths is not None
    assert models["plain.ftz"].table.lengths is None
    assert all((not model.dense) == model.about["quantized"] for model in models.values())


def test_a_model_without_ngrams_has_no_subwords():
    assert open_stream(FASTTEXT / "words_only.bin").subwords is None
    assert open_stream(FASTTEXT / "version11.bin").subwords is None


def test_a_word_too_short_for_ngrams_is_unknown():
    with pytest.raises(UnknownWordError, match="''"):
        read(_fasttext, FASTTEXT / "skipgram.bin").get_vector("")


def test_every_model_is_found_by_its_content():
    for name in EXPECTED:
        assert _fasttext.looks_like((FASTTEXT / name).read_bytes(), FASTTEXT / "x.vec")
    assert not _fasttext.looks_like(b"3 2\na 1 2\n", FASTTEXT / "x.bin")


def test_a_compressed_model_is_read_like_the_plain_one(tmp_path):
    path = tmp_path / "model.bin.gz"
    path.write_bytes(gzip.compress((FASTTEXT / "skipgram.bin").read_bytes()))
    ours = read(_fasttext, path)
    np.testing.assert_array_equal(ours.vectors, read(_fasttext, FASTTEXT / "skipgram.bin").vectors)
    assert ours.get_vector("unseen").shape == (5,)


def test_invalid_utf8_in_a_word_is_replaced_and_counted(tmp_path):
    vectors = read(_fasttext, changed(tmp_path, "words_only.bin", WORDS, b"\xff"))
    assert vectors.index_to_key[0].startswith("\ufffd")
    assert vectors.metadata["replaced_words"] == 1


@pytest.mark.parametrize("name", ["skipgram.bin", "pruned.ftz", "qout.ftz"])
def test_a_model_cut_off_anywhere_is_refused(tmp_path, name):
    whole = (FASTTEXT / name).read_bytes()
    path = tmp_path / name
    for size in [0, 3, *range(4, len(whole), 97), len(whole) - 1]:
        path.write_bytes(whole[:size])
        with pytest.raises(FormatError, match=r"byte \d+: .*cut off"):
            open_stream(path)


@pytest.mark.parametrize(
    ("position", "value", "says"),
    [
        (0, 1, "not a fastText model"),
        (4, 99, "version 99"),
        (SETTINGS, -1, "vectors of -1 values"),
        (SETTINGS, 2**31 - 1, "vectors of 2147483647 values"),
        (SETTINGS, 6, "cannot hold vectors of 6"),
        (SETTINGS + 32, 2**31 - 1, "too few"),
        (SETTINGS + 40, 2**31 - 1, "n-grams of 2147483647"),
        (DICTIONARY, 2**31 - 1, "does not fit the file"),
        (DICTIONARY, -5, "does not fit the file"),
        (DICTIONARY + 4, 54, "does not fit the file"),
        (DICTIONARY + 20, 2**30, "kept buckets"),
    ],
)
def test_a_lying_header_is_refused_without_reserving_memory(tmp_path, position, value, says):
    path = changed(tmp_path, "skipgram.bin", position, struct.pack("<i", value))
    if position == DICTIONARY + 20:
        path = changed(tmp_path, "skipgram.bin", position, struct.pack("<q", value))
    with memory_stays_below(1 << 20), pytest.raises(FormatError, match=says):
        open_stream(path)


def test_a_mapped_model_gives_every_word_its_mapped_vector(tmp_path):
    path_in, path_out = FASTTEXT / "skipgram.bin", tmp_path / "mapped.bin"
    before = path_in.read_bytes()
    W = rotation(5)
    write_mapped(path_in, path_out, W)
    old, new = read(_fasttext, path_in), read(_fasttext, path_out)
    assert path_in.read_bytes() == before
    assert new.index_to_key == old.index_to_key
    np.testing.assert_allclose(new.vectors, old.vectors @ W, atol=1e-6)
    np.testing.assert_allclose(new.get_vector("unseen"), old.get_vector("unseen") @ W, atol=1e-6)
    theirs = load_facebook_vectors(str(path_out))
    np.testing.assert_allclose(theirs.get_vector("unseen"), new.get_vector("unseen"), atol=1e-6)


def test_a_mapped_classifier_predicts_what_it_did(tmp_path):
    path_in, path_out = FASTTEXT / "supervised.bin", tmp_path / "mapped.bin.gz"
    W = rotation(5) * 3 + np.eye(5)
    write_mapped(path_in, path_out, W)

    def scores(data):
        model = parse_model(path_in, np.frombuffer(data, np.uint8))
        matrices = [data[start : start + 4 * 5 * rows] for start, rows in model.dense]
        hidden, output = (np.frombuffer(matrix, "<f4").reshape(-1, 5) for matrix in matrices)
        return hidden @ output.T

    old, new = path_in.read_bytes(), gzip.decompress(path_out.read_bytes())
    assert len(new) == len(old)
    np.testing.assert_allclose(scores(new), scores(old), atol=1e-5)


def test_the_identity_copies_a_model_byte_for_byte(tmp_path):
    write_mapped(FASTTEXT / "cbow.bin", tmp_path / "same.bin", np.eye(5))
    assert (tmp_path / "same.bin").read_bytes() == (FASTTEXT / "cbow.bin").read_bytes()


def test_a_model_is_never_mapped_onto_itself(tmp_path):
    path = tmp_path / "model.bin"
    path.write_bytes((FASTTEXT / "cbow.bin").read_bytes())
    (tmp_path / "link.bin").symlink_to(path)
    with pytest.raises(ParameterError, match="is the input"):
        write_mapped(path, tmp_path / "link.bin", np.eye(5))
    (tmp_path / "other.bin").write_bytes(b"old")
    with pytest.raises(OutputExistsError):
        write_mapped(path, tmp_path / "other.bin", np.eye(5), overwrite=False)


@pytest.mark.parametrize(
    ("name", "W", "error", "says"),
    [
        ("qnorm.ftz", np.eye(5), FormatError, "is quantised"),
        ("cbow.bin", np.eye(4), ShapeError, r"shape \(5, 5\)"),
        ("cbow.bin", np.zeros((5, 5)), ParameterError, "invertible"),
    ],
)
def test_what_cannot_be_mapped_is_refused_and_nothing_written(tmp_path, name, W, error, says):
    with pytest.raises(error, match=says):
        write_mapped(FASTTEXT / name, tmp_path / "mapped.bin", W)
    assert list(tmp_path.iterdir()) == []
