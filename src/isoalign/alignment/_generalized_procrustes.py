"""Generalised Procrustes: the rotations that bring many spaces together, found from cross products alone."""

from collections.abc import Collection, Mapping
from typing import NamedTuple

import numpy as np

from isoalign._core.threads import single_threaded_blas
from isoalign._core.types import LinearMap
from isoalign.alignment._graph import Edge, spanning_tree
from isoalign.alignment._procrustes import nearest_rotation

__all__ = ["JointRotations", "generalized_procrustes", "sweep_rotations"]

_TOLERANCE = 1e-7
_MAX_SWEEPS = 500


class JointRotations(NamedTuple):
    """Result of generalised Procrustes.

    Attributes
    ----------
    maps
        One orthogonal matrix per space.
    objective
        The sum of traces at the start and after every sweep; it never decreases.
    """

    maps: dict[str, LinearMap]
    objective: list[float]


def generalized_procrustes(
    products: Mapping[Edge, LinearMap],
    fixed: Mapping[str, LinearMap],
    *,
    tol: float = _TOLERANCE,
    max_sweeps: int = _MAX_SWEEPS,
) -> JointRotations:
    r"""Return orthogonal maps that bring the pairs of all dictionaries closest together.

    .. math::

        \min_{W_l^\top W_l = I} \sum_{(a, b)} \alpha_{ab} \lVert X_{ab} W_a - Z_{ab} W_b \rVert_F^2
        \quad\Longleftrightarrow\quad
        \max \sum_{(a, b)} \mathrm{tr}(W_a^\top C_{ab} W_b), \quad C_{ab} = \alpha_{ab} X_{ab}^\top Z_{ab}

    Every update of one map is exact, given the others: :math:`W_l = U V^\top` with
    :math:`U S V^\top = \mathrm{svd}(\sum_{l'} C_{ll'} W_{l'})`. The start is pairwise Procrustes along a spanning tree.

    Parameters
    ----------
    products
        :math:`C_{ab}` (d, d) for every dictionary. Every space must be connected to the fixed ones.
    fixed
        Maps that are not changed, at least one.
    tol
        Stop when a sweep improves the objective by at most this share.
    max_sweeps
        Maximum number of sweeps.

    References
    ----------
    Gower (1975); Ten Berge (1977) for the block updates.
    """
    names = dict.fromkeys([*fixed, *(name for edge in products for name in edge)])
    maps = dict(fixed)
    weights = {edge: float(np.linalg.norm(C)) for edge, C in products.items()}
    for known, new in spanning_tree(names, weights, fixed):
        maps[new] = nearest_rotation(_pull(products, maps, new, {known}))
    free = [name for name in names if name not in fixed]
    objective = [sum(float(np.vdot(maps[a], C @ maps[b])) for (a, b), C in products.items())]
    for _ in range(max_sweeps if free else 0):
        gain = sweep_rotations(products, maps, free)
        objective.append(objective[-1] + gain)
        if gain <= tol * abs(objective[-1]):
            break
    return JointRotations(maps, objective)


def sweep_rotations(products: Mapping[Edge, LinearMap], maps: dict[str, LinearMap], free: Collection[str]) -> float:
    """Replace each free map by the best one given the others, and return the increase of the objective."""
    gain = 0.0
    with single_threaded_blas():  # a decomposition of this size is slower on two threads than on one
        for name in free:
            M = _pull(products, maps, name)
            U, S, Vt = np.linalg.svd(M)
            gain += max(float(S.sum() - np.vdot(maps[name], M)), 0.0)  # negative only by rounding
            maps[name] = U @ Vt
    return gain


def _pull(
    products: Mapping[Edge, LinearMap],
    maps: Mapping[str, LinearMap],
    name: str,
    others: Collection[str] | None = None,
) -> LinearMap:
    """Return the sum of the products of one space with its mapped neighbours, or with some of them."""
    total = np.zeros_like(next(iter(products.values())))
    for (a, b), C in products.items():
        if name in (a, b) and (others is None or (b if a == name else a) in others):
            total += C @ maps[b] if a == name else C.T @ maps[a]
    return total
