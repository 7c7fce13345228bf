from itertools import permutations

import numpy as np
import pytest

from isoalign.alignment.starts._assignment import assign_points


def symmetric(n, seed):
    matrix = np.random.default_rng(seed).standard_normal((n, n))
    return matrix + matrix.T


@pytest.mark.parametrize("size", [1e-6, 1.0, 1e9])
@pytest.mark.parametrize("seed", range(5))
def test_the_best_of_all_permutations_is_found(seed, size):
    A, B = size * symmetric(6, seed), symmetric(6, 100 + seed)
    values = {order: (A * B[np.ix_(order, order)]).sum() for order in permutations(range(6))}
    found = assign_points(A, B, n_starts=50, rng=np.random.default_rng(0))
    assert found.value == pytest.approx(max(values.values()))
    assert values[tuple(found.columns)] == pytest.approx(found.value)


def test_a_planted_order_of_twenty_points_is_found():
    points = np.random.default_rng(0).standard_normal((20, 50))
    order = np.random.default_rng(1).permutation(20)
    noise = 0.1 * np.random.default_rng(2).standard_normal((20, 50))
    A, B = points @ points.T, (points + noise)[order] @ (points + noise)[order].T
    found = assign_points(A, B, n_starts=1000, rng=np.random.default_rng(3))
    np.testing.assert_array_equal(order[found.columns], np.arange(20))


def test_one_point_is_matched():
    assert assign_points(np.ones((1, 1)), np.ones((1, 1)), n_starts=2, rng=np.random.default_rng(0)).value == 1
