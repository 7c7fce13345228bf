"""Bootstrap and McNemar against textbook values and enumeration."""

from itertools import product
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from isoalign.evaluation._statistics import (
    bootstrap_p,
    mcnemar_exact,
    percentile_interval,
    resample_counts,
    resample_mean,
    resample_ratios,
    sum_by_word,
)


def test_every_resample_draws_as_many_units_as_there_are():
    counts = np.concatenate(list(resample_counts(7, 1000, 0)))
    assert counts.shape == (1000, 7)
    assert (counts.sum(axis=1) == 7).all()
    np.testing.assert_allclose(counts.mean(axis=0), 1, atol=0.15)


def test_kinds_are_drawn_as_often_as_their_units():
    kinds = np.array([0, 2, 1, 2, 0, 2, 1])
    units = np.concatenate(list(resample_counts(7, 50, 0)))
    counts = np.concatenate(list(resample_counts(7, 50, 0, kinds=kinds)))
    np.testing.assert_array_equal(counts, units @ np.eye(3)[kinds])


def test_resampled_ratios_have_the_spread_of_the_textbook():
    rng = np.random.default_rng(0)
    values = rng.normal(size=(400, 1, 1))
    samples = resample_ratios(values, np.ones((400, 1)))
    np.testing.assert_allclose(samples.mean(), values.mean(), atol=0.005)
    np.testing.assert_allclose(samples.std(), values.std() / 20, rtol=0.05)


def test_all_resamples_of_three_units_occur_as_often_as_they_should():
    values = np.array([0.0, 1.0, 5.0])
    samples = resample_ratios(values.reshape(3, 1, 1), np.ones((3, 1)), n_resamples=20_000)[:, 0, 0]
    exact = np.array([np.mean(draw) for draw in product(values, repeat=3)])
    for value in np.unique(exact):
        assert (np.abs(samples - value) < 1e-9).mean() == pytest.approx((exact == value).mean(), abs=0.015)


def test_means_over_units_of_different_sizes_have_the_distribution_of_drawing_units():
    totals, sizes = np.array([1.0, -1.0, 1.0, 0.0]), np.array([1.0, 3.0, 1.0, 2.0])
    samples = resample_mean(totals, sizes, n_resamples=20_000)
    draws = [list(draw) for draw in product(range(4), repeat=4)]
    exact = np.array([totals[draw].sum() / sizes[draw].sum() for draw in draws]).round(9)
    for value in np.unique(exact):
        assert (samples.round(9) == value).mean() == pytest.approx((exact == value).mean(), abs=0.015)


def test_a_group_that_comes_out_empty_is_left_out_of_its_interval():
    numerators, denominators = np.array([[[1.0]], [[0.0]]]), np.array([[1.0], [0.0]])
    samples = resample_ratios(numerators, denominators, n_resamples=100)
    assert np.isnan(samples).any()
    low, high = percentile_interval(samples)
    assert (low.item(), high.item()) == (1.0, 1.0)


def test_sums_by_word_keep_the_order_of_first_appearance():
    sums = sum_by_word(["b", "a", "b"], np.array([[1.0], [2.0], [4.0]]), np.ones(3))
    np.testing.assert_array_equal(sums[0], [[5], [2]])
    np.testing.assert_array_equal(sums[1], [2, 1])


@given(st.integers(0, 40), st.integers(0, 40))
def test_mcnemar_is_the_two_sided_binomial_test(only_a, only_b):
    n = only_a + only_b
    tail = sum(comb(n, i) for i in range(min(only_a, only_b) + 1)) / 2**n
    assert mcnemar_exact(only_a, only_b) == pytest.approx(min(1, 2 * tail))
    assert mcnemar_exact(only_a, only_b) == mcnemar_exact(only_b, only_a)


def test_mcnemar_knows_textbook_values_and_large_counts():
    assert mcnemar_exact(0, 0) == 1
    assert mcnemar_exact(0, 5) == 0.0625
    assert mcnemar_exact(1, 9) == pytest.approx(0.021484375)
    assert 0 < mcnemar_exact(4000, 4500) < 1e-6


def test_the_bootstrap_p_counts_the_other_sign():
    assert bootstrap_p(np.array([1.0] * 98 + [-1.0])) == pytest.approx(0.04)
    assert bootstrap_p(np.ones(999)) == pytest.approx(0.002)
    assert bootstrap_p(np.zeros(10)) == 1
