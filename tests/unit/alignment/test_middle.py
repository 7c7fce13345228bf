import numpy as np

from isoalign.alignment._middle import middle_maps
from planted import planted_pair


def test_sides_that_agree_stay_where_they_are():
    X, _, _ = planted_pair()
    for W in middle_maps(X, X):
        np.testing.assert_allclose(W, np.eye(12), atol=1e-6)


def test_both_sides_are_regressed_on_the_means():
    X, Y, _ = planted_pair(noise=0.5)
    means = (X + Y) / 2
    for rows, W in zip((X, Y), middle_maps(X, Y, ridge=2.0), strict=True):
        np.testing.assert_allclose(rows.T @ (rows @ W - means) + 2 * W, 0, atol=1e-3)


def test_pairs_come_closer():
    X, Y, W = planted_pair(noise=0.3)
    U = (X @ W).astype(np.float32)
    source, target = middle_maps(U, Y)
    assert np.linalg.norm(U @ source - Y @ target) < np.linalg.norm(U - Y)
