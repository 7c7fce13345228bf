"""Time contrastive learning and the kernel correction, relative to their unavoidable operations."""

import time
from pathlib import Path
from typing import Any

import numpy as np
from scipy.linalg import cho_factor

import isoalign as ia
from benchmarks._harness import measure, measure_together, peak_memory
from benchmarks._plain_contrast import plain_c1
from isoalign._core.arrays import unit_rows
from isoalign._core.types import Matrix, RowPairs
from isoalign.alignment._c1 import C1State, c1_step
from isoalign.alignment._contrast_loss import MapPair
from isoalign.maps._kernel import apply_correction, fit_correction

__all__ = ["measure_c1", "measure_contrast_kernel", "measure_kernel"]

DIM, ROWS, ANCHORS, MANY_ANCHORS = 300, 20_000, 5_000, 20_000
BANDWIDTH = 0.25


def measure_kernel() -> dict[str, float]:
    """Time a correction with 5,000 anchors against its Cholesky factor and its two products; memory with 20,000."""
    rng = np.random.default_rng(0)
    X = unit_rows(rng.standard_normal((ROWS, DIM)).astype(np.float32))
    residuals = (0.1 * rng.standard_normal((MANY_ANCHORS, DIM))).astype(np.float32)
    anchors = X[:ANCHORS]
    K = np.exp((anchors.astype(np.float64) @ anchors.T - 1) / BANDWIDTH) + np.eye(ANCHORS)
    values = X @ anchors.T
    used, coefficients = fit_correction(anchors, residuals[:ANCHORS], bandwidth=BANDWIDTH, penalty=1.0)
    times = measure_together(
        {
            "cholesky": lambda: cho_factor(K.copy().T, lower=True, overwrite_a=True, check_finite=False),
            "products": lambda: (X @ anchors.T, values @ coefficients),
            "fit": lambda: fit_correction(anchors, residuals[:ANCHORS], bandwidth=BANDWIDTH, penalty=1.0),
            "apply": lambda: apply_correction(X, used, coefficients, bandwidth=BANDWIDTH),
        },
        repeat=3,
    )
    floor, ours = (sum(times[name].processor for name in some) for some in (("cholesky", "products"), ("fit", "apply")))
    return {
        **{f"processor_seconds_{name}": one.processor for name, one in times.items()},
        "times_cholesky_and_products": ours / floor,
        "one_word_seconds": measure(lambda: apply_correction(X[:1], used, coefficients, bandwidth=BANDWIDTH), 100),
        "peak_bytes_20000_anchors": float(
            peak_memory(lambda: fit_correction(X[:MANY_ANCHORS], residuals, bandwidth=BANDWIDTH, penalty=1.0))
        ),
    }


def measure_contrast_kernel(data: Path) -> dict[str, float]:
    """Time the recipe with its fixed settings on English and Japanese, normalisation included."""
    source, target = (ia.read_vectors(data / name) for name in ("en.spacymd300.vec.gz", "ja.chive300.vec.gz"))
    train = ia.read_lexicon(data / "en-ja.train.txt")
    figures = {"pairs": float(len(train.row_pairs(source, target)))}
    for method in ("contrast-kernel", "stack"):
        begin = time.perf_counter(), time.process_time()
        ia.align(source, target, train, method=method)
        figures[f"{method} seconds"] = time.perf_counter() - begin[0]
        figures[f"{method} processor_seconds"] = time.process_time() - begin[1]
    return figures


def measure_c1(n: int = 8_000, n_pairs: int = 2_000) -> dict[str, float]:
    """Time steps of C1 with its published settings against a plain version with dense gathers."""
    rng = np.random.default_rng(0)
    S = unit_rows(rng.standard_normal((n, DIM)).astype(np.float32))
    T = unit_rows(S + 0.05 * rng.standard_normal((n, DIM)).astype(np.float32))
    pairs = np.repeat(np.arange(n_pairs)[:, None], 2, axis=1)
    identity: Any = np.eye(DIM, dtype=np.float32)  # so that the plain version computes in float32 too
    start = MapPair(identity, identity)
    c1_step(S[:500], T[:500], pairs[:400], C1State(start), n_negatives=10)
    steps = {every: _time_steps(S, T, pairs, start, every) for every in (1, 5)}
    begin = time.process_time()
    plain_c1(S, T, pairs, start, n_steps=2, n_negatives=150, lr=1.5, decay=0.99, clip=0.15)
    plain = (time.process_time() - begin) / 2
    return {
        "plain_processor_seconds_a_step": plain,
        **{f"times_faster_mining_every_{every}": plain / seconds for every, seconds in steps.items()},
    }


def _time_steps(S: Matrix, T: Matrix, pairs: RowPairs, start: MapPair, mine_every: int) -> float:
    n_steps, state = 5, C1State(start)
    begin = time.process_time()
    for _ in range(n_steps):
        state = c1_step(S, T, pairs, state, mine_every=mine_every)
    return (time.process_time() - begin) / n_steps


if __name__ == "__main__":
    found: dict[str, Any] = {"kernel": measure_kernel(), "c1": measure_c1()}
    print(found)
