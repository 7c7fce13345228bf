"""Relational similarity: whether two words are as similar as their translations are."""

import numpy as np

from isoalign._core.arrays import row_blocks
from isoalign._core.types import Matrix

__all__ = ["relational_similarity"]

_BLOCK = 1024


def relational_similarity(X: Matrix, Y: Matrix) -> float:
    r"""Correlate the cosines between words of one language with those between their translations.

    .. math:: \rho = \mathrm{Pearson}\bigl(\{\cos(x_i, x_j)\}_{i<j},\; \{\cos(y_i, y_j)\}_{i<j}\bigr)

    The value is 1 for isometric spaces and about 0 for unrelated ones.

    Parameters
    ----------
    X, Y
        Unit rows of p translation pairs, (p, d_s) and (p, d_t).

    References
    ----------
    Vulić, Ruder, Søgaard (2020), section 3, "RSIM". Cost: p² inner products per language, in blocks of 1,024 rows.
    """
    sums = np.zeros(5)
    for rows in row_blocks(len(X), _BLOCK):
        # Every unordered pair once: each block against itself (above the diagonal) and all rows after it.
        above = np.triu(np.ones((rows.stop - rows.start, len(X) - rows.start), dtype=bool), k=1)
        a = (X[rows] @ X[rows.start :].T)[above].astype(np.float64)
        b = (Y[rows] @ Y[rows.start :].T)[above].astype(np.float64)
        sums += [a.sum(), b.sum(), a @ a, b @ b, a @ b]
    n = len(X) * (len(X) - 1) / 2
    a_sum, b_sum, aa, bb, ab = sums
    scale = np.sqrt(max(n * aa - a_sum**2, 0) * max(n * bb - b_sum**2, 0))
    return float((n * ab - a_sum * b_sum) / scale) if scale else float("nan")
