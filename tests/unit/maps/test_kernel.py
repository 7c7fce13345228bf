import numpy as np

from isoalign._core.arrays import unit_rows
from isoalign.maps._kernel import (
    apply_correction,
    fit_correction,
    left_out_residuals,
    mean_residuals,
)

SETTINGS = {"bandwidth": 0.3, "penalty": 0.5}


def bent(n=600, dim=6, seed=0):
    """Points on the sphere, and a smooth displacement that no linear map makes."""
    X = unit_rows(np.random.default_rng(seed).standard_normal((n, dim)).astype(np.float32))
    return X, (0.4 * np.abs(X[:, ::-1]) - 0.2).astype(np.float32)


def plain_kernel(A, B):
    return np.exp((A.astype(np.float64) @ B.T.astype(np.float64) - 1) / SETTINGS["bandwidth"])


def plain_fit(anchors, residuals):
    return np.linalg.solve(plain_kernel(anchors, anchors) + SETTINGS["penalty"] * np.eye(len(anchors)), residuals)


def test_the_correction_is_that_of_the_formula():
    X, R = bent()
    anchors, coefficients = fit_correction(X[:300], R[:300], **SETTINGS)
    np.testing.assert_array_equal(anchors, X[:300])
    np.testing.assert_allclose(coefficients, plain_fit(X[:300], R[:300]), atol=1e-5)
    expected = X + plain_kernel(X, anchors) @ coefficients
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    corrected = apply_correction(X, anchors, coefficients, bandwidth=0.3)
    np.testing.assert_allclose(corrected, expected, atol=1e-5)
    np.testing.assert_allclose(apply_correction(X[:1], anchors, coefficients, bandwidth=0.3), corrected[:1], atol=1e-6)


def test_a_smooth_bend_is_learned_for_points_never_seen():
    X, R = bent()
    truth = unit_rows(X + R)
    corrected = apply_correction(X, *fit_correction(X[:300], R[:300], bandwidth=0.3, penalty=0.01), bandwidth=0.3)
    before, after = (np.linalg.norm(rows[300:] - truth[300:], axis=1).mean() for rows in (X, corrected))
    assert after < 0.25 * before


def test_left_out_residuals_are_those_of_as_many_fits():
    X, R = bent(n=25)
    expected = []
    for i in range(len(X)):
        others = np.arange(len(X)) != i
        expected.append(R[i] - plain_kernel(X[i : i + 1], X[others])[0] @ plain_fit(X[others], R[others]))
    np.testing.assert_allclose(left_out_residuals(X, R, **SETTINGS), expected, atol=1e-5)


def test_fewer_anchors_are_the_best_fit_with_kernels_there():
    X, R = bent(n=200)
    anchors, coefficients = fit_correction(X, R, **SETTINGS, max_anchors=50)
    assert len(anchors) == 50
    K, K_chosen = plain_kernel(X, anchors), plain_kernel(anchors, anchors)
    slope = K.T @ (K @ coefficients - R) + SETTINGS["penalty"] * K_chosen @ coefficients
    np.testing.assert_allclose(slope, 0, atol=1e-4)


def test_equal_anchors_are_no_obstacle_to_fewer_of_them():
    X, R = (np.repeat(side, 10, axis=0) for side in bent(n=60))
    exact, fewer = (fit_correction(X, R, **SETTINGS, max_anchors=most) for most in (600, 300))
    assert len(fewer[0]) == 300
    np.testing.assert_allclose(*(plain_kernel(X, a) @ c for a, c in (fewer, exact)), atol=1e-3)


def test_as_many_anchors_as_allowed_give_the_exact_fit_either_way():
    X, R = bent(n=80)
    _, exact = fit_correction(X, R, **SETTINGS)
    K = plain_kernel(X, X)
    nystrom = np.linalg.solve(K @ K + SETTINGS["penalty"] * K, K @ R)
    np.testing.assert_allclose(exact, nystrom, atol=1e-4)


def test_residuals_lead_to_the_mean_of_the_translations():
    U, V = np.eye(3, dtype=np.float32), np.arange(12, dtype=np.float32).reshape(4, 3)
    sources, residuals = mean_residuals(U, V, np.array([[2, 0], [0, 1], [2, 3], [2, 3]]))
    np.testing.assert_array_equal(sources, [0, 2])
    np.testing.assert_allclose(residuals, [V[1] - U[0], (V[0] + V[3]) / 2 - U[2]])


def test_an_anchor_can_be_corrected_by_the_others_only():
    X, R = bent(n=200)
    fitted = fit_correction(X[:100], R[:100], **SETTINGS)
    every, others = (apply_correction(X, *fitted, bandwidth=0.3, omit_self=omit) for omit in (False, True))
    K = plain_kernel(X[:100], X[:100])
    np.fill_diagonal(K, 0)
    np.testing.assert_allclose(others[:100], unit_rows(X[:100] + K @ fitted[1]), atol=1e-5)
    np.testing.assert_array_equal(others[100:], every[100:])
    assert np.abs(others[:100] - every[:100]).max() > 0.01
