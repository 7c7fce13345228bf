"""A plain implementation of the published contrastive descent: negatives mined at every step, for all pairs at once."""

from typing import Any

import numpy as np


def plain_c1(
    S: Any,
    T: Any,
    pairs: Any,
    maps: Any,
    *,
    n_steps: int,
    n_negatives: int,
    lr: float,
    decay: float,
    clip: float,
    temperature: float = 1.0,
) -> tuple[Any, Any]:
    """Return both maps after some steps."""
    Wx, Wz = (W.copy() for W in maps)
    i, j = pairs.T
    known = np.zeros((len(S), len(T)), dtype=bool)
    known[i, j] = True
    for step in range(n_steps):
        U, u_lengths = _unit(S @ Wx)
        V, v_lengths = _unit(T @ Wz)
        cosines = U @ V.T
        targets = np.argpartition(-cosines[i], n_negatives, axis=1)[:, :n_negatives]
        sources = np.argpartition(-cosines[:, j].T, n_negatives, axis=1)[:, :n_negatives]
        gold = np.exp((U[i] * V[j]).sum(axis=1) / temperature)
        near_v, near_u = V[targets], U[sources]  # pairs × negatives × columns
        t_weights = np.exp(np.einsum("pd,pnd->pn", U[i], near_v) / temperature) * ~known[i[:, None], targets]
        s_weights = np.exp(np.einsum("pd,pnd->pn", V[j], near_u) / temperature) * ~known[sources, j[:, None]]
        total = gold + t_weights.sum(axis=1) + s_weights.sum(axis=1)
        scale = temperature * len(pairs)
        g = (gold / total - 1)[:, None] / scale
        t_slopes, s_slopes = t_weights / total[:, None] / scale, s_weights / total[:, None] / scale
        dU, dV = np.zeros_like(U), np.zeros_like(V)
        np.add.at(dU, i, g * V[j] + np.einsum("pn,pnd->pd", t_slopes, near_v))
        np.add.at(dV, j, g * U[i] + np.einsum("pn,pnd->pd", s_slopes, near_u))
        np.add.at(dV, targets, t_slopes[:, :, None] * U[i][:, None, :])
        np.add.at(dU, sources, s_slopes[:, :, None] * V[j][:, None, :])
        Gx, Gz = S.T @ (dU / u_lengths), T.T @ (dV / v_lengths)
        norm = np.hypot(np.linalg.norm(Gx), np.linalg.norm(Gz))
        length = lr * decay**step * min(1.0, clip / norm)
        Wx, Wz = Wx - length * Gx, Wz - length * Gz
    return Wx, Wz


def _unit(X: Any) -> tuple[Any, Any]:
    lengths = np.linalg.norm(X, axis=1, keepdims=True)
    return X / lengths, lengths
