from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import isoalign as ia
from isoalign.errors import InvalidValueError, ParameterError, ShapeError

PAIRS = [("cat", "猫"), ("cat", "ネコ"), ("dog", "犬"), ("bird", "鳥")]


def embed(words):
    return ia.Embeddings(words, np.zeros((len(words), 2), dtype=np.float32))


def test_a_file_name_is_not_taken_for_pairs():
    for name in ("train.txt", Path("train.txt")):
        with pytest.raises(ParameterError, match=r"Got .*train.txt.*Read a file with read_lexicon"):
            ia.Lexicon(name)


def test_row_pairs_and_coverage_count_known_pairs():
    lexicon = ia.Lexicon(PAIRS)
    source, target = embed(["dog", "cat"]), embed(["犬", "猫", "鳥"])
    np.testing.assert_array_equal(lexicon.row_pairs(source, target), [[1, 1], [0, 0]])
    coverage = lexicon.coverage(source, target)
    assert (coverage.n_pairs, coverage.known_pairs, coverage.n_sources, coverage.known_sources) == (4, 2, 3, 2)
    assert coverage.pairs == 0.5


def test_required_pairs_are_the_known_ones_or_an_error_that_says_what_to_do():
    lexicon = ia.Lexicon(PAIRS)
    source, target = embed(["dog", "cat"]), embed(["犬", "猫", "鳥"])
    np.testing.assert_array_equal(lexicon.require_pairs(source, target), lexicon.row_pairs(source, target))
    with pytest.raises(InvalidValueError, match=r"No test pair has both words .* \(4 pairs\).*swap=True"):
        lexicon.require_pairs(target, source, what="test pair")
    with pytest.raises(InvalidValueError, match=r"No dictionary pair .* \(0 pairs\). Give a dictionary of these two"):
        ia.Lexicon([]).require_pairs(source, target)


@given(st.lists(st.tuples(st.sampled_from("abcdefgh"), st.sampled_from("xyz")), min_size=2), st.integers(0, 5))
def test_a_split_never_divides_a_source_word(pairs, seed):
    lexicon = ia.Lexicon(pairs)
    if len(lexicon.sources) < 2:
        return
    kept, held_out = lexicon.split(0.3, random_state=seed)
    assert set(kept.sources).isdisjoint(held_out.sources)
    assert sorted([*kept, *held_out]) == sorted(pairs)
    assert kept
    assert held_out


def test_a_split_repeats_with_its_seed_and_changes_without():
    lexicon = ia.Lexicon([(str(i), str(i)) for i in range(100)])
    assert lexicon.split(0.2, random_state=1)[1] == lexicon.split(0.2, random_state=1)[1]
    assert lexicon.split(0.2, random_state=1)[1] != lexicon.split(0.2, random_state=2)[1]
    assert len(lexicon.split(0.2)[1]) == 20


def test_a_split_needs_two_words_and_a_true_fraction():
    with pytest.raises(ParameterError, match="at least 2 source words"):
        ia.Lexicon(PAIRS[:2]).split(0.5)
    with pytest.raises(ParameterError, match="between 0 and 1"):
        ia.Lexicon(PAIRS).split(1)


def test_inverse_turns_pairs_round_and_keeps_scores():
    inverse = ia.Lexicon(PAIRS[:2], scores=[1, 0.5]).inverse()
    assert list(inverse) == [("猫", "cat"), ("ネコ", "cat")]
    assert inverse.scores == [1, 0.5]


def test_a_hint_says_what_would_find_more_pairs():
    lexicon = ia.Lexicon([("Cat", "e\u0301"), ("New York", "x"), ("Dog", "y")])
    source, target = embed(["cat", "dog", "New_York"]), embed(["é", "x", "y"])
    hint = lexicon.hint(source, target)
    assert hint.startswith("0 of 3 dictionary pairs are in the vocabularies: ")
    assert "1 more after lower-casing" in hint
    assert "1 more after writing '_' for spaces" in hint
    assert ia.Lexicon([("cat", "x")]).hint(source, target) is None


def test_scores_must_fit_the_pairs():
    with pytest.raises(ShapeError):
        ia.Lexicon(PAIRS, scores=[1])


def test_slices_are_lexicons():
    assert ia.Lexicon(PAIRS)[1:3] == ia.Lexicon(PAIRS[1:3])
    assert ia.Lexicon(PAIRS)[-1] == ("bird", "鳥")
