import numpy as np
import pytest

import isoalign as ia
from isoalign.errors import InvalidValueError, ParameterError


@pytest.fixture
def pets():
    vectors = np.random.default_rng(0).standard_normal((5, 3)).astype(np.float32) + 1
    return ia.Embeddings(["cat", "dog", "cow", "hen", "owl"], vectors, lang="en", metadata={"source": "farm"})


def test_the_words_stay_and_the_vectors_are_normalised(pets):
    result = ia.normalize(pets)
    assert result.index_to_key == pets.index_to_key
    assert result.lang == "en"
    np.testing.assert_array_equal(result.vectors, ia.IterNorm().fit_transform(pets.vectors))


def test_the_result_records_how_it_was_made(pets):
    result = ia.normalize(pets, n_iter=7)
    assert result.metadata == {"source": "farm", "normalization": {"method": "IterNorm(n_iter=7)", "rows": 5}}
    assert pets.metadata == {"source": "farm"}


def test_a_normalizer_can_be_passed_and_is_fitted(pets):
    normalizer = ia.IterNorm(n_iter=3)
    result = ia.normalize(pets, normalizer)
    np.testing.assert_array_equal(normalizer.transform(pets.vectors), result.vectors)


def test_settings_need_a_name(pets):
    with pytest.raises(ParameterError, match="Settings go with the name of a method"):
        ia.normalize(pets, ia.IterNorm(), n_iter=3)


def test_the_word_with_a_bad_vector_is_named(pets):
    pets.vectors[2, 1] = np.nan
    with pytest.raises(InvalidValueError, match=r"'cow'.*NaN or infinity"):
        ia.normalize(pets)


def test_the_word_with_a_zero_vector_is_named(pets):
    pets.vectors[3] = 0
    with pytest.raises(InvalidValueError, match=r"'hen'.*must not be zero"):
        ia.normalize(pets, zero="error")


def test_copy_false_overwrites_the_vectors(pets):
    expected = ia.normalize(pets).vectors
    assert ia.normalize(pets, copy=False).vectors is pets.vectors
    np.testing.assert_array_equal(pets.vectors, expected)


def test_words_made_from_subwords_go_through_the_same_rounds(pets):
    class Letters:
        def vector(self, word):
            return np.float32([len(word), 1, 2]) if word != "?" else None

    pets.subwords = Letters()
    normalizer = ia.IterNorm()
    result = ia.normalize(pets, normalizer)
    np.testing.assert_array_equal(result.get_vector("horse"), normalizer.transform([[5, 1, 2]])[0])
    assert result.subwords.vector("?") is None


def test_other_float_types_become_float32(pets):
    result = ia.normalize(ia.Embeddings(pets.index_to_key, pets.vectors.astype(np.float64)), "center")
    assert result.vectors.dtype == np.float32
