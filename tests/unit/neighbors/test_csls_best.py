import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isoalign._core.arrays import unit_rows
from isoalign.errors import ParameterError
from isoalign.neighbors import csls_best
from naive_search import assert_same_choice, best, csls, hubby_pair, mean_of_best, products


@pytest.mark.parametrize(("n", "m", "max_rank"), [(1500, 2100, 700), (700, 600, None), (30, 1200, 50), (3, 2, 1)])
def test_best_words_agree_with_the_naive_scores_in_both_directions(n, m, max_rank):
    X, Y = hubby_pair(0, n, m, 25)
    found = csls_best(X, Y, 3, max_rank=max_rank)
    naive = csls(X, Y, X)
    assert_same_choice(found.forward.rows, found.forward.scores, naive[:max_rank])
    assert_same_choice(found.backward.rows, found.backward.scores, naive.T[:max_rank])
    np.testing.assert_allclose(found.source_means, mean_of_best(products(X, Y), 10), atol=1e-6)
    np.testing.assert_allclose(found.target_means, mean_of_best(products(Y, X), 10), atol=1e-6)


@pytest.mark.parametrize("max_rank", [(300, 40), (0, 70), (None, 1), (5000, None)])
def test_a_pair_of_counts_limits_each_side_and_changes_no_choice(max_rank):
    X, Y = hubby_pair(1, 600, 700, 25)
    found, every = csls_best(X, Y, 2, max_rank=max_rank), csls_best(X, Y, 2)
    for some, all_, count in zip(found[:2], every[:2], max_rank, strict=True):
        np.testing.assert_array_equal(some.rows, all_.rows[:count])
        np.testing.assert_array_equal(some.scores, all_.scores[:count])
    for some, all_ in zip(found[2:4], every[2:4], strict=True):
        np.testing.assert_array_equal(some, all_)


@pytest.mark.parametrize("max_rank", [(300, 40), (0, 70), None])
@pytest.mark.parametrize("noise", [0.0, 0.01, 1.0])
def test_the_memory_of_any_other_spaces_changes_nothing(noise, max_rank):
    X, Y = hubby_pair(1, 600, 700, 25)
    plain = csls_best(X, Y, 2, max_rank=max_rank)
    rng = np.random.default_rng(0)
    moved = [space + noise * rng.standard_normal(space.shape).astype(np.float32) for space in (X, Y)]
    for size in (1, 1.5, 0.1):  # expected products may be much too high or too low
        for earlier in (max_rank, 100):
            about = csls_best(*(size * space for space in moved), max_rank=earlier).memory
            found = csls_best(X, Y, 2, max_rank=max_rank, about=about)
            for one, other in zip(found[:2], plain[:2], strict=True):
                np.testing.assert_array_equal(one.rows, other.rows)
                np.testing.assert_array_equal(one.scores, other.scores)
            np.testing.assert_array_equal(found.source_means, plain.source_means)
            np.testing.assert_array_equal(found.target_means, plain.target_means)
    with pytest.raises(ParameterError, match="same sizes"):
        csls_best(X, Y[:-1], about=plain.memory)


def test_numbers_that_are_no_counts_are_refused():
    X, Y = hubby_pair(1, 5, 5, 3)
    with pytest.raises(ParameterError, match="max_rank must be a whole number of at least 1"):
        csls_best(X, Y, max_rank=0)
    with pytest.raises(ParameterError, match="max_rank must be a whole number of at least 0"):
        csls_best(X, Y, max_rank=(-1, 3))
    with pytest.raises(ParameterError, match=r"a count or a pair \(sources, targets\). Got \(1, 2, 3\)"):
        csls_best(X, Y, max_rank=(1, 2, 3))


@pytest.mark.parametrize("max_rank", [20, None])
def test_a_far_word_with_a_thin_neighborhood_beats_a_crowd_that_is_near(max_rank):
    rng = np.random.default_rng(0)
    near, far = np.eye(2, 20)
    aside = unit_rows(rng.standard_normal((30, 18))) @ np.eye(18, 20, 2)
    lonely, crowd = 0.5 * near + 0.2 * far + 0.8 * aside, near + 0.03 * rng.standard_normal((500, 20))
    X = unit_rows(np.concatenate([lonely, crowd]))
    Y = unit_rows(np.concatenate([near + 0.03 * rng.standard_normal((300, 20)), far + 0.03 * aside[:5]]))
    found = csls_best(X, Y, 2, max_rank=max_rank)
    naive = csls(X, Y, X)
    assert (np.argsort(-products(X, Y), axis=1)[:30, :200] < 300).all(), (
        "the far words are not near enough to be listed"
    )
    assert (found.forward.rows[:30, 0] >= 300).mean() > 0.9
    assert_same_choice(found.forward.rows, found.forward.scores, naive[:max_rank])
    assert_same_choice(found.backward.rows, found.backward.scores, naive.T[:max_rank])


@settings(max_examples=60, deadline=None)
@given(
    n=st.integers(8, 300), m=st.integers(8, 300), dim=st.integers(1, 3), k=st.integers(1, 4), seed=st.integers(0, 10**6)
)
def test_ties_go_to_the_lower_row(n, m, dim, k, seed):
    rng = np.random.default_rng(seed)
    # Small whole numbers, and k such that means are exact: nearly everything is tied, and far more than a list holds.
    X, Y = (rng.integers(-1, 2, size=(rows, dim)).astype(np.float32) for rows in (n, m))
    k = 1 << (k - 1)
    found = csls_best(X, Y, 2, k=k)
    naive = csls(X, Y, X, k)
    for side, scores in ((found.forward, naive), (found.backward, naive.T)):
        expected_scores, expected_rows = best(scores, 2)
        np.testing.assert_array_equal(side.rows, expected_rows)
        np.testing.assert_array_equal(side.scores, expected_scores)
