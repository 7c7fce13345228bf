"""Planted mistakes are listed first, and second translations are not."""

import numpy as np
import pytest

import isoalign as ia
from isoalign._core.logistic import fit_logistic
from isoalign.alignment._check_dictionary import _siblings
from isoalign.errors import InvalidValueError
from isoalign.testing import planted_embeddings


@pytest.fixture(scope="module")
def mistaken():
    """A dictionary in which every tenth word has another word's translation."""
    source, target, train = planted_embeddings(400, 10, noise=0.5, n_pairs=200)
    wrong = {word: train[(place + 37) % 200][1] for place, (word, _) in enumerate(train) if place % 10 == 0}
    return source, target, [(word, wrong.get(word, answer)) for word, answer in train], wrong, dict(train)


def test_planted_mistakes_come_first_with_what_is_right(mistaken):
    source, target, pairs, wrong, right = mistaken
    found = ia.check_dictionary(source, target, [*pairs, ("unknown", "t1")], n_folds=4)
    assert (found.n_pairs, len(found.suspects)) == (201, 200)
    first = found.suspects[: len(wrong)]
    assert np.mean([one.source in wrong for one in first]) > 0.85
    assert np.mean([right[one.source] in one.suggestions for one in first if one.source in wrong]) > 0.7
    suspicions = [one.suspicion for one in found.suspects]
    assert suspicions == sorted(suspicions, reverse=True)
    assert 0 <= suspicions[-1] < 0.2 < 0.6 < suspicions[0] <= 1
    last = found.suspects[-1]
    assert last.rank <= 3
    assert last.reverse_rank <= 3


def test_too_few_pairs_are_refused(mistaken):
    source, target, pairs, *_ = mistaken
    with pytest.raises(InvalidValueError, match=r"at least 10 source words .* Got 8"):
        ia.check_dictionary(source, target, pairs[:8])


def test_siblings_are_the_nearest_other_translations():
    Y = np.eye(4, dtype=np.float32)
    Y[1] = [0.6, 0.8, 0, 0]
    pairs = np.array([[0, 0], [0, 1], [0, 3], [2, 2]])
    asked = np.array([[0, 0], [0, 2], [9, 0], [0, 0]])  # each in the place of a pair
    np.testing.assert_allclose(_siblings(Y, pairs, asked), [[0.6, 1], [0, 1], [0, 0], [1, 1]], atol=1e-6)


def test_logistic_regression_recovers_the_odds_of_two_bells():
    rng = np.random.default_rng(0)
    positive, negative = rng.standard_normal((20_000, 1)) + 1, rng.standard_normal((20_000, 1)) - 1
    probability = fit_logistic(positive, negative).probability
    x = np.array([[-1.0], [0.0], [0.5]])
    np.testing.assert_allclose(probability(x), 1 / (1 + np.exp(-2 * x[:, 0])), atol=0.02)
