"""Time of an iteration of self-learning, compared with a matrix product and with a plain version of VecMap's loop.

``python -m benchmarks.self_learning`` takes some minutes and 8 GB, nearly all for the plain version; ``--scale 0.2``
for a quick look.
"""

import argparse
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from benchmarks._harness import measure_together, peak_allocation, save
from benchmarks._spaces import realistic_pair
from benchmarks.search import multiply, ratio, report
from isoalign._core.types import IntVector, Matrix, RowPairs
from isoalign.alignment._self_learning_kernel import SelfLearningSettings, SelfLearningState, rotation, start, step

DIM = 300
K = 10


def plain_iteration(X: Matrix, Z: Matrix, pairs: RowPairs, keep: float, rng: np.random.Generator) -> RowPairs:
    """Do one iteration as a direct transcription does: four products, ten sweeps for means, two random matrices."""
    S = X @ rotation(X, Z, pairs).astype(np.float32)
    forward = _plain_direction(S, Z, keep, rng)
    backward = _plain_direction(Z, S, keep, rng)
    rows = np.arange(len(X)), np.arange(len(Z))
    return np.concatenate([np.column_stack([rows[0], forward]), np.column_stack([backward, rows[1]])])


def _plain_direction(Q: Matrix, T: Matrix, keep: float, rng: np.random.Generator) -> IntVector:
    nearest = T @ Q.T
    means = np.zeros(len(T), dtype=np.float32)
    rows = np.arange(len(T))
    for _ in range(K):
        best = nearest.argmax(axis=1)
        means += nearest[rows, best] / K
        nearest[rows, best] = -1
    del nearest
    scores = Q @ T.T
    scores -= means / 2
    scores *= rng.random(scores.shape, dtype=np.float32) < keep
    chosen: IntVector = scores.argmax(axis=1)
    return chosen


def state_at(X: Matrix, Z: Matrix, pairs: RowPairs, keep: float) -> tuple[SelfLearningState, SelfLearningSettings]:
    """Return the state after three iterations at a keep probability."""
    settings = SelfLearningSettings(limits=(len(X), len(Z)), keep=keep)
    state = start(X, Z, pairs, settings)
    for _ in range(3):
        state = step(X, Z, pairs, state, settings)
    return state, settings


def main() -> None:
    """Time an iteration at every keep probability, and save the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scale", type=float, default=1.0, help="factor of the vocabulary")
    parser.add_argument("--repeat", type=int, default=2, help="number of runs; the fastest counts")
    options = parser.parse_args()
    n = int(20_000 * options.scale)
    X, Z, pairs = realistic_pair(n, DIM)
    states = {keep: state_at(X, Z, pairs, keep) for keep in (0.1, 0.4, 1.0)}
    tasks: dict[str, Callable[[], Any]] = {"product": lambda: multiply(X, Z)}
    for keep, (state, settings) in states.items():
        tasks[f"iteration_{keep:g}"] = partial(step, X, Z, pairs, state, settings)
    plain_state, rng = states[0.1][0], np.random.default_rng(0)
    tasks["plain_iteration"] = lambda: plain_iteration(X, Z, plain_state.pairs, 0.1, rng)
    seconds = measure_together(tasks, options.repeat)
    ours = [name for name in tasks if name.startswith("iteration")]
    figures = {
        "size": [n, n, DIM],
        "seed": 0,
        **report(seconds),
        "times_the_product": {name: ratio(seconds[name], seconds["product"]) for name in ours},
        "times_faster_than_plain": {name: ratio(seconds["plain_iteration"], seconds[name]) for name in ours},
        "peak_megabytes": {name: peak_allocation(tasks[name]) / 1e6 for name in (*ours, "plain_iteration")},
    }
    save("self_learning" if options.scale == 1 else "self_learning-small", figures)


if __name__ == "__main__":
    main()
