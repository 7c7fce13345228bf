"""VecMap's multi-step map: whiten, rotate, re-weight, de-whiten, reduce; both sides move."""

import numpy as np
from numpy.typing import NDArray

from isoalign._core.types import LinearMap, Matrix
from isoalign._core.validate import check_count, check_number
from isoalign.alignment._base import AbstractDirectAligner, Maps
from isoalign.alignment._problem import Problem
from isoalign.errors import ParameterError
from isoalign.maps import MatrixMap

__all__ = ["VecMap", "multi_step_maps", "whitening", "whitening_of"]

_RANK_TOLERANCE = 1e-12  # of the largest eigenvalue; smaller ones carry no evidence


def whitening(X: NDArray[np.float64]) -> tuple[LinearMap, LinearMap]:
    r"""Return :math:`(X^\top X)^{-1/2}` and its inverse; directions without variance are omitted from both."""
    return whitening_of(X.T @ X)


def whitening_of(gram: LinearMap) -> tuple[LinearMap, LinearMap]:
    r"""Return :math:`G^{-1/2}` and its inverse for a matrix of second moments; see `whitening`."""
    values, vectors = np.linalg.eigh(gram)
    known = values > _RANK_TOLERANCE * values[-1]
    values, vectors = values[known], vectors[:, known]
    return (vectors / np.sqrt(values)) @ vectors.T, (vectors * np.sqrt(values)) @ vectors.T


def multi_step_maps(
    X: Matrix,
    Y: Matrix,
    *,
    whiten: bool = True,
    source_reweight: float = 0.5,
    target_reweight: float = 0.5,
    dewhiten: bool = True,
    n_components: int | None = None,
) -> tuple[LinearMap, LinearMap]:
    r"""Return both maps of the multi-step framework, (d_s, p) and (d_t, p).

    .. math::

        C_X = (X^\top X)^{-1/2}, \quad U S V^\top = \mathrm{svd}(C_X X^\top Y C_Y), \quad
        W_X = C_X U S^a (U^\top C_X^{-1} U), \quad W_Y = C_Y V S^b (V^\top C_Y^{-1} V)

    Parameters
    ----------
    X, Y
        Paired rows (p, d_s) and (p, d_t).
    whiten
        Make the directions of each side uncorrelated and of equal weight before rotating.
    source_reweight, target_reweight
        a and b: exponents of the weights of directions, which are their cross-correlations.
    dewhiten
        Restore the correlations of each side, in the rotated basis.
    n_components
        Keep only this many directions, those with the highest correlations.
    """
    X64, Y64 = X.astype(np.float64), Y.astype(np.float64)
    identity = (np.eye(X.shape[1]),) * 2, (np.eye(Y.shape[1]),) * 2
    (x_white, x_color), (y_white, y_color) = (whitening(X64), whitening(Y64)) if whiten else identity
    U, S, Vt = np.linalg.svd(x_white @ (X64.T @ Y64) @ y_white, full_matrices=False)
    source = x_white @ U * S**source_reweight
    target = y_white @ Vt.T * S**target_reweight
    if whiten and dewhiten:
        source = source @ (U.T @ x_color @ U)
        target = target @ (Vt @ y_color @ Vt.T)
    return source[:, :n_components], target[:, :n_components]


class VecMap(AbstractDirectAligner):
    """Map both sides by whitening, rotation, re-weighting and de-whitening, as VecMap does.

    The defaults are its "supervised" preset. Others are settings: ``whiten=False, source_reweight=0,
    target_reweight=0`` is the rotation of 2016; ``source_reweight=0, target_reweight=1`` is the one of AAAI 2018.

    Parameters
    ----------
    whiten, source_reweight, target_reweight, dewhiten, n_components
        See `multi_step_maps`.

    References
    ----------
    Artetxe, Labaka, Agirre, "Generalizing and improving bilingual word embedding mappings with a multi-step framework
    of linear transformations", AAAI 2018. Columns are determined up to a sign common to both sides.
    """

    same_dim = False

    weighs_pairs = True

    def __init__(
        self,
        whiten: bool = True,
        source_reweight: float = 0.5,
        target_reweight: float = 0.5,
        dewhiten: bool = True,
        n_components: int | None = None,
    ) -> None:
        self.whiten = whiten
        self.source_reweight = source_reweight
        self.target_reweight = target_reweight
        self.dewhiten = dewhiten
        self.n_components = n_components

    def _solve(self, problem: Problem) -> Maps:
        if self.n_components is not None:
            check_count(self.n_components, name="n_components")
        for name in ("source_reweight", "target_reweight"):
            if not check_number(getattr(self, name), name=name) >= 0:
                raise ParameterError(f"{name} must not be negative. Got {getattr(self, name)!r}.")
        source, target = multi_step_maps(*problem.paired_rows(), **self.get_params())
        return Maps(MatrixMap(source), MatrixMap(target))
