"""Products of few rows with many: BLAS copies the many into its own order first, which then takes most of the time.

On the way through memory, every 96 of the many rows stay in the cache while all queries are multiplied with them, eight
queries at a time, of which four times two sums are in registers.
"""

import numpy as np

from isoalign._core.compile import compiled
from isoalign._core.types import Matrix

__all__ = ["FEW", "multiply_few"]

_TOGETHER, _PAIR = 4, 2  # queries and rows whose sums are in registers
_GROUP = 8  # queries that stay in the L1 cache
_BLOCK = 96  # rows that stay in the L2 cache

FEW = range(_TOGETHER, 25)
"""Numbers of queries for which `multiply_few` is faster than BLAS."""


@compiled(fastmath={"reassoc", "contract", "nsz"})
def multiply_few(A: Matrix, B: Matrix, out: Matrix) -> None:
    """Fill ``out`` with ``A @ B.T``; the order of summation differs from that of BLAS.

    Parameters
    ----------
    A
        Queries (q, dim), at least four.
    B
        The many rows (n, dim), at least two.
    out
        Memory for the product, (q, n).
    """
    q, n, dim = A.shape[0], B.shape[0], A.shape[1]
    zero = np.float32(0)
    for first_row in range(0, n, _BLOCK):
        for first in range(0, q, _GROUP):
            for pair in range(first_row, min(first_row + _BLOCK, n), _PAIR):
                j = min(pair, n - _PAIR)  # the last ones are computed again where there are not enough left
                y, z = B[j], B[j + 1]
                for four in range(first, min(first + _GROUP, q), _TOGETHER):
                    i = min(four, q - _TOGETHER)
                    a, b, c, d = A[i], A[i + 1], A[i + 2], A[i + 3]
                    ay, by, cy, dy = zero, zero, zero, zero
                    az, bz, cz, dz = zero, zero, zero, zero
                    for column in range(dim):
                        ay += a[column] * y[column]
                        by += b[column] * y[column]
                        cy += c[column] * y[column]
                        dy += d[column] * y[column]
                        az += a[column] * z[column]
                        bz += b[column] * z[column]
                        cz += c[column] * z[column]
                        dz += d[column] * z[column]
                    out[i, j], out[i + 1, j], out[i + 2, j], out[i + 3, j] = ay, by, cy, dy
                    out[i, j + 1], out[i + 1, j + 1], out[i + 2, j + 1], out[i + 3, j + 1] = az, bz, cz, dz
