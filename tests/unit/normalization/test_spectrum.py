import numpy as np
import pytest

from isoalign.normalization._spectrum import unit_spectrum


@pytest.mark.parametrize("n", [500, 30_000])
def test_the_largest_eigenvalue_is_that_of_the_whole_matrix(n):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, 40)) * np.linspace(2, 0.5, 40)
    X = (X / np.linalg.norm(X, axis=1, keepdims=True)).astype(np.float32)
    exact = np.linalg.eigvalsh(X.astype(np.float64).T @ X.astype(np.float64) / n)[-1]
    assert unit_spectrum(X).largest == pytest.approx(exact, rel=1e-3 if n > 500 else 1e-9)
    assert not unit_spectrum(X).rank_one


def test_a_row_that_the_sample_misses_still_counts_for_the_rank():
    X = np.zeros((20_000, 3), dtype=np.float32)
    X[:, 0] = 1
    assert unit_spectrum(X).rank_one
    X[1] = [0, 1, 0]
    assert not unit_spectrum(X).rank_one


def test_one_column_has_rank_one():
    assert unit_spectrum(np.ones((3, 1), dtype=np.float32)).rank_one
