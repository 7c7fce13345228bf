"""Word similarity and correlations."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import isoalign as ia
from isoalign.errors import InvalidValueError, ShapeError
from isoalign.evaluation._correlation import average_ranks, correlations
from isoalign.io import SimilaritySet

ANGLES = {"a": 0, "b": 10, "c": 40, "d": 90}
VECTORS = np.array([[np.cos(np.radians(x)), np.sin(np.radians(x))] for x in ANGLES.values()], dtype=np.float32)
FLAT = ia.Embeddings(list(ANGLES), 3 * VECTORS)


@given(st.lists(st.integers(0, 5), min_size=1, max_size=30))
def test_equal_values_share_their_mean_rank(values):
    found = average_ranks(np.array(values, dtype=float), np.ones((1, len(values))))[0]
    np.testing.assert_allclose(found, stats.rankdata(values))


@given(st.integers(0, 1000))
def test_a_resample_has_the_correlations_of_the_values_it_repeats(seed):
    rng = np.random.default_rng(seed)
    x, y = rng.integers(0, 9, 20).astype(float), rng.normal(size=20)
    rows = rng.integers(0, 20, (3, 20))
    counts = np.stack([np.bincount(draw, minlength=20) for draw in rows]).astype(float)
    expected = [[stats.pearsonr(x[r], y[r])[0], stats.spearmanr(x[r], y[r])[0]] for r in rows]
    np.testing.assert_allclose(correlations(x, y, counts), expected, atol=1e-12)


def test_a_constant_side_has_no_correlation():
    assert np.isnan(correlations(np.ones(3), np.arange(3.0), np.ones((1, 3)))).all()


def test_cosines_that_follow_the_scores_correlate_perfectly():
    pairs = SimilaritySet("angles", [("a", "b"), ("a", "c"), ("a", "d"), ("a", "?")], [9.0, 5.0, 1.0, 3.0])
    found = ia.evaluate_similarity(FLAT, pairs)
    assert (found.spearman, found.n, found.n_pairs, found.coverage) == (pytest.approx(1), 3, 4, 0.75)
    cosines = np.cos(np.radians([10, 40, 90]))
    assert found.pearson == pytest.approx(stats.pearsonr(cosines, [9, 5, 1])[0], abs=1e-6)
    assert not found.cross_lingual


def test_a_cross_lingual_set_takes_one_word_of_each_side():
    other = ia.Embeddings(["x", "y", "z"], VECTORS[[3, 0, 2]])
    pairs = SimilaritySet("across", [("a", "x"), ("a", "y"), ("a", "z")], [0.0, 10.0, 7.0])
    found = ia.evaluate_similarity(FLAT, pairs, target=other)
    assert (found.spearman, found.cross_lingual) == (pytest.approx(1), True)
    model = ia.Alignment.from_matrix(None, source=FLAT, target=other)
    assert ia.evaluate_similarity(model, pairs).spearman == pytest.approx(1)


def test_the_interval_holds_the_correlation_and_covers_as_fisher_says():
    rng = np.random.default_rng(0)
    words = ia.Embeddings([f"w{i}" for i in range(400)], rng.normal(size=(400, 2)).astype(np.float32))
    pairs = [(f"w{i}", f"w{i + 200}") for i in range(200)]
    cosines = np.cos(np.subtract(*[np.arctan2(*words.vectors[rows].T) for rows in (slice(200), slice(200, 400))]))
    human = cosines + rng.normal(size=200)
    found = ia.evaluate_similarity(words, SimilaritySet("noisy", pairs, human.tolist()))
    for value, (low, high) in ((found.spearman, found.spearman_ci95), (found.pearson, found.pearson_ci95)):
        assert low < value < high
        fisher = np.tanh(np.arctanh(value) + np.array([-1.96, 1.96]) / np.sqrt(197))
        assert high - low == pytest.approx(fisher[1] - fisher[0], rel=0.25)


def test_a_set_of_another_language_is_refused():
    with pytest.raises(InvalidValueError, match="0 of 1 pairs are known"):
        ia.evaluate_similarity(FLAT, SimilaritySet("foreign", [("x", "y")], [1.0]))


def test_sides_of_different_dimension_are_refused():
    with pytest.raises(ShapeError, match="Both sides"):
        ia.evaluate_similarity(
            FLAT, SimilaritySet("s", [("a", "x")], [1.0]), target=ia.Embeddings(["x"], np.ones((1, 3)))
        )
