"""A linear map plus a small neural network."""

from collections.abc import Mapping
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from isoalign._core.arrays import row_blocks
from isoalign._core.state import State, nest_state, part_of_state
from isoalign._core.types import FloatVector, Matrix
from isoalign.maps import AbstractMap, MatrixMap
from isoalign.migration._methods._corrected import AbstractCorrectedMap
from isoalign.migration._methods._grid import with_grid
from isoalign.migration._methods._ridge import ridge_solution
from isoalign.migration._pairs import PairedRows

__all__ = ["ResidualNetworkMap", "fit_mlp"]

_BATCH = 512
_VALIDATION = 0.1
_PATIENCE = 3
_DECAY = (0.9, 0.999)
_SQRT = np.float32(np.sqrt(2 / np.pi))
_CUBE = np.float32(0.044715)


class Network(NamedTuple):
    """Weights of one hidden layer: (dim_in, width), (width,), (width, dim_out)."""

    V1: Matrix
    bias: FloatVector
    V2: Matrix


class ResidualNetworkMap(AbstractCorrectedMap):
    r"""Add a network with one hidden layer to an affine map.

    .. math:: x \mapsto x W + b + \mathrm{gelu}(s\,(x - m) V_1 + c)\, V_2

    Parameters
    ----------
    base
        The affine map.
    center
        m, (dim_in,).
    scale
        s, which brings the columns to about variance one.
    network
        V₁, c and V₂.
    """

    def __init__(self, base: MatrixMap, center: Any, scale: float, network: Network) -> None:
        super().__init__(base, center)
        self.scale = float(scale)
        self.network = Network(*(np.array(array, dtype=np.float32) for array in network))

    def _apply(self, X: Matrix) -> Matrix:
        V1, bias, V2 = self.network
        result = self.base._apply(X)
        for rows in row_blocks(len(X)):
            inputs: Matrix = (X[rows] - self.center) * np.float32(self.scale)
            result[rows] += _gelu(inputs @ V1 + bias)[0] @ V2
        return result

    def describe(self) -> dict[str, Any]:
        """Return the scale."""
        return {"scale": self.scale}

    def get_state(self) -> State:
        """Return the affine map, the mean and the weights."""
        return {"center": self.center, **self.network._asdict(), **nest_state("base", self.base.get_state())}

    @classmethod
    def from_state(cls, description: Mapping[str, Any], state: Mapping[str, NDArray[Any]]) -> Self:
        """Restore the map."""
        network = Network(*(state[name] for name in Network._fields))
        return cls(
            MatrixMap.from_state({}, part_of_state("base", state)), state["center"], description["scale"], network
        )


@with_grid(ridge=(0.01, 0.1, 0.3))
def fit_mlp(
    pairs: PairedRows,
    *,
    ridge: float = 0.1,
    width: int = 512,
    lr: float = 1e-3,
    max_epochs: int = 20,
    random_state: int = 0,
) -> AbstractMap:
    """Train a network on the residuals of a ridge map with Adam, until held-out pairs no longer improve.

    It starts at the ridge map, since the second layer starts at zero.

    Parameters
    ----------
    pairs
        The rows.
    ridge
        Penalty of the ridge map, in units of the mean eigenvalue.
    width
        Size of the hidden layer.
    lr
        Step length.
    max_epochs
        Passes over the pairs at most.
    random_state
        Seed of the weights, the held-out tenth and the batches.
    """
    rng = np.random.default_rng(random_state)
    order = rng.permutation(len(pairs))
    cut = max(1, round(_VALIDATION * len(pairs)))
    base = pairs.affine(ridge_solution(pairs.take(order[cut:]), ridge))
    centered = pairs.X - pairs.x_mean.astype(np.float32)
    scale = 1 / (float(centered.std()) or 1.0)
    residuals = pairs.Y - base._apply(pairs.X)
    spread = np.float32(residuals.std() or 1)  # learned at variance one, which the step length is made for
    network = _train(
        centered * np.float32(scale), residuals / spread, order[cut:], order[:cut], width, lr, max_epochs, rng
    )
    return pairs.finish(ResidualNetworkMap(base, pairs.x_mean, scale, network._replace(V2=network.V2 * spread)))


def _train(
    Z: Matrix,
    R: Matrix,
    train: NDArray[np.int64],
    held_out: NDArray[np.int64],
    width: int,
    lr: float,
    max_epochs: int,
    rng: np.random.Generator,
) -> Network:
    """Return the weights with the smallest squared error on held-out rows."""
    start = rng.standard_normal((Z.shape[1], width), dtype=np.float32) / np.float32(np.sqrt(Z.shape[1]))
    best = now = Network(start, np.zeros(width, np.float32), np.zeros((width, R.shape[1]), np.float32))
    moments = [(np.zeros_like(weights), np.zeros_like(weights)) for weights in now]
    lowest, waited, step = _loss(now, Z[held_out], R[held_out]), 0, 0
    for _ in range(max_epochs):
        for rows in row_blocks(len(train), _BATCH):
            if rows.start == 0:
                rng.shuffle(train)
            step += 1
            now = _adam_step(now, moments, _gradient(now, Z[train[rows]], R[train[rows]]), lr, step)
        loss = _loss(now, Z[held_out], R[held_out])
        if loss < lowest:
            best, lowest, waited = now, loss, 0
        else:
            waited += 1
            if waited == _PATIENCE:
                break
    return best


def _gelu(A: Matrix) -> tuple[Matrix, Matrix]:
    """Return the Gaussian error linear unit, in its tanh form, and the tanh."""
    t = np.tanh(_SQRT * (A + _CUBE * A * A * A))
    return np.float32(0.5) * A * (1 + t), t


def _loss(network: Network, Z: Matrix, R: Matrix) -> float:
    hidden, _ = _gelu(Z @ network.V1 + network.bias)
    return float(((hidden @ network.V2 - R) ** 2).sum(dtype=np.float64))


def _gradient(network: Network, Z: Matrix, R: Matrix) -> Network:
    """Return the gradient of half the summed squared error per row."""
    A = Z @ network.V1 + network.bias
    hidden, t = _gelu(A)
    error = (hidden @ network.V2 - R) / np.float32(len(Z))
    slope = np.float32(0.5) * (1 + t) + np.float32(0.5) * A * (1 - t * t) * _SQRT * (1 + 3 * _CUBE * A * A)
    back = (error @ network.V2.T) * slope
    return Network(Z.T @ back, back.sum(axis=0), hidden.T @ error)


def _adam_step(
    network: Network, moments: list[tuple[NDArray[Any], NDArray[Any]]], gradient: Network, lr: float, step: int
) -> Network:
    """Return the weights after one step; the moments are updated in place."""
    first, second = _DECAY
    moved: list[NDArray[Any]] = []
    for weights, (m, v), g in zip(network, moments, gradient, strict=True):
        m += np.float32(1 - first) * (g - m)
        v += np.float32(1 - second) * (g * g - v)
        size = np.float32(lr / (1 - first**step))
        moved.append(weights - size * m / (np.sqrt(v / np.float32(1 - second**step)) + np.float32(1e-8)))
    return Network(*moved)
