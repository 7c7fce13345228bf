"""Made-up changes of the embedding model: the same items in two spaces, with a known map between them."""

from typing import NamedTuple

import numpy as np


class Change(NamedTuple):
    """Unit vectors of the same items in the old and in the new model."""

    old: np.ndarray
    new: np.ndarray


def unit(X):
    return (X / np.linalg.norm(X, axis=1, keepdims=True)).astype(np.float32)


def planted_change(n=400, dims=(12, 16), noise=0.05, seed=0, world=0):
    """Return items of a hidden space seen through two random linear maps, off the origin and with noise.

    The maps belong to the ``world``, the items to the ``seed``.
    """
    fixed, rng = np.random.default_rng([7, world]), np.random.default_rng(seed)
    hidden = rng.standard_normal((n, min(dims)))
    return Change(
        *(
            unit(
                hidden @ (fixed.standard_normal((hidden.shape[1], dim)) / 3 + np.eye(hidden.shape[1], dim))
                + 0.7 * fixed.standard_normal(dim)
                + noise * rng.standard_normal((n, dim))
            )
            for dim in dims
        )
    )
