import numpy as np
import pytest
from scipy.spatial.distance import cosine

from isoalign._core.arrays import unit_rows
from isoalign.drift import cosine_distances, neighborhood_distances
from isoalign.drift._distances import nearest_others


@pytest.fixture
def spaces():
    rng = np.random.default_rng(0)
    return [unit_rows(rng.standard_normal((90, 8)).astype(np.float32)) for _ in range(2)]


def test_cosine_distance_is_half_the_squared_length_between_unit_vectors(spaces):
    X, Y = spaces
    np.testing.assert_allclose(cosine_distances(X, Y), ((X - Y) ** 2).sum(axis=1) / 2, atol=1e-6)


def test_neighbors_never_contain_the_word_itself_and_are_the_nearest(spaces):
    X, _ = spaces
    own = np.array([3, 50, 7])
    cosines = X[own].astype(np.float64) @ X.T
    cosines[np.arange(3), own] = -np.inf
    np.testing.assert_array_equal(nearest_others(X, own, 5), np.argsort(-cosines, axis=1)[:, :5])


def test_copies_of_a_word_do_not_push_a_neighbor_out():
    X = unit_rows(np.array([[1, 0], [1, 0], [1, 0], [0, 1]], dtype=np.float32))
    assert nearest_others(X, np.array([2]), 3).tolist() == [[0, 1, 3]]
    assert nearest_others(X, np.array([2]), 9).tolist() == [[0, 1, 3]]


def test_neighborhood_distance_is_that_of_its_definition(spaces):
    X, Y = (space.astype(np.float64) for space in spaces)
    found = neighborhood_distances(*spaces, k=6)
    for i in range(0, 90, 7):
        near = set()
        for space in (X, Y):
            order = np.argsort(-(space @ space[i]))
            near |= {j for j in order.tolist() if j != i and np.flatnonzero(order[order != i] == j)[0] < 6}
        union = sorted(near)
        assert found[i] == pytest.approx(cosine(X[union] @ X[i], Y[union] @ Y[i]), abs=1e-5)


def test_neighborhood_distance_needs_no_map(spaces):
    X, Y = spaces
    turn = np.linalg.qr(np.random.default_rng(1).standard_normal((8, 8)))[0].astype(np.float32)
    np.testing.assert_allclose(neighborhood_distances(X, unit_rows(X @ turn), k=5), 0, atol=1e-6)
    np.testing.assert_allclose(
        neighborhood_distances(X, Y, k=5), neighborhood_distances(unit_rows(X @ turn), Y, k=5), atol=1e-5
    )
