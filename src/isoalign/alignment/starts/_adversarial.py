"""Adversarial training: a rotation after which a discriminator cannot distinguish source words from target words."""

from itertools import pairwise

import numpy as np

from isoalign._core.arrays import unit_rows
from isoalign._core.types import LinearMap, Matrix
from isoalign._core.validate import check_count, check_same_dim
from isoalign.alignment._criterion import mean_cosine
from isoalign.alignment._procrustes import nearest_rotation
from isoalign.alignment.starts._map_start import AbstractMapStart

__all__ = ["Adversarial", "map_by_adversary"]

_SLOPE = np.float32(0.2)  # of the leaky rectifier


def map_by_adversary(
    X: Matrix,
    Z: Matrix,
    *,
    rng: np.random.Generator,
    max_rank: int,
    hidden: int,
    batch: int,
    epochs: int,
    epoch_size: int,
    discriminator_steps: int,
    dropout: float,
    smoothing: float,
    lr: float,
    decay: float,
    shrink: float,
    beta: float,
    criterion_rank: int,
) -> LinearMap:
    r"""Return the map of adversarial training with the highest mean cosine of its CSLS pairs.

    The discriminator learns to distinguish :math:`XW` from Z, the map learns to mislead it, and after every step W is
    moved towards the rotations: :math:`W \leftarrow (1 + \beta) W - \beta W W^\top W`. The least reliable of all
    starts.

    Parameters
    ----------
    X, Z
        Normalised spaces (n, dim) and (m, dim), most frequent words first.
    rng
        Random generator for weights, words and dropout.
    max_rank
        Draw among the most frequent words.
    hidden
        Width of the two hidden layers of the discriminator.
    batch, epochs, epoch_size
        Words of each side in a step, epochs, and words that the map sees in one.
    discriminator_steps
        Steps of the discriminator for each step of the map.
    dropout, smoothing
        Share of the discriminator's inputs set to zero, and how far its labels are from 0 and 1.
    lr, decay, shrink
        Learning rate, its factor after every epoch, and one more factor when the criterion falls.
    beta
        How strongly W is moved towards the rotations.
    criterion_rank
        Number of most frequent words that maps are scored on.

    References
    ----------
    Conneau, Lample, Ranzato, Denoyer, Jégou (2018).
    """
    check_same_dim(X, Z, what="X and Z")
    batch = check_count(batch, name="batch")
    A, B = X[:max_rank], Z[:max_rank]
    discriminator = _Discriminator(X.shape[1], check_count(hidden, name="hidden"), dropout, rng)
    labels = np.repeat(np.array([1 - smoothing, smoothing], dtype=np.float32), batch)[:, None]
    W: Matrix = np.eye(X.shape[1], dtype=np.float32)
    best, best_value = W, -np.inf
    for _ in range(epochs):
        for _ in range(max(1, epoch_size // batch)):
            for _ in range(discriminator_steps):
                sources, targets = A[rng.integers(len(A), size=batch)], B[rng.integers(len(B), size=batch)]
                discriminator.learn(np.concatenate([sources @ W, targets]), labels, lr)
            sources, targets = A[rng.integers(len(A), size=batch)], B[rng.integers(len(B), size=batch)]
            slopes = discriminator.slopes(np.concatenate([sources @ W, targets]), 1 - labels)
            W -= np.float32(lr) * (sources.T @ slopes[:batch])
            W += np.float32(beta) * (W - W @ W.T @ W)
        value = mean_cosine(unit_rows(A[:criterion_rank] @ W), unit_rows(B[:criterion_rank]), max_rank=criterion_rank)
        lr *= decay if value >= best_value else decay * shrink
        if value > best_value:
            best, best_value = W.copy(), value
    return nearest_rotation(best.astype(np.float64))


class _Discriminator:
    """Two hidden layers and the probability that a vector is a mapped source word."""

    def __init__(self, dim: int, hidden: int, dropout: float, rng: np.random.Generator) -> None:
        widths = (dim, hidden, hidden, 1)
        self.dropout, self.rng = dropout, rng
        self.weights = [rng.uniform(-(n**-0.5), n**-0.5, size=(n, m)).astype(np.float32) for n, m in pairwise(widths)]
        self.biases = [np.zeros(m, dtype=np.float32) for m in widths[1:]]

    def learn(self, V: Matrix, labels: Matrix, lr: float) -> None:
        """Take one gradient step on the cross-entropy of the labels."""
        activations = self._forward(V)
        gradient = self._output_gradient(activations[-1], labels)
        for layer in reversed(range(3)):
            weights = self.weights[layer]
            below = gradient @ weights.T
            self.weights[layer] = weights - np.float32(lr) * (activations[layer].T @ gradient)
            self.biases[layer] -= np.float32(lr) * gradient.sum(axis=0)
            gradient = below * np.where(activations[layer] > 0, np.float32(1), _SLOPE)

    def slopes(self, V: Matrix, labels: Matrix) -> Matrix:
        """Return the gradient of the cross-entropy of the labels with respect to the vectors."""
        activations = self._forward(V)
        gradient = self._output_gradient(activations[-1], labels)
        for layer in (2, 1):
            gradient = (gradient @ self.weights[layer].T) * np.where(activations[layer] > 0, np.float32(1), _SLOPE)
        slopes: Matrix = gradient @ self.weights[0].T * (activations[0] != 0)
        return slopes

    def _forward(self, V: Matrix) -> list[Matrix]:
        kept = self.rng.random(V.shape, dtype=np.float32) >= self.dropout
        activations = [V * kept / np.float32(1 - self.dropout)]
        for layer in range(2):
            value = activations[-1] @ self.weights[layer] + self.biases[layer]
            activations.append(np.where(value > 0, value, _SLOPE * value))
        activations.append(activations[-1] @ self.weights[2] + self.biases[2])
        return activations

    @staticmethod
    def _output_gradient(logits: Matrix, labels: Matrix) -> Matrix:
        gradient: Matrix = ((1 / (1 + np.exp(-logits)) - labels) / len(labels)).astype(np.float32)
        return gradient


class Adversarial(AbstractMapStart):
    """Rotate so that a discriminator cannot tell the two languages apart.

    Parameters
    ----------
    max_rank, hidden, batch, epochs, epoch_size, discriminator_steps, dropout, smoothing, lr, decay, shrink, beta,
    criterion_rank
        See `map_by_adversary`.
    """

    def __init__(
        self,
        max_rank: int = 75_000,
        hidden: int = 2048,
        batch: int = 32,
        epochs: int = 5,
        epoch_size: int = 1_000_000,
        discriminator_steps: int = 5,
        dropout: float = 0.1,
        smoothing: float = 0.1,
        lr: float = 0.1,
        decay: float = 0.98,
        shrink: float = 0.5,
        beta: float = 0.001,
        criterion_rank: int = 10_000,
    ) -> None:
        self.max_rank = max_rank
        self.hidden = hidden
        self.batch = batch
        self.epochs = epochs
        self.epoch_size = epoch_size
        self.discriminator_steps = discriminator_steps
        self.dropout = dropout
        self.smoothing = smoothing
        self.lr = lr
        self.decay = decay
        self.shrink = shrink
        self.beta = beta
        self.criterion_rank = criterion_rank

    def _find_map(self, X: Matrix, Z: Matrix, rng: np.random.Generator) -> LinearMap:
        return map_by_adversary(X, Z, rng=rng, **self.get_params())
