"""Products of few rows with many."""

import numpy as np
import pytest

from isoalign.neighbors.engine._few import FEW, multiply_few
from isoalign.neighbors.engine._tiles import multiply_tiles


@pytest.mark.parametrize("queries", FEW)
@pytest.mark.parametrize("rows", [2, 3, 95, 96, 97, 193])
def test_few_queries_get_the_products_of_blas(queries, rows):
    rng = np.random.default_rng(queries * rows)
    A, B = rng.standard_normal((queries, 37), dtype=np.float32), rng.standard_normal((rows, 37), dtype=np.float32)
    out = np.full((queries, rows), np.nan, dtype=np.float32)
    multiply_few(A, B, out)
    np.testing.assert_allclose(out, A.astype(float) @ B.T.astype(float), atol=37 * 2**-20)


@pytest.mark.parametrize("queries", [1, 3, 4, 24, 25])
@pytest.mark.parametrize("rows", [1, 2, 50])
def test_tiles_are_products_whoever_computes_them(queries, rows):
    rng = np.random.default_rng(0)
    A, B = rng.standard_normal((queries, 5), dtype=np.float32), rng.standard_normal((rows, 5), dtype=np.float32)
    tile = multiply_tiles(A, B)(slice(0, queries), slice(0, rows))
    np.testing.assert_allclose(tile, A @ B.T, atol=1e-5)
