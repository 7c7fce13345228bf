"""Logistic regression with a few features."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from isoalign._core.types import DoubleVector

__all__ = ["Logistic", "fit_logistic"]


class Logistic(NamedTuple):
    """Weights of the unscaled features, (f,), and the intercept."""

    weights: DoubleVector
    intercept: float

    def probability(self, X: NDArray[np.float64]) -> DoubleVector:
        r"""Return :math:`1 / (1 + e^{-(Xw + b)})`, (n,), of rows (n, f)."""
        return _logistic(X @ self.weights + self.intercept)


def fit_logistic(positive: NDArray[np.float64], negative: NDArray[np.float64], *, penalty: float = 1.0) -> Logistic:
    r"""Learn the probability that a row is positive.

    Minimises the negative log-likelihood plus :math:`\tfrac12` ``penalty`` times the squared weights of the features,
    which are scaled to unit variance; the intercept is not penalised.

    Parameters
    ----------
    positive, negative
        Features (n, f) and (m, f).
    penalty
        Strength of the regularisation.
    """
    from scipy.optimize import minimize  # takes longer to import than all else that a translation needs

    rows = np.concatenate([positive, negative])
    mean, scale = rows.mean(axis=0), rows.std(axis=0)
    scale[scale == 0] = 1
    labels = np.repeat([1.0, 0.0], [len(positive), len(negative)])
    Z = np.column_stack([(rows - mean) / scale, np.ones(len(rows))])
    shrunk = np.append(np.full(positive.shape[1], penalty), 0.0)

    def loss(w: DoubleVector) -> tuple[float, DoubleVector]:
        logits = Z @ w
        value = np.logaddexp(0, logits).sum() - labels @ logits + 0.5 * shrunk @ w**2
        return float(value), Z.T @ (_logistic(logits) - labels) + shrunk * w

    found = minimize(loss, np.zeros(Z.shape[1]), jac=True, method="L-BFGS-B").x
    weights = found[:-1] / scale
    return Logistic(weights, float(found[-1] - weights @ mean))


def _logistic(logits: DoubleVector) -> DoubleVector:
    """Return 1 / (1 + exp(-logits)), without overflow."""
    small = np.exp(-np.abs(logits))
    return np.where(logits >= 0, 1.0, small) / (1.0 + small)
