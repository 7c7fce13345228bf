"""Logistic regression of a few features."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from isoalign._core.types import DoubleVector

__all__ = ["Logistic", "fit_logistic"]


class Logistic(NamedTuple):
    """Weights of features as they come, (f,), and the intercept."""

    weights: DoubleVector
    intercept: float

    def probability(self, X: NDArray[np.float64]) -> DoubleVector:
        r"""Return :math:`1 / (1 + e^{-(Xw + b)})`, (n,), of rows (n, f)."""
        return _sigmoid(X @ self.weights + self.intercept)


def fit_logistic(positive: NDArray[np.float64], negative: NDArray[np.float64], *, penalty: float = 1.0) -> Logistic:
    r"""Learn the probability of rows to be positive.

    Minimises the negative log-likelihood plus :math:`\tfrac12` ``penalty`` times the squared weights of the features,
    which are scaled to variance one; the intercept is free.

    Parameters
    ----------
    positive, negative
        Features (n, f) and (m, f).
    penalty
        Strength of the shrinkage.
    """
    from scipy.optimize import minimize  # which takes half a second, and judging needs none of it

    rows = np.concatenate([positive, negative])
    mean, scale = rows.mean(axis=0), rows.std(axis=0)
    scale[scale == 0] = 1
    labels = np.repeat([1.0, 0.0], [len(positive), len(negative)])
    Z = np.column_stack([(rows - mean) / scale, np.ones(len(rows))])
    shrunk = np.append(np.full(positive.shape[1], penalty), 0.0)

    def loss(w: DoubleVector) -> tuple[float, DoubleVector]:
        logits = Z @ w
        value = np.logaddexp(0, logits).sum() - labels @ logits + 0.5 * shrunk @ w**2
        return float(value), Z.T @ (_sigmoid(logits) - labels) + shrunk * w

    found = minimize(loss, np.zeros(Z.shape[1]), jac=True, method="L-BFGS-B").x
    weights = found[:-1] / scale
    return Logistic(weights, float(found[-1] - weights @ mean))


def _sigmoid(values: NDArray[np.float64]) -> DoubleVector:
    """Return :math:`1 / (1 + e^{-x})`, without overflow."""
    shares: DoubleVector = 0.5 + 0.5 * np.tanh(0.5 * values)
    return shares
