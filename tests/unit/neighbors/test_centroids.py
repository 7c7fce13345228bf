"""k-means on the sphere: planted groups are found."""

import numpy as np
import pytest

from isoalign._core.arrays import unit_rows
from isoalign.neighbors import nearest_centroid, spherical_centroids


@pytest.fixture
def groups():
    """Return unit rows around three axes, and which axis each belongs to."""
    rng = np.random.default_rng(0)
    owners = rng.integers(3, size=300)
    return unit_rows(np.eye(5)[owners] + 0.05 * rng.standard_normal((300, 5))), owners


def test_planted_groups_are_found_from_centroids_that_are_far_off(groups):
    U, owners = groups
    start = unit_rows(np.eye(3, 5) + 0.4)
    centroids = spherical_centroids(U, start)
    np.testing.assert_allclose(centroids, np.eye(3, 5), atol=0.02)
    np.testing.assert_array_equal(nearest_centroid(U, centroids), owners)


def test_first_centroids_are_drawn_from_the_seed_and_equal_rows_count_once(groups):
    U, _ = groups
    np.testing.assert_array_equal(
        spherical_centroids(U, 4, random_state=2), spherical_centroids(U, 4, random_state=np.random.default_rng(2))
    )
    assert spherical_centroids(np.repeat(U[:2], 10, axis=0), 20).shape == (2, 5)


def test_a_cluster_that_runs_empty_keeps_its_centroid(groups):
    U, _ = groups
    start = np.concatenate([np.eye(3, 5), [[0, 0, 0, 0, -1]]]).astype(np.float32)
    np.testing.assert_array_equal(spherical_centroids(U, start)[3], start[3])
