import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from isoalign.alignment import Procrustes, orthogonal_map
from isoalign.maps import IdentityMap
from planted import planted_pair


def test_recovers_the_planted_rotation():
    X, Y, W = planted_pair(dim=16)
    np.testing.assert_allclose(Procrustes().fit(X, Y).source_map_, W, atol=1e-6)


@given(st.integers(1, 40), st.integers(1, 30), st.integers(0, 99))
def test_the_map_is_orthogonal_whatever_the_pairs(n, dim, seed):
    rng = np.random.default_rng(seed)
    X, Y = (rng.standard_normal((n, dim)).astype(np.float32) for _ in range(2))
    W = orthogonal_map(X, Y)
    np.testing.assert_allclose(W.T @ W, np.eye(dim), atol=1e-10)


def test_no_other_rotation_brings_the_pairs_nearer():
    X, Y, _ = planted_pair(noise=1.0)
    best = np.linalg.norm(X @ orthogonal_map(X, Y) - Y)
    rng = np.random.default_rng(0)
    for _ in range(20):
        Q = np.linalg.qr(np.eye(12) + 0.05 * rng.standard_normal((12, 12)))[0]
        assert np.linalg.norm(X @ orthogonal_map(X, Y) @ (Q * np.sign(np.diag(Q))) - Y) > best


def test_a_pair_that_stands_twice_counts_twice():
    X, Y, _ = planted_pair(n=20, noise=0.5)
    twice = orthogonal_map(np.vstack([X, X[:1]]), np.vstack([Y, Y[:1]]))
    root = np.ones((20, 1), dtype=np.float32)
    root[0] = np.sqrt(2)
    np.testing.assert_allclose(twice, orthogonal_map(X * root, Y * root), atol=1e-5)


def test_the_target_stays_as_it_is():
    X, Y, _ = planted_pair()
    fitted = Procrustes().fit(X, Y)
    assert isinstance(fitted.target_map_, IdentityMap)
    np.testing.assert_array_equal(fitted.transform_target(Y), Y)
    np.testing.assert_allclose(fitted.transform(X), Y, atol=1e-5)
