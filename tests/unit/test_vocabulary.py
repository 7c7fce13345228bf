import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from isoalign.vocabulary import Vocabulary

words_lists = st.lists(st.text(st.characters(exclude_categories=["Cs"])))


@given(words_lists)
def test_packed_words_are_the_same_words(words):
    packed = Vocabulary.from_packed(*Vocabulary(words).to_packed())
    assert len(packed) == len(words)
    assert [packed[row] for row in range(len(words))] == words
    assert packed == Vocabulary(words)


@given(words_lists, st.slices(10))
def test_a_slice_has_the_words_of_the_list_slice(words, rows):
    packed = Vocabulary.from_packed(*Vocabulary(words).to_packed())
    assert list(packed[rows]) == words[rows]


def test_a_word_that_stands_twice_has_its_first_row():
    vocabulary = Vocabulary(["a", "b", "a"])
    assert vocabulary.rows == {"a": 0, "b": 1}
    np.testing.assert_array_equal(vocabulary.find(["a", "c", "b"]), [0, -1, 1])


def test_a_row_beyond_the_end_is_an_index_error():
    packed = Vocabulary.from_packed(*Vocabulary(["a"]).to_packed())
    assert packed[-1] == "a"
    with pytest.raises(IndexError):
        packed[1]
