import itertools

import numpy as np

from isoalign.alignment._matching import match_one_to_one


def all_edges(scores):
    n, m = scores.shape
    return np.array(list(itertools.product(range(n), range(m)))), scores.ravel()


def test_the_sum_of_scores_is_the_largest_of_all_matchings():
    scores = np.random.default_rng(0).standard_normal((5, 5)).astype(np.float32)
    pairs = match_one_to_one(*all_edges(scores), n=5, m=5)
    best = max(scores[np.arange(5), list(order)].sum() for order in itertools.permutations(range(5)))
    assert scores[tuple(pairs.T)].sum() == best
    assert len(set(pairs[:, 1])) == 5


def test_words_that_all_want_the_same_partner_leave_all_but_one_alone():
    edges = np.array([[0, 2], [1, 2], [2, 2]])
    pairs = match_one_to_one(edges, np.array([0.1, 0.9, 0.5], dtype=np.float32), n=4, m=3)
    np.testing.assert_array_equal(pairs, [[1, 2]])


def test_a_word_takes_its_second_choice_rather_than_leave_another_alone():
    edges = np.array([[0, 0], [0, 1], [1, 0]])
    pairs = match_one_to_one(edges, np.array([0.9, 0.1, 0.2], dtype=np.float32), n=2, m=2)
    np.testing.assert_array_equal(pairs, [[0, 1], [1, 0]])


def test_edges_given_twice_count_once_and_none_give_none():
    edges = np.array([[0, 0], [0, 0], [1, 0]])
    pairs = match_one_to_one(edges, np.array([0.3, 0.1, 0.2], dtype=np.float32), n=2, m=1)
    np.testing.assert_array_equal(pairs, [[0, 0]])
    assert match_one_to_one(np.empty((0, 2), dtype=np.int64), np.empty(0, dtype=np.float32), n=3, m=2).shape == (0, 2)
