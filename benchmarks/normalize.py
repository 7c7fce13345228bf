"""Time of five rounds of iterative normalisation, compared with copies of the matrix and with plain numpy."""

import numpy as np

from benchmarks._harness import measure, peak_allocation, peak_memory, save
from isoalign._core.arrays import BLOCK_ROWS, row_blocks
from isoalign.normalization import IterNorm

ROWS, DIM, ROUNDS, SEED, REPEAT = 200_000, 300, 5, 0, 15


def plain_numpy(X: np.ndarray) -> np.ndarray:
    """Do the same as written in the paper, in float64."""
    X = X.astype(np.float64)
    for _ in range(ROUNDS):
        X = X / np.sqrt((X**2).sum(axis=1))[:, None]
        X = X - X.mean(axis=0)
    scaled: np.ndarray = X / np.sqrt((X**2).sum(axis=1))[:, None]
    return scaled


def main() -> None:
    """Measure copies and rounds alternately, so that other work on the machine affects both equally."""
    rng = np.random.default_rng(SEED)
    original = rng.standard_normal((ROWS, DIM), dtype=np.float32) * np.geomspace(3, 0.3, DIM, dtype=np.float32) + 0.3
    X = original.copy()

    def normalize() -> None:
        IterNorm(n_iter=ROUNDS).fit_transform(X, copy=False)

    normalize()
    np.testing.assert_allclose(X, plain_numpy(original), atol=1e-6)

    def copy() -> None:
        for _ in range(ROUNDS + 1):
            np.copyto(X, original)

    copies, fresh_copies, rounds = [], [], []
    for _ in range(REPEAT):
        copies.append(measure(copy, repeat=1))
        rounds.append(measure(normalize, repeat=1))
        fresh_copies.append(measure(lambda: [original.copy() for _ in range(ROUNDS + 1)], repeat=1))
    plain = measure(lambda: plain_numpy(original))
    product = measure(lambda: sum(X[rows].T @ X[rows] for rows in row_blocks(ROWS)))
    np.copyto(X, original)
    resident = peak_memory(normalize)
    np.copyto(X, original)
    extra = peak_allocation(normalize)

    best, median = min(rounds), float(np.median(rounds))
    save(
        "normalize",
        {
            "rows": ROWS,
            "dim": DIM,
            "rounds": ROUNDS,
            "seed": SEED,
            "seconds_iternorm": best,
            "seconds_six_copies_into_memory_in_use": min(copies),
            "seconds_six_copies_into_new_memory": min(fresh_copies),
            "seconds_plain_numpy": plain,
            "seconds_whole_product_for_the_eigenvalue": product,
            "ratio_to_six_copies_into_memory_in_use": best / min(copies),
            "ratio_to_six_copies_into_new_memory": best / min(fresh_copies),
            "median_ratio_to_six_copies_into_memory_in_use": median / float(np.median(copies)),
            "times_faster_than_plain_numpy": plain / best,
            "extra_resident_bytes": resident,
            "extra_allocated_bytes": extra,
            "extra_allocated_in_blocks": extra / (BLOCK_ROWS * DIM * 4),
        },
    )


if __name__ == "__main__":
    main()
