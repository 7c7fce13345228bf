import numpy as np

from isoalign.neighbors import Hubness, describe_occurrences, measure_hubness, top_k
from naive_search import random_pair


def test_one_hub_for_all_has_the_skewness_of_one_success_in_n():
    n = 101
    hubness = describe_occurrences(np.full((n, 1), 7), n)
    p = 1 / n  # the counts are n times a Bernoulli variable
    np.testing.assert_allclose(hubness.skewness, (1 - 2 * p) / np.sqrt(p * (1 - p)))
    assert hubness.anti_hubs == (n - 1) / n
    assert (hubness.largest, hubness.largest_row) == (n, 7)


def test_equal_occurrences_have_no_skewness():
    hubness = describe_occurrences(np.arange(12).reshape(6, 2), 12)
    assert hubness == Hubness(0.0, 0.0, 1, 0)


def test_more_dimensions_make_more_hubs():
    def skewness(dim):
        X = random_pair(0, 1, 1500, dim)[1]
        return describe_occurrences(top_k(X, X, 11)[1][:, 1:], 1500).skewness

    assert skewness(60) > 2 * skewness(3)


def test_hubness_of_two_spaces_is_that_of_their_search():
    X, Y = random_pair(1, 300, 400, 20)
    assert measure_hubness(X, Y, k=5) == describe_occurrences(top_k(X, Y, 5)[1], 400)
