import numpy as np
import pytest

from isoalign.errors import IsoalignWarning, ParameterError
from isoalign.normalization import RemoveTop, Whiten


def rows(seed=0, n=10_000, dim=6):
    rng = np.random.default_rng(seed)
    return (rng.standard_normal((n, dim)) @ rng.standard_normal((dim, dim)) + 3).astype(np.float32)


def covariance(X):
    X = X.astype(np.float64) - X.mean(axis=0, dtype=np.float64)
    return X.T @ X / len(X)


def test_white_rows_have_no_mean_and_the_covariance_one():
    Z = Whiten().fit_transform(rows())
    np.testing.assert_allclose(Z.mean(axis=0, dtype=np.float64), 0, atol=1e-6)
    np.testing.assert_allclose(covariance(Z), np.eye(6), atol=1e-5)


def test_the_whitening_matrix_is_symmetric():
    matrix = Whiten().fit(rows()).matrix_
    np.testing.assert_allclose(matrix, matrix.T, atol=1e-12)


def test_a_direction_without_variance_becomes_zero():
    X = rows()
    X[:, 2] = 7
    with pytest.warns(IsoalignWarning, match="1 of 6 directions have no variance"):
        Z = Whiten().fit_transform(X)
    np.testing.assert_allclose(covariance(Z), np.diag([1, 1, 0, 1, 1, 1]), atol=1e-5)


@pytest.mark.parametrize("rcond", [-0.1, 1.0])
def test_an_impossible_rcond_is_refused(rcond):
    with pytest.raises(ParameterError, match=r"rcond must be in \[0, 1\)"):
        Whiten(rcond=rcond).fit(rows())


def test_removing_the_top_drops_the_largest_variances_and_keeps_the_others():
    X = rows()
    before, after = (np.linalg.eigvalsh(covariance(matrix)) for matrix in (X, RemoveTop(2).fit_transform(X)))
    np.testing.assert_allclose(after, [0, 0, *before[:4]], atol=1e-4)


def test_the_planted_direction_is_removed():
    rng = np.random.default_rng(0)
    direction = np.array([0.6, 0.0, 0.8])
    X = rng.standard_normal((500, 3)) + 50 * rng.standard_normal((500, 1)) * direction
    normalizer = RemoveTop(1).fit(X)
    np.testing.assert_allclose(np.abs(normalizer.directions_ @ direction), 1, atol=1e-4)
    np.testing.assert_allclose(normalizer.transform(X) @ normalizer.directions_[0], 0, atol=1e-4)


def test_removing_nothing_centres():
    Z = RemoveTop(0).fit_transform(rows())
    np.testing.assert_allclose(Z, rows() - rows().mean(axis=0, dtype=np.float64), atol=1e-5)


@pytest.mark.parametrize("n", [-1, 6, 2.0])
def test_an_impossible_number_of_directions_is_refused(n):
    with pytest.raises(ParameterError, match="n must be"):
        RemoveTop(n).fit(rows())
