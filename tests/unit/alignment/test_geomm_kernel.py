import numpy as np

from isoalign._core.arrays import unit_rows
from isoalign.alignment._geomm_kernel import bilinear_ridge, geomm_maps
from planted import planted_pair

PENALTIES = (0.1, 10.0, 1000.0)


def problem():
    X, Z, _ = planted_pair(n=60, dim=8, noise=0.3)
    pairs = np.concatenate([np.column_stack([np.arange(60), np.arange(60)]), [[0, 5], [7, 3], [7, 3]]])
    return X, Z[:, :7], pairs


def test_every_solution_satisfies_the_normal_equations():
    X, Z, pairs = (array.astype(np.float64) for array in problem())
    A = np.zeros((60, 60))
    A[tuple(pairs.astype(int).T)] = 1
    for penalty, W in zip(PENALTIES, bilinear_ridge(*problem(), PENALTIES), strict=True):
        left = X.T @ X @ W @ Z.T @ Z + penalty / 2 * W
        np.testing.assert_allclose(left, X.T @ A @ Z, rtol=1e-9, atol=1e-9)


def test_inner_products_of_mapped_rows_are_those_of_the_solution():
    X, Z, pairs = problem()
    solutions = bilinear_ridge(X, Z, pairs, PENALTIES)
    for (source, target), W in zip(geomm_maps(X, Z, pairs, PENALTIES), solutions, strict=True):
        assert source.shape == (8, 7)
        np.testing.assert_allclose(source @ target.T, W, atol=1e-10)
        np.testing.assert_allclose(np.diag(source.T @ source), np.diag(target.T @ target), atol=1e-10)


def test_a_rotated_copy_is_found():
    X, Z, _ = planted_pair()
    pairs = np.column_stack([np.arange(300), np.arange(300)])
    [(source, target)] = geomm_maps(X, Z, pairs, [1.0])
    mapped, targets = unit_rows(X @ source), unit_rows(Z @ target)
    np.testing.assert_array_equal((mapped @ targets.T).argmax(axis=1), np.arange(300))
