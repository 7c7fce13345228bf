"""Logistic regression of a few features."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit

from isoalign._core.types import DoubleVector

__all__ = ["fit_logistic"]


def fit_logistic(
    positive: NDArray[np.float64], negative: NDArray[np.float64], *, penalty: float = 1.0
) -> Callable[[NDArray[np.float64]], DoubleVector]:
    r"""Return a function that gives the probability of rows to be positive.

    Minimises the negative log-likelihood plus :math:`\tfrac12` ``penalty`` times the squared weights of the features,
    which are scaled to variance one; the intercept is free.

    Parameters
    ----------
    positive, negative
        Features (n, f) and (m, f).
    penalty
        Strength of the shrinkage.
    """
    rows = np.concatenate([positive, negative])
    mean, scale = rows.mean(axis=0), rows.std(axis=0)
    scale[scale == 0] = 1
    labels = np.repeat([1.0, 0.0], [len(positive), len(negative)])

    def prepare(X: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.column_stack([(X - mean) / scale, np.ones(len(X))])

    Z = prepare(rows)
    shrunk = np.append(np.full(positive.shape[1], penalty), 0.0)

    def loss(w: DoubleVector) -> tuple[float, DoubleVector]:
        logits = Z @ w
        value = np.logaddexp(0, logits).sum() - labels @ logits + 0.5 * shrunk @ w**2
        return float(value), Z.T @ (expit(logits) - labels) + shrunk * w

    weights = minimize(loss, np.zeros(Z.shape[1]), jac=True, method="L-BFGS-B").x

    def probability(X: NDArray[np.float64]) -> DoubleVector:
        values: DoubleVector = expit(prepare(X) @ weights)
        return values

    return probability
