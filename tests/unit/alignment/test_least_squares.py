import numpy as np
import pytest

from isoalign.alignment import LeastSquares
from isoalign.errors import ParameterError
from planted import planted_pair


def test_recovers_a_linear_map_between_different_dimensions():
    rng = np.random.default_rng(0)
    X, W = rng.standard_normal((100, 6)).astype(np.float32), rng.standard_normal((6, 9))
    fitted = LeastSquares().fit(X, X @ W)
    np.testing.assert_allclose(fitted.source_map_, W, atol=1e-5)
    assert fitted.transform(X).shape == (100, 9)


@pytest.mark.parametrize("ridge", [0.0, 0.1, 10.0])
def test_the_gradient_of_the_ridge_objective_vanishes(ridge):
    X, Y, _ = planted_pair(noise=0.5)
    W = LeastSquares(ridge=ridge).fit(X, Y).source_map_.matrix
    X, Y = X.astype(float), Y.astype(float)
    np.testing.assert_allclose(X.T @ (X @ W - Y) + ridge * W, 0, atol=1e-9)


def test_ridge_shrinks_the_map():
    X, Y, _ = planted_pair(noise=0.5)
    sizes = [np.linalg.norm(LeastSquares(ridge=ridge).fit(X, Y).source_map_) for ridge in (0, 1, 100)]
    assert sizes == sorted(sizes, reverse=True)


def test_fewer_pairs_than_dimensions_give_the_smallest_map_that_fits():
    X, Y, _ = planted_pair(n=5)
    W = LeastSquares().fit(X, Y).source_map_.matrix
    np.testing.assert_allclose(X @ W, Y, atol=1e-5)
    np.testing.assert_allclose(W, np.linalg.pinv(X.astype(float)) @ Y, atol=1e-6)


@pytest.mark.parametrize("ridge", [-1.0, float("nan")])
def test_a_negative_ridge_is_refused(ridge):
    with pytest.raises(ParameterError, match="ridge must not be negative"):
        LeastSquares(ridge=ridge).fit(np.eye(2), np.eye(2))


def test_a_ridge_that_is_no_number_is_refused():
    with pytest.raises(ParameterError, match=r"ridge must be a number. Got 'much'"):
        LeastSquares(ridge="much").fit(np.eye(2), np.eye(2))
