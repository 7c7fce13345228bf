r"""Move a kernel correction by a few steps so that translations win against their nearest rivals."""

import numpy as np

from isoalign._core.arrays import row_blocks, unit_rows
from isoalign._core.types import IntVector, Matrix, RowPairs
from isoalign.maps import KernelCorrection
from isoalign.neighbors import top_k

__all__ = ["MAX_STEPS", "rank_correction"]

_MOMENTUM = 0.8
_BLOCK = 512
MAX_STEPS = 12
"""Steps after which the falling step length would be zero."""


def rank_correction(
    ridge: KernelCorrection,
    V: Matrix,
    sources: IntVector,
    pairs: RowPairs,
    *,
    n_steps: int,
    step_length: float = 0.03,
    n_negatives: int = 30,
    temperature: float = 0.1,
) -> KernelCorrection:
    r"""Return the correction after some steps from the ridge solution.

    The loss of an anchor is the contrastive one over its translations and its nearest other targets, where every anchor
    is corrected by the *other* anchors only. With its gradient G with respect to the corrected anchors, and m = 0 at
    the start, step s is

    .. math:: m \leftarrow 0.8\, m + 0.2\, G, \qquad
        \alpha \leftarrow \alpha - \eta \left(1 - \tfrac{s}{12}\right) \lVert \alpha_0 \rVert \frac{m}{\lVert m \rVert}

    With an anchor's own kernel this would be descent in the space of functions of the kernel. Without it, the loss
    falls only as far as what an anchor lacks is shared by its neighbours: so few steps are taken.

    Parameters
    ----------
    ridge
        Where to begin; its anchors are the dictionary words of the side that asks.
    V
        All targets, rows of unit length, (m, p).
    sources
        Row of every anchor, ascending.
    pairs
        Row pairs of the dictionary.
    n_steps
        At most 12.
    step_length
        :math:`\eta`, relative to the norm of the first coefficients.
    n_negatives
        Targets nearest to every corrected anchor; its translations among them do not count.
    temperature
        :math:`\tau` of the softmax over cosines.
    """
    anchors, first = ridge.anchors, ridge.coefficients
    pairs = np.unique(pairs, axis=0)
    owners, gold = np.searchsorted(sources, pairs[:, 0]), pairs[:, 1]
    K = np.exp((anchors @ anchors.T - np.float32(1)) / np.float32(ridge.bandwidth))
    np.fill_diagonal(K, 0)
    negatives = top_k(unit_rows(anchors + K @ first), V, min(n_negatives, len(V)))[1]
    is_known = np.isin(sources[:, None] * len(V) + negatives, pairs[:, 0] * len(V) + gold)
    coefficients, momentum, length = first, np.zeros_like(first), np.linalg.norm(first)
    for step in range(n_steps):
        G = _gradient(anchors + K @ coefficients, V, owners, gold, negatives, is_known, temperature)
        momentum = np.float32(_MOMENTUM) * momentum + np.float32(1 - _MOMENTUM) * G
        norm = np.linalg.norm(momentum)
        if norm > 0:
            scale = step_length * (1 - step / MAX_STEPS) * length / norm
            coefficients = coefficients - np.float32(scale) * momentum
    return KernelCorrection(anchors, coefficients, ridge.bandwidth, omit_self=ridge.omit_self)


def _gradient(
    corrected: Matrix,
    V: Matrix,
    owners: IntVector,
    gold: IntVector,
    negatives: IntVector,
    is_known: "np.ndarray[tuple[int, int], np.dtype[np.bool_]]",
    temperature: float,
) -> Matrix:
    """Return the gradient of the loss with respect to corrected anchors; translations share the weight of an anchor."""
    lengths = np.maximum(np.linalg.norm(corrected, axis=1, keepdims=True), np.finfo(np.float32).tiny)
    U = corrected / lengths
    counts = np.bincount(owners, minlength=len(U))
    starts = np.append(0, np.cumsum(counts))
    G = np.empty_like(U)
    for rows in row_blocks(len(U), _BLOCK):
        near = V[negatives[rows]]
        rivals = np.exp((np.einsum("id,ikd->ik", U[rows], near) - 1) / temperature)
        rivals[is_known[rows]] = 0
        own = slice(starts[rows.start], starts[rows.stop])
        places, right = owners[own] - rows.start, V[gold[own]]
        weights = np.exp((np.einsum("id,id->i", U[rows][places], right) - 1) / temperature)
        sums = np.maximum(weights + rivals.sum(axis=1)[places], np.finfo(np.float32).tiny)
        shares = 1 / counts[owners[own]]
        pulls = ((weights / sums - 1) * shares)[:, None] * right
        pushes = rivals * np.bincount(places, shares / sums, len(near))[:, None]
        block = np.einsum("ik,ikd->id", pushes.astype(np.float32), near)
        np.add.at(block, places, pulls.astype(np.float32))
        G[rows] = block - np.einsum("id,id->i", block, U[rows])[:, None] * U[rows]
    gradient: Matrix = G / lengths
    return gradient
