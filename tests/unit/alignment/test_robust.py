import numpy as np

from isoalign.alignment import RobustProcrustes
from isoalign.alignment._procrustes import orthogonal_map
from isoalign.alignment._robust import robust_rotation
from planted import planted_pair


def spoiled(share=0.3):
    """A planted rotation in which the first pairs are wrong."""
    X, Y, W = planted_pair(n=300, noise=0.01)
    wrong = int(share * len(X))
    Y = Y.copy()
    Y[:wrong] = Y[:wrong][::-1] + 2
    return X, Y, W, wrong


def test_wrong_pairs_lose_weight_and_the_rotation_is_found():
    X, Y, W, wrong = spoiled()
    found, weights = robust_rotation(X, Y)
    assert np.abs(found - W).max() < 0.1 * np.abs(orthogonal_map(X, Y) - W).max()
    assert weights[:wrong].max() < weights[wrong:].min()
    np.testing.assert_allclose(weights.mean(), 1)
    np.testing.assert_allclose(found.T @ found, np.eye(12), atol=1e-10)


def test_the_sum_of_distances_never_rises():
    X, Y, _, _ = spoiled()
    sums = []
    for rounds in range(1, 8):
        W, _ = robust_rotation(X, Y, max_iter=rounds)
        sums.append(np.linalg.norm(X @ W - Y, axis=1).sum())
    assert (np.diff(sums) <= 1e-6).all()


def test_pairs_with_a_prior_of_zero_say_nothing():
    X, Y, _, wrong = spoiled()
    prior = (np.arange(len(X)) >= wrong).astype(float)
    found, _ = robust_rotation(X, Y, prior=prior)
    np.testing.assert_allclose(found, robust_rotation(X[wrong:], Y[wrong:])[0], atol=1e-6)


def test_the_aligner_shows_the_weights_of_its_pairs():
    X, Y, _, wrong = spoiled()
    fitted = RobustProcrustes().fit(X, Y)
    np.testing.assert_array_equal(fitted.source_map_, robust_rotation(X, Y)[0])
    assert fitted.weights_[:wrong].max() < fitted.weights_[wrong:].min()
