import numpy as np
import pytest
import spacy
from gensim.models import KeyedVectors
from gensim.models.fasttext import load_facebook_vectors
from spacy.vectors import Vectors
from spacy.vocab import Vocab

import isoalign as ia
from isoalign.errors import MissingExtraError, ParameterError, UnknownWordError
from isoalign.vectors import as_embeddings
from vector_files import FASTTEXT, made_up


@pytest.fixture
def vocab():
    vocab = Vocab()
    for word, vector in {"cat": [1, 2], "dog": [3, 4]}.items():
        vocab.set_vector(word, np.array(vector, dtype=np.float32))
    return vocab


def test_gensim_vectors_are_wrapped_without_copying():
    keyed_vectors = KeyedVectors(3)
    keyed_vectors.add_vectors(["a", "b"], np.arange(6, dtype=np.float32).reshape(2, 3))
    for vectors in (ia.Embeddings.from_gensim(keyed_vectors, lang="en"), as_embeddings(keyed_vectors)):
        assert np.shares_memory(vectors.vectors, keyed_vectors.vectors)
        assert vectors.index_to_key == ["a", "b"]
        np.testing.assert_array_equal(vectors["b"], keyed_vectors["b"])
        assert vectors.subwords is None


def test_gensim_fasttext_vectors_keep_their_subwords():
    keyed_vectors = load_facebook_vectors(str(FASTTEXT / "skipgram.bin"))
    vectors = ia.Embeddings.from_gensim(keyed_vectors)
    np.testing.assert_array_equal(vectors.get_vector("unseen"), keyed_vectors.get_vector("unseen"))
    with pytest.raises(UnknownWordError):
        vectors.get_vector("")
    words_only = ia.Embeddings.from_gensim(load_facebook_vectors(str(FASTTEXT / "words_only.bin")))
    with pytest.raises(UnknownWordError):
        words_only.get_vector("unseen")


def test_gensim_works_on_our_matrix(tmp_path):
    vectors = made_up(20)
    keyed_vectors = vectors.to_gensim()
    assert np.shares_memory(vectors.vectors, keyed_vectors.vectors)
    word, other = vectors.index_to_key[:2]
    x, y = vectors[word], vectors[other]
    expected = x @ y / np.linalg.norm(x) / np.linalg.norm(y)
    np.testing.assert_allclose(keyed_vectors.similarity(word, other), expected, rtol=1e-5)
    assert len(keyed_vectors.most_similar(word, topn=19)) == 19
    keyed_vectors.save(str(tmp_path / "x"))
    np.testing.assert_array_equal(KeyedVectors.load(str(tmp_path / "x"))[other], y)


def test_words_that_stand_twice_cannot_go_to_gensim():
    with pytest.raises(ParameterError, match="1 words occur twice"):
        ia.Embeddings(["a", "a"], np.eye(2)).to_gensim()


def test_a_missing_gensim_is_named_with_its_extra(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "gensim.models", None)
    with pytest.raises(MissingExtraError, match=r"pip install .*\[gensim\]'"):
        made_up(2).to_gensim()


def test_spacy_vectors_have_their_words_and_language(vocab):
    vectors = ia.Embeddings.from_spacy(vocab, lang="en")
    assert vectors.index_to_key == ["cat", "dog"]
    np.testing.assert_array_equal(vectors.vectors, [[1, 2], [3, 4]])
    assert vectors.lang == "en"
    nlp = spacy.blank("is")
    nlp.vocab.set_vector("hús", np.ones(2, dtype=np.float32))
    assert ia.Embeddings.from_spacy(nlp.vocab).lang == "is"


def test_a_full_spacy_table_is_not_copied(vocab):
    vocab.vectors = Vectors(data=np.eye(2, dtype=np.float32), keys=["dog", "cat"], strings=vocab.strings)
    vectors = ia.Embeddings.from_spacy(vocab)
    assert np.shares_memory(vectors.vectors, vocab.vectors.data)
    assert vectors.index_to_key == ["dog", "cat"]


def test_a_row_that_several_spacy_words_share_comes_once(vocab):
    vocab.vectors.add("kitten", row=0)
    assert ia.Embeddings.from_spacy(vocab).index_to_key == ["cat", "dog"]


def test_spacy_keys_without_a_string_are_left_out(vocab):
    vocab.vectors.add(1234567890123, vector=np.array([5, 6], dtype=np.float32))
    assert ia.Embeddings.from_spacy(vocab).index_to_key == ["cat", "dog"]


def test_a_spacy_vocabulary_without_word_vectors_is_refused():
    with pytest.raises(ParameterError, match=r"Got none \(mode 'default', shape \(0, 0\)\)"):
        ia.Embeddings.from_spacy(spacy.blank("is").vocab)
    floret = Vocab()
    data = np.ones((10, 4), dtype=np.float32)
    floret.vectors = Vectors(strings=floret.strings, mode="floret", data=data, hash_count=2, minn=3, maxn=4)
    with pytest.raises(ParameterError, match="mode 'floret'"):
        ia.Embeddings.from_spacy(floret)
