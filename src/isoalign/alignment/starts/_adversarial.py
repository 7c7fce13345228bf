"""Adversarial training: a rotation after which a discriminator cannot distinguish source words from target words."""

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from isoalign._core.arrays import unit_rows
from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.types import LinearMap, Matrix
from isoalign._core.validate import check_count, check_same_dim
from isoalign.alignment._criterion import mean_cosine
from isoalign.alignment._loop import AbstractSteps, StepState, run_loop
from isoalign.alignment._procrustes import nearest_rotation
from isoalign.alignment.starts._map_start import AbstractMapStart

__all__ = ["Adversarial", "map_by_adversary"]

_SLOPE = np.float32(0.2)  # of the leaky rectifier


def map_by_adversary(
    X: Matrix,
    Z: Matrix,
    *,
    rng: np.random.Generator,
    progress: Progress = ignore_progress,
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
    progress
        Progress callback.
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
    training = _Training(
        rng=rng,
        hidden=check_count(hidden, name="hidden"),
        batch=check_count(batch, name="batch"),
        epochs=epochs,
        epoch_size=epoch_size,
        discriminator_steps=discriminator_steps,
        dropout=dropout,
        smoothing=smoothing,
        lr=lr,
        decay=decay,
        shrink=shrink,
        beta=beta,
        criterion_rank=criterion_rank,
    )
    run = run_loop(training, (X[:max_rank], Z[:max_rank]), what="adversarial", progress=progress)
    return nearest_rotation(run.state.W.astype(np.float64))


@dataclass(frozen=True, kw_only=True)
class _Adversaries(StepState):
    """The map, its adversary, the learning rate of both, and the largest value of an epoch so far."""

    W: Matrix
    discriminator: "_Discriminator"
    lr: float
    highest: float = -np.inf


@dataclass(frozen=True, kw_only=True)
class _Training(AbstractSteps[tuple[Matrix, Matrix], _Adversaries]):
    """Several steps of the discriminator, then one of the map; after every epoch, the map is scored."""

    rng: np.random.Generator
    hidden: int
    batch: int
    epochs: int
    epoch_size: int
    discriminator_steps: int
    dropout: float
    smoothing: float
    lr: float
    decay: float
    shrink: float
    beta: float
    criterion_rank: int

    @property
    def epoch_steps(self) -> int:
        """Number of steps of an epoch."""
        return max(1, self.epoch_size // self.batch)

    def max_steps(self) -> int:
        """Return the number of steps of all epochs."""
        return self.epochs * self.epoch_steps

    def start(self, problem: tuple[Matrix, Matrix]) -> _Adversaries:
        """Begin with the identity and a random discriminator."""
        dim = problem[0].shape[1]
        W: Matrix = np.eye(dim, dtype=np.float32)
        discriminator = _Discriminator(dim, self.hidden, self.dropout, self.rng)
        return _Adversaries(W=W, discriminator=discriminator, lr=self.lr, value=-np.inf)

    def step(self, problem: tuple[Matrix, Matrix], state: _Adversaries) -> _Adversaries:
        """Let the discriminator learn, then move the map against it."""
        A, B = problem
        W, lr, discriminator = state.W.copy(), state.lr, state.discriminator
        labels = np.repeat(np.array([1 - self.smoothing, self.smoothing], dtype=np.float32), self.batch)[:, None]
        for _ in range(self.discriminator_steps):
            discriminator.learn(np.concatenate([self._draw(A) @ W, self._draw(B)]), labels, lr)
        sources, targets = self._draw(A), self._draw(B)
        slopes = discriminator.slopes(np.concatenate([sources @ W, targets]), 1 - labels)
        W -= np.float32(lr) * (sources.T @ slopes[: self.batch])
        W += np.float32(self.beta) * (W - W @ W.T @ W)
        state = replace(state, number=state.number + 1, record=None, value=None, W=W)
        return self._judge(A, B, state) if state.number % self.epoch_steps == 0 else state

    def _draw(self, rows: Matrix) -> Matrix:
        return rows[self.rng.integers(len(rows), size=self.batch)]

    def _judge(self, A: Matrix, B: Matrix, state: _Adversaries) -> _Adversaries:
        """Score the map, and decrease the learning rate."""
        n = self.criterion_rank
        value = mean_cosine(unit_rows(A[:n] @ state.W), unit_rows(B[:n]), max_rank=n)
        lr = state.lr * (self.decay if value >= state.highest else self.decay * self.shrink)
        record = {"mean_cosine": float(value), "lr": lr}
        return replace(state, record=record, value=value, lr=lr, highest=max(state.highest, value))


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
            weights, above = self.weights[layer], gradient
            if layer > 0:
                gradient = (above @ weights.T) * np.where(activations[layer] > 0, np.float32(1), _SLOPE)
            self.weights[layer] = weights - np.float32(lr) * (activations[layer].T @ above)
            self.biases[layer] -= np.float32(lr) * above.sum(axis=0)

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

    def _find_map(self, X: Matrix, Z: Matrix, rng: np.random.Generator, progress: Progress) -> LinearMap:
        return map_by_adversary(X, Z, rng=rng, progress=progress, **self.get_params())
