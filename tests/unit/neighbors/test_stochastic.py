import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isoalign._core.threads import limit_threads
from isoalign.errors import ParameterError
from isoalign.neighbors import NOTHING, is_kept, row_keys, stochastic_best
from naive_search import hubby_pair, mean_of_best, products


def naive_choice(X, Y, keep, k, seed, iteration, direction, *, dropped_is_zero=False):
    """The best kept column of every row: all products, all coins, all sorted."""
    similarities = products(X, Y)
    means = mean_of_best(similarities.T.astype(np.float32).astype(np.float64), k).astype(np.float32) if k else 0
    scores = (2 * similarities - means).astype(np.float32)
    kept = is_kept(row_keys(seed, iteration, direction, len(X))[:, None], np.arange(len(Y)), keep)
    scores[~kept] = 0 if dropped_is_zero else -np.inf
    best = scores.argmax(axis=1)
    return best if dropped_is_zero else np.where(kept.any(axis=1), best, NOTHING)


def check(X, Y, keep, k, seed=3, iteration=5, **options):
    found = stochastic_best(X, Y, keep=keep, k=k, seed=seed, iteration=iteration, **options)
    options.pop("about", None)
    np.testing.assert_array_equal(found.forward.chosen, naive_choice(X, Y, keep, k, seed, iteration, 0, **options))
    np.testing.assert_array_equal(found.backward.chosen, naive_choice(Y, X, keep, k, seed, iteration, 1, **options))
    return found


@pytest.mark.parametrize("keep", [0.001, 0.1, 0.5, 1.0])
@pytest.mark.parametrize("k", [0, 1, 10])
@pytest.mark.parametrize(("n", "m"), [(700, 1500), (1200, 90), (3, 2)])
def test_choices_are_those_of_the_naive_scores_with_the_same_coins(n, m, k, keep):
    X, Y = hubby_pair(0, n, m, 25)
    found = check(X, Y, keep, min(k, n, m))
    np.testing.assert_allclose(found.forward.nearest.scores[:, 0], products(X, Y).max(axis=1), atol=1e-6)
    np.testing.assert_allclose(found.backward.nearest.scores[:, 0], products(X, Y).max(axis=0), atol=1e-6)


@settings(max_examples=40, deadline=None)
@given(n=st.integers(1, 200), m=st.integers(1, 200), keep=st.floats(0.01, 1), seed=st.integers(0, 2**40))
def test_ties_go_to_the_lower_kept_row(n, m, keep, seed):
    rng = np.random.default_rng(seed)
    X, Y = (rng.integers(-1, 2, size=(rows, 2)).astype(np.float32) for rows in (n, m))
    check(X, Y, keep, 1, seed=seed)


@pytest.mark.parametrize("keep", [0.05, 1.0])
@pytest.mark.parametrize("k", [0, 10])
@pytest.mark.parametrize("noise", [0.0, 0.01, 1.0])
def test_choices_in_any_other_spaces_give_the_same_result(noise, k, keep):
    X, Y = hubby_pair(1, 900, 1100, 25)
    plain = check(X, Y, keep, k)
    rng = np.random.default_rng(0)
    moved = [space + noise * rng.standard_normal(space.shape).astype(np.float32) for space in (X, Y)]
    for size in (1, 1.5, 0.1):  # expected products may be much too high or too low
        about = stochastic_best(*(size * space for space in moved), keep=0.1, k=k, seed=8)
        hinted = check(X, Y, keep, k, about=about)
        for side, other in zip(plain, hinted, strict=True):
            np.testing.assert_array_equal(side.nearest.rows, other.nearest.rows)
            np.testing.assert_array_equal(side.nearest.scores, other.nearest.scores)
            np.testing.assert_array_equal(side.means, other.means)


def test_choices_in_spaces_of_another_size_are_refused():
    X, Y = hubby_pair(1, 90, 110, 5)
    with pytest.raises(ParameterError, match="same sizes"):
        stochastic_best(X, Y, about=stochastic_best(X[:-1], Y))


def test_a_dropped_entry_scores_zero_under_vecmaps_rule():
    X, Y = hubby_pair(2, 60, 80, 5)
    ours, theirs = check(X, -X[:9], 0.3, 1), check(X, -X[:9], 0.3, 1, dropped_is_zero=True)
    assert (ours.forward.chosen == NOTHING).any()
    assert (theirs.forward.chosen != NOTHING).all()
    assert (ours.forward.chosen != theirs.forward.chosen).mean() > 0.1
    check(X, Y, 1.0, 10, dropped_is_zero=True)


def test_threads_change_nothing():
    X, Y = hubby_pair(3, 1500, 1300, 20)
    many = stochastic_best(X, Y, keep=0.1)
    with limit_threads(1):
        one = stochastic_best(X, Y, keep=0.1)
    for a, b in zip(many, one, strict=True):
        np.testing.assert_array_equal(a.chosen, b.chosen)
        np.testing.assert_array_equal(a.means, b.means)


def test_coins_are_fair_and_differ_between_seeds_iterations_directions_and_rows():
    columns = np.arange(2000)
    keys = {name: row_keys(*name, 500) for name in [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]}
    kept = {name: is_kept(key[:, None], columns, 0.1) for name, key in keys.items()}
    first = kept.pop((0, 0, 0))
    assert first.mean() == pytest.approx(0.1, abs=0.002)
    assert first.mean(axis=0).std() == pytest.approx((0.09 / 500) ** 0.5, rel=0.1)
    assert first.mean(axis=1).std() == pytest.approx((0.09 / 2000) ** 0.5, rel=0.15)
    for other in kept.values():
        assert (first & other).mean() == pytest.approx(0.01, abs=0.001)
    assert (first[1:] & first[:-1]).mean() == pytest.approx(0.01, abs=0.001)
    assert (first[:, 1:] & first[:, :-1]).mean() == pytest.approx(0.01, abs=0.001)


@pytest.mark.parametrize("keep", [0, -0.1, 1.5, "all"])
def test_the_probability_is_checked(keep):
    with pytest.raises(ParameterError, match="keep"):
        stochastic_best(np.eye(3), np.eye(3), keep=keep)
