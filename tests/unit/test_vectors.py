import numpy as np
import pytest

import isoalign as ia
from isoalign.errors import ParameterError, ShapeError, UnknownWordError
from isoalign.vectors import as_embeddings


@pytest.fixture
def pets():
    return ia.Embeddings(["cat", "dog", "cow"], np.eye(3, dtype=np.float32), lang="en")


def test_keeps_a_float32_matrix_without_copying():
    matrix = np.zeros((2, 3), dtype=np.float32)
    assert ia.Embeddings(["a", "b"], matrix).vectors is matrix


def test_turns_other_numbers_into_contiguous_float32():
    vectors = ia.Embeddings(["a", "b"], np.arange(6).reshape(3, 2).T).vectors
    assert vectors.dtype == np.float32
    assert vectors.flags.c_contiguous


def test_looks_words_up(pets):
    np.testing.assert_array_equal(pets["dog"], [0, 1, 0])
    np.testing.assert_array_equal(pets[["cow", "cat"]], [[0, 0, 1], [1, 0, 0]])
    assert "dog" in pets
    assert "bird" not in pets
    assert pets.key_to_index["cow"] == 2
    assert pets.vector_size == 3


def test_an_unknown_word_is_named_with_close_spellings(pets):
    with pytest.raises(UnknownWordError, match=r"'cot' is not among the 3 en words. Close spellings: c"):
        pets["cot"]
    with pytest.raises(UnknownWordError, match=r"'cot' is not among the 3 words\."):
        ia.Embeddings(pets.index_to_key, pets.vectors)["cot"]


def test_suggestions_and_spellings_do_not_mind_the_case(pets):
    assert pets.close_spellings("CAT")[0] == "cat"
    assert [pets.find_spelling(word) for word in ("Cat", "cat", "Bird")] == ["cat", "cat", "Bird"]
    assert ia.Embeddings(["NASA", "Paris"], pets.vectors[:2]).find_spelling("paris") == "Paris"


def test_head_shares_memory(pets):
    head = pets.head(2)
    assert np.shares_memory(head.vectors, pets.vectors)
    assert head.index_to_key == ["cat", "dog"]
    assert head.lang == "en"


def test_take_copies_the_given_rows(pets):
    some = pets.take(np.array([2, 0]))
    assert some.index_to_key == ["cow", "cat"]
    np.testing.assert_array_equal(some.vectors, [[0, 0, 1], [1, 0, 0]])


def test_unseen_words_get_their_subword_vector():
    class Parts:
        def vector(self, word):
            return np.full(2, len(word), dtype=np.float32) if word.isascii() else None

    vectors = ia.Embeddings(["a"], np.zeros((1, 2), dtype=np.float32), subwords=Parts())
    np.testing.assert_array_equal(vectors.get_vector("abc"), [3, 3])
    np.testing.assert_array_equal(vectors.get_vector("a"), [0, 0])
    with pytest.raises(UnknownWordError):
        vectors.get_vector("é")


@pytest.mark.parametrize("vectors", [np.zeros(3), np.zeros((2, 2))])
def test_words_and_vectors_must_fit(vectors):
    with pytest.raises(ShapeError):
        ia.Embeddings(["a", "b", "c"], vectors)


def test_other_objects_are_refused_with_advice():
    with pytest.raises(ParameterError, match=r"source must have .vectors and .index_to_key"):
        as_embeddings({"cat": [1, 2]})
