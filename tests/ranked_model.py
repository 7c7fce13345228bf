"""A model whose answers are written down rather than learned."""

import numpy as np

import isoalign as ia


def ranked_model(orders, n_targets=6):
    """Return a model that ranks targets t0, t1, … for every source word in the given order.

    Targets are the axes of the space, so a source vector with falling coordinates along an order of the axes has just
    this order of cosines.
    """
    X = np.zeros((len(orders), n_targets), dtype=np.float32)
    for row, order in enumerate(orders.values()):
        rest = [axis for axis in range(n_targets) if axis not in order]
        X[row, [*order, *rest]] = np.arange(n_targets, 0, -1)
    source = ia.Embeddings(list(orders), X, lang="aa")
    target = ia.Embeddings([f"t{i}" for i in range(n_targets)], np.eye(n_targets, dtype=np.float32), lang="bb")
    return ia.Alignment.from_matrix(None, source=source, target=target)
