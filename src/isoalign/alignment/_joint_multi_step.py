"""The multi-step map for many spaces: whiten each, rotate all, weight directions jointly, de-whiten each."""

from collections.abc import Mapping

import numpy as np

from isoalign._core.types import LinearMap
from isoalign.alignment._generalized_procrustes import JointRotations, generalized_procrustes
from isoalign.alignment._graph import Edge
from isoalign.alignment._vecmap import whitening_of

__all__ = ["joint_multi_step"]


def joint_multi_step(
    products: Mapping[Edge, LinearMap], grams: Mapping[str, LinearMap], pivot: str, *, power: float = 0.5
) -> JointRotations:
    r"""Return one map per space; with two spaces these are the maps of `multi_step_maps`.

    .. math::

        K_l = G_l^{-1/2}, \quad R = \text{generalised Procrustes of } K_a C_{ab} K_b, \quad
        \tfrac12 \sum_{(a, b)} (R_a^\top K_a C_{ab} K_b R_b + \ldots^\top) = E S E^\top, \quad
        W_l = K_l R_l E S^{p} (E^\top R_l^\top K_l^{-1} R_l E)

    Parameters
    ----------
    products
        :math:`C_{ab}` (d, d) for every dictionary.
    grams
        :math:`G_l` (d, d): second moments of the dictionary words of every space, with the weights of the products.
    pivot
        The space whose whitened axes are not rotated; the choice affects only the axes.
    power
        p: exponent of the weights of directions, which are their correlations over all dictionaries.

    References
    ----------
    Artetxe, Labaka, Agirre (AAAI 2018) for two spaces.
    """
    whitenings = {name: whitening_of(gram) for name, gram in grams.items()}
    white = {(a, b): whitenings[a][0] @ C @ whitenings[b][0] for (a, b), C in products.items()}
    rotations, objective = generalized_procrustes(white, {pivot: np.eye(len(grams[pivot]))})
    pooled = np.sum([rotations[a].T @ C @ rotations[b] for (a, b), C in white.items()], axis=0)
    strengths, axes = np.linalg.eigh((pooled + pooled.T) / 2)
    scales = np.maximum(strengths[::-1], 0) ** power
    maps = {}
    for name, (whiten, color) in whitenings.items():
        basis = rotations[name] @ axes[:, ::-1]
        maps[name] = (whiten @ basis * scales) @ (basis.T @ color @ basis)
    return JointRotations(maps, objective)
