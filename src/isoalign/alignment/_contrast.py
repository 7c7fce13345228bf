r"""Short contrastive learning: a few steps that separate translations from their nearest rivals."""

from collections.abc import Iterator

import numpy as np

from isoalign._core.types import Matrix, RowPairs
from isoalign.alignment._contrast_loss import ContrastiveLoss, MapPair, mine_negatives

__all__ = ["contrast_steps"]

_MOMENTUM = 0.8


def contrast_steps(
    U: Matrix,
    V: Matrix,
    pairs: RowPairs,
    *,
    n_steps: int = 15,
    n_negatives: int = 30,
    temperature: float = 0.1,
    step_length: float = 0.3,
) -> Iterator[MapPair]:
    r"""Yield the maps of both sides after 0, 1, …, ``n_steps`` steps.

    The maps are :math:`I + \Delta`. With the gradient g of the loss over both sides and m = 0 at the start, step s is

    .. math::

        m \leftarrow 0.8\, m + 0.2\, g, \qquad
        \Delta \leftarrow \Delta - \eta \left(1 - \frac{s}{\mathrm{steps}}\right) \frac{m}{\lVert m \rVert}

    The negatives are found once, before the first step, among all words.

    Parameters
    ----------
    U, V
        Both spaces (n, p) and (m, p), mapped into one, rows of unit length.
    pairs
        Row pairs of translations, (p, 2).
    n_steps
        Number of steps after which the step length would be zero.
    n_negatives
        Neighbours of every dictionary word on the other side; known translations among them are excluded.
    temperature
        :math:`\tau` of the softmax over cosines.
    step_length
        :math:`\eta`, in the Frobenius norm over both maps.
    """
    negatives = mine_negatives(U, V, pairs, n_negatives)
    objective = ContrastiveLoss(U, V, pairs, negatives, temperature=temperature)
    maps = MapPair(np.eye(U.shape[1]), np.eye(V.shape[1]))
    momentum = MapPair(np.zeros_like(maps.source), np.zeros_like(maps.target))
    yield maps
    for step in range(n_steps):
        _, gradient = objective.evaluate(maps)
        momentum = MapPair(
            *(_MOMENTUM * old + (1 - _MOMENTUM) * new for old, new in zip(momentum, gradient, strict=True))
        )
        maps = step_along(maps, momentum, step_length * (1 - step / n_steps))
        yield maps


def step_along(maps: MapPair, direction: MapPair, length: float) -> MapPair:
    """Return the maps after a step of some length against a direction; without a direction, the same maps."""
    norm = joint_norm(direction)
    scale = length / norm if norm > 0 else 0.0
    return MapPair(maps.source - scale * direction.source, maps.target - scale * direction.target)


def joint_norm(maps: MapPair) -> float:
    """Return the Frobenius norm over both sides."""
    return float(np.hypot(np.linalg.norm(maps.source), np.linalg.norm(maps.target)))
