import numpy as np
import pytest

from isoalign.normalization._spectrum import unit_spectrum


def unit_rows(n, spread):
    X = np.random.default_rng(0).standard_normal((n, len(spread))) * spread
    return (X / np.linalg.norm(X, axis=1, keepdims=True)).astype(np.float32)


@pytest.mark.parametrize(
    ("n", "spread", "rel"),
    [
        pytest.param(500, np.linspace(2, 0.5, 40), 1e-9, id="few rows are exact"),
        pytest.param(30_000, np.r_[3, np.linspace(1.5, 0.5, 39)], 2e-3, id="many rows, directions apart"),
        pytest.param(30_000, np.linspace(2, 1.8, 40), 0.1, id="many rows, directions alike"),
    ],
)
def test_the_largest_eigenvalue_is_that_of_the_whole_matrix(n, spread, rel):
    X = unit_rows(n, spread)
    exact = np.linalg.eigvalsh(X.astype(np.float64).T @ X.astype(np.float64) / n)[-1]
    assert unit_spectrum(X).largest == pytest.approx(exact, rel=rel)
    assert not unit_spectrum(X).rank_one


def test_a_row_that_the_sample_misses_still_counts_for_the_rank():
    X = np.zeros((20_000, 3), dtype=np.float32)
    X[:, 0] = 1
    assert unit_spectrum(X).rank_one
    X[1] = [0, 1, 0]
    assert not unit_spectrum(X).rank_one


def test_one_column_has_rank_one():
    assert unit_spectrum(np.ones((3, 1), dtype=np.float32)).rank_one


@pytest.mark.parametrize("n", [100, 10_000])
def test_zero_rows_do_not_count(n):
    X = unit_rows(n, np.r_[3, np.linspace(1.5, 0.5, 39)])
    padded = np.zeros((n + n // 4, 40), dtype=np.float32)
    padded[np.arange(n) * 5 // 4] = X
    assert unit_spectrum(padded).largest == pytest.approx(unit_spectrum(X).largest, rel=0.02)


@pytest.mark.parametrize("n", [100, 10_000])
@pytest.mark.parametrize("share", [0.0, 0.5])
def test_one_direction_among_zero_rows_has_rank_one(n, share):
    X = np.zeros((n, 3), dtype=np.float32)
    X[: int(share * n), 1] = 1
    assert unit_spectrum(X).rank_one
