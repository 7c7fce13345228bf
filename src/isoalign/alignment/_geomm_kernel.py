r"""GeoMM in closed form: two rotations and a common metric as one ridge problem."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from isoalign._core.types import LinearMap, Matrix, RowPairs

__all__ = ["bilinear_ridge", "geomm_maps"]


def bilinear_ridge(X: Matrix, Z: Matrix, pairs: RowPairs, penalties: Sequence[float]) -> Iterator[LinearMap]:
    r"""Yield for every :math:`\lambda` the W with :math:`X^\top X W Z^\top Z + \frac{\lambda}{2} W = X^\top A Z`.

    That W minimises :math:`\lVert X W Z^\top - A \rVert_F^2 + \frac{\lambda}{2} \lVert W \rVert_F^2`, where A is the
    0/1 matrix of translations. Two eigendecompositions are enough for all :math:`\lambda`.

    Parameters
    ----------
    X, Z
        Distinct dictionary words of both sides, (n, d_s) and (m, d_t).
    pairs
        Row pairs in X and Z; a repeated pair counts once.
    penalties
        Values of :math:`\lambda`, positive.
    """
    X64, Z64 = X.astype(np.float64), Z.astype(np.float64)
    pairs = np.unique(pairs, axis=0)
    x_values, P = np.linalg.eigh(X64.T @ X64)
    z_values, Q = np.linalg.eigh(Z64.T @ Z64)
    evidence = (X64 @ P)[pairs[:, 0]].T @ (Z64 @ Q)[pairs[:, 1]]
    products: NDArray[np.float64] = np.outer(np.maximum(x_values, 0), np.maximum(z_values, 0))
    for penalty in penalties:
        yield P @ (evidence / (products + penalty / 2)) @ Q.T


def geomm_maps(
    X: Matrix, Z: Matrix, pairs: RowPairs, penalties: Sequence[float]
) -> Iterator[tuple[LinearMap, LinearMap]]:
    r"""Yield for every :math:`\lambda` the maps of both sides.

    .. math:: U_1 \operatorname{diag}(s) U_2^\top = \mathrm{svd}(W), \quad x \mapsto x U_1 s^{1/2}, \quad
        z \mapsto z U_2 s^{1/2}

    Parameters
    ----------
    X, Z, pairs, penalties
        As for :func:`bilinear_ridge`.

    References
    ----------
    Jawanpuria, Balgovind, Kunchukuttan, Mishra, "Learning multilingual word embeddings in latent metric space: a
    geometric approach", TACL 2019. They minimise over rotations and a positive metric; W is their product, so the
    minimum is the same. Columns are determined up to a sign common to both sides.
    """
    for W in bilinear_ridge(X, Z, pairs, penalties):
        U, s, Vt = np.linalg.svd(W, full_matrices=False)
        yield U * np.sqrt(s), Vt.T * np.sqrt(s)
