"""Weights of the parts of a cosine."""

from collections.abc import Sequence

import numpy as np

from isoalign.errors import ParameterError

__all__ = ["share_weights"]


def share_weights(weights: Sequence[float]) -> list[float]:
    """Scale weights to sum to one; they must not be empty or negative."""
    values = np.asarray(weights, dtype=np.float64)
    if not (values >= 0).all() or not 0 < values.sum() < np.inf:
        raise ParameterError(
            f"A stack needs at least one part, and weights that are not negative and not all zero. Got {list(weights)}."
        )
    shares: list[float] = (values / values.sum()).tolist()
    return shares
