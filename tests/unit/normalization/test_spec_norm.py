"""Spectral normalisation against its definition by singular value decomposition."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from isoalign.errors import IsoalignWarning, ParameterError
from isoalign.normalization import CenterLength, SpecNorm
from isoalign.normalization._spec_norm import limit_spectrum


def stretched_rows(seed=0, n=400, dim=20):
    """Rows with a mean and three directions of large variance."""
    rng = np.random.default_rng(seed)
    scales = np.ones(dim)
    scales[:3] = [12, 8, 5]
    rotation, _ = np.linalg.qr(rng.standard_normal((dim, dim)))
    return ((rng.standard_normal((n, dim)) * scales) @ rotation + rng.standard_normal(dim)).astype(np.float32)


def limit_by_svd(X):
    U, sigma, Vt = np.linalg.svd(X, full_matrices=False)
    eta = np.sqrt((sigma**2).sum() / X.shape[1])
    return (U * np.minimum(sigma, 2 * eta)) @ Vt


@given(st.integers(0, 50))
def test_singular_values_are_limited_to_twice_their_root_mean_square(seed):
    X = stretched_rows(seed, n=60).astype(np.float64)
    before = np.linalg.svd(X, compute_uv=False)
    limit = 2 * np.sqrt((before**2).mean())
    after = np.linalg.svd(X @ limit_spectrum(X.T @ X), compute_uv=False)
    np.testing.assert_allclose(after, np.sort(np.minimum(before, limit))[::-1], rtol=1e-9)
    assert before[0] > 1.2 * after[0]


@pytest.mark.parametrize("n_iter", [1, 2, 5])
def test_the_rounds_are_the_definition(n_iter):
    X = stretched_rows()
    expected = X.astype(np.float64)
    for _ in range(n_iter):
        expected = limit_by_svd(expected - expected.mean(axis=0))
        expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    np.testing.assert_allclose(SpecNorm(n_iter).fit_transform(X), expected, atol=2e-6)


def test_replaying_the_rounds_on_the_fitted_rows_gives_the_fitted_result():
    X = stretched_rows()
    normalizer = SpecNorm()
    np.testing.assert_array_equal(normalizer.fit_transform(X), normalizer.transform(X))


def test_rows_never_seen_go_through_the_stored_rounds():
    X, new = stretched_rows(), stretched_rows(1, n=5)
    normalizer = SpecNorm(2).fit(X)
    expected = new.astype(np.float64)
    for mean, matrix in zip(normalizer.means_, normalizer.matrices_, strict=True):
        expected = (expected - mean) @ matrix
        expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    np.testing.assert_allclose(normalizer.transform(new), expected, atol=1e-6)


def test_a_flat_spectrum_is_left_alone():
    X = np.random.default_rng(0).standard_normal((500, 10), dtype=np.float32) + 1
    normalizer = SpecNorm(1)
    np.testing.assert_allclose(normalizer.fit_transform(X), CenterLength().fit_transform(X), atol=1e-6)
    np.testing.assert_array_equal(normalizer.matrices_[0], np.eye(10))


def test_zero_rows_and_rows_at_the_mean_become_zero():
    X = stretched_rows()
    X[3] = 0
    with pytest.warns(IsoalignWarning, match=r"1 row\(s\) are zero .* They stay zero"):
        assert not SpecNorm().fit_transform(X)[3].any()
    normalizer = SpecNorm().fit(stretched_rows())
    at_mean = normalizer.means_[:1].astype(np.float32)
    with pytest.warns(IsoalignWarning, match=r"1 row\(s\) are zero"):
        assert not normalizer.transform(at_mean).any()


def test_memory_beside_the_rows_is_that_of_a_few_blocks():
    X = stretched_rows(n=150_000, dim=32)
    SpecNorm(1).fit_transform(X[:100])
    tracemalloc.start()
    SpecNorm(2).fit_transform(X, copy=False)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < X.nbytes / 4


@pytest.mark.parametrize("n_iter", [0, 1.5])
def test_rounds_must_be_counted(n_iter):
    with pytest.raises(ParameterError, match="n_iter"):
        SpecNorm(n_iter).fit(stretched_rows())
