import numpy as np
import pytest

from isoalign._core.threads import limit_threads
from isoalign.errors import InvalidValueError, IsoalignWarning
from isoalign.normalization import Center, CenterLength, Unit


def rows(seed=0, n=100, dim=5):
    return np.random.default_rng(seed).standard_normal((n, dim)).astype(np.float32) * 3 + 1


def test_unit_makes_lengths_one():
    Z = Unit().fit_transform(rows())
    np.testing.assert_allclose(np.linalg.norm(Z.astype(np.float64), axis=1), 1, atol=1e-7)


def test_unit_keeps_zero_rows_and_counts_them():
    with pytest.warns(IsoalignWarning, match=r"2 row\(s\) are zero .* They stay zero"):
        Z = Unit().fit_transform([[0, 0], [3, 4], [0, 0]])
    np.testing.assert_allclose(Z, [[0, 0], [0.6, 0.8], [0, 0]], atol=1e-7)


def test_center_makes_the_mean_zero_and_keeps_differences():
    X = rows()
    center = Center().fit(X)
    Z = center.transform(X)
    np.testing.assert_allclose(Z.mean(axis=0, dtype=np.float64), 0, atol=1e-6)
    np.testing.assert_allclose(Z[1:] - Z[0], X[1:] - X[0], atol=1e-5)
    np.testing.assert_allclose(center.mean_, X.mean(axis=0, dtype=np.float64), atol=1e-12)


def test_the_mean_of_many_rows_is_summed_in_float64():
    X = np.full((300_000, 1), 0.1, dtype=np.float32)
    np.testing.assert_allclose(Center().fit(X).mean_, np.float64(np.float32(0.1)), rtol=1e-12)


def test_center_length_is_center_and_then_unit():
    X = rows()
    np.testing.assert_allclose(
        CenterLength().fit_transform(X), Unit().fit_transform(Center().fit_transform(X)), atol=1e-6
    )


def test_center_length_sends_a_zero_row_opposite_the_mean():
    X = np.array([[0, 0], [2, 1], [2, -1]], dtype=np.float32)
    np.testing.assert_allclose(CenterLength().fit_transform(X)[0], [-1, 0], atol=1e-7)


def test_center_length_sets_a_row_at_the_mean_to_zero():
    X = np.array([[3, 1], [1, 1], [2, 1]], dtype=np.float32)
    with pytest.warns(IsoalignWarning, match=r"1 row\(s\)"):
        np.testing.assert_array_equal(CenterLength().fit_transform(X), [[1, 0], [-1, 0], [0, 0]])


@pytest.mark.parametrize("threads", [1, 2])
def test_centring_that_leaves_the_range_of_float32_is_refused_with_the_row(threads):
    X = np.ones((5000, 2), dtype=np.float32)
    X[:, 1] = -3e38
    X[4321, 1] = 3e38
    with limit_threads(threads), pytest.raises(InvalidValueError, match="Row 4321 has numbers too large"):
        Center().fit_transform(X)
