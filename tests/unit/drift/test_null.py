import numpy as np
import pytest
from scipy.stats import false_discovery_control, kstest

from isoalign.drift import DistanceSample, benjamini_hochberg, fisher_transform, standardize
from isoalign.drift._null import p_values
from isoalign.errors import InvalidValueError


def draw(seed=0, n=4000, changed=0):
    """Distances that are normal after Fisher's transform, with a location and a spread that grow with rarity."""
    rng = np.random.default_rng(seed)
    rarity = rng.permutation(np.arange(2, 2 * n + 2, 2))
    share = rarity / (2 * n)
    f = -1.2 + 0.6 * share + (0.1 + 0.2 * share) * rng.standard_normal(n)
    f[:changed] = 0.6 + 0.1 * rng.standard_normal(changed)
    return DistanceSample(1 + np.tanh(f), rarity)


def test_the_transform_undoes_the_hyperbolic_tangent():
    f = np.linspace(-3, 3, 7)
    np.testing.assert_allclose(fisher_transform(1 + np.tanh(f)), f, rtol=1e-9)
    assert np.isfinite(fisher_transform(np.array([0.0, 2.0]))).all()


def test_p_values_of_unchanged_words_are_uniform_whatever_their_frequency():
    sample = draw()
    p = p_values(standardize(sample))
    assert kstest(p, "uniform").pvalue > 0.01
    assert kstest(p[sample.rarity < 2000], "uniform").pvalue > 0.01
    assert kstest(p[sample.rarity > 6000], "uniform").pvalue > 0.01


def test_words_that_changed_make_the_test_cautious_not_bold():
    plain, mixed = draw(), draw(changed=400)
    z = standardize(mixed)[400:]
    assert (p_values(z) < 0.01).mean() <= (p_values(standardize(plain)[400:]) < 0.01).mean()
    assert (standardize(mixed)[:400] > 4).mean() > 0.5


def test_two_halves_give_the_null_where_most_words_changed():
    halves = draw(seed=1)
    mixed = draw(seed=2, changed=3000)
    assert (benjamini_hochberg(p_values(standardize(mixed)))[:3000] <= 0.05).sum() == 0
    q = benjamini_hochberg(p_values(standardize(mixed, halves)))
    assert (q[:3000] <= 0.05).mean() > 0.9
    assert (q[3000:] <= 0.05).mean() < 0.15


def test_the_order_of_words_does_not_matter():
    sample, order = draw(n=700), np.random.default_rng(3).permutation(700)
    turned = DistanceSample(sample.distances[order], sample.rarity[order])
    np.testing.assert_allclose(standardize(turned), standardize(sample)[order])


def test_rates_are_those_of_scipy():
    p = np.random.default_rng(0).random(50) ** 3
    np.testing.assert_allclose(benjamini_hochberg(p), false_discovery_control(p))


def test_equal_distances_are_refused():
    with pytest.raises(InvalidValueError, match="copies of the same file"):
        standardize(DistanceSample(np.zeros(300), np.arange(300)))
