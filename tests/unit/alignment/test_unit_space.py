"""Rows in the shared space are scaled; the rows that were passed in are not."""

import pickle

import numpy as np
import pytest

from isoalign.alignment import unit_space
from isoalign.maps import IdentityMap, MatrixMap


@pytest.mark.parametrize("one", [IdentityMap(4), MatrixMap(np.eye(4))], ids=["identity", "matrix"])
@pytest.mark.parametrize("travelled", [False, True])
def test_unit_space_does_not_change_its_argument(one, travelled):
    X = np.full((3, 4), 2, dtype=np.float32)
    if travelled:  # as through a process pool: numpy then checks the array into another view of the same memory
        X = pickle.loads(pickle.dumps(X))  # noqa: S301
    np.testing.assert_allclose(unit_space(X, one), 0.5)
    np.testing.assert_array_equal(X, 2)
