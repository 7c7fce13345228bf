"""A rotation between models, thin where their dimensions differ."""

from isoalign.maps import AbstractMap
from isoalign.migration._pairs import PairedRows

__all__ = ["fit_procrustes"]


def fit_procrustes(pairs: PairedRows) -> AbstractMap:
    r"""Fit a rotation: :math:`W = U V^\top`, :math:`U S V^\top = \mathrm{svd}(X^\top Y)` of centred rows.

    With unequal dimensions the factors are thin. From more to fewer dimensions W then maximises the trace of
    :math:`W^\top X^\top Y`, which is not the least-squares solution.
    """
    return pairs.finish(pairs.affine(pairs.rotation))
