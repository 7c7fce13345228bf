"""Time of exact search relative to the matrix product alone, and savings of lazy CSLS.

``python -m benchmarks.search`` takes some minutes and 2 GB; ``--scale 0.1`` for a quick look.
"""

import argparse
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import numpy as np

from benchmarks._harness import Seconds, measure_together, peak_memory, save
from benchmarks._spaces import random_pair, realistic_pair
from isoalign._core.types import IntVector, Matrix
from isoalign.neighbors import (
    CSLS,
    csls_best,
    csls_precision_at_1,
    describe_occurrences,
    mean_best,
    neighborhood_means,
    top_k,
)
from isoalign.neighbors.engine import TopRows, search

DIM = 300


def multiply(X: Matrix, Y: Matrix, *, rows: int = 1024, columns: int = 8192) -> None:
    """Compute all inner products in blocks, with all BLAS threads, without using them: the lower limit."""
    memory = np.empty(rows * columns, dtype=np.float32)
    for i in range(0, len(X), rows):
        A = X[i : i + rows]
        for j in range(0, len(Y), columns):
            B = Y[j : j + columns]
            np.matmul(A, B.T, out=memory[: len(A) * len(B)].reshape(len(A), len(B)))


def compare_with_product(n: int, repeat: int) -> dict[str, Any]:
    """Time means of both directions and top-10 relative to the lower limit."""
    X, Y = random_pair(n, n, DIM)
    tasks: dict[str, Callable[[], Any]] = {
        "product": lambda: multiply(X, Y),
        "means_both_directions": lambda: neighborhood_means(X, Y),
        "top_10": lambda: top_k(X, Y, 10),
    }
    warm_up(X, Y)
    seconds = measure_together(tasks, repeat)
    return {
        "size": [n, n, DIM],
        "gflops_of_product": 2 * n * n * DIM / seconds["product"].clock / 1e9,
        **report(seconds),
        "times_the_product": {name: ratio(seconds[name], seconds["product"]) for name in tasks if name != "product"},
        "peak_megabytes": {name: peak_memory(task) / 1e6 for name, task in tasks.items()},
    }


def compare_lazy(n: int, repeat: int) -> dict[str, Any]:
    """Time lazy CSLS on realistic spaces against the means of all targets."""
    X, Y, pairs = realistic_pair(n, DIM)
    Q = X[pairs[:, 0]]
    warm_up(X, Y)
    nearest: list[tuple[Matrix, IntVector]] = []

    def full() -> None:
        nearest[:] = [top_k(Y, X, 10)]

    def lazy(k: int) -> CSLS:
        retriever = CSLS(engine="lazy").fit(Y, X)
        retriever.kneighbors(Q, k)
        return retriever

    seconds = measure_together({"all_means": full, "top_1": lambda: lazy(1), "top_10": lambda: lazy(10)}, repeat)
    means = mean_best(nearest[0][0])
    exact = CSLS().fit(Y, target_means=means)
    figures: dict[str, Any] = {
        "size": [n, n, DIM],
        "queries": len(Q),
        "precision_at_1": csls_precision_at_1(X, Y, pairs, target_means=means),
        "hubness": asdict(describe_occurrences(nearest[0][1], n)),
        **report(seconds),
        "times_faster": {name: ratio(seconds["all_means"], seconds[name]) for name in ("top_1", "top_10")},
    }
    for k in (1, 10):
        retriever = lazy(k)
        (scores, rows), (expected_scores, expected_rows) = retriever.kneighbors(Q, k), exact.kneighbors(Q, k)
        figures[f"top_{k}_equal"] = np.array_equal(scores, expected_scores) and np.array_equal(rows, expected_rows)
        figures[f"top_{k}_share_of_means_needed"] = float(retriever._bounds.known.mean()) if retriever._bounds else 1.0
    figures["peak_megabytes"] = peak_memory(lambda: lazy(10)) / 1e6
    return figures


def compare_lazy_without_pruning(n: int, repeat: int) -> dict[str, Any]:
    """Time lazy CSLS on vectors without structure, where bounds exclude nothing, against the full computation."""
    X, Y = random_pair(n, n, DIM)
    Q = X[: n // 30]
    warm_up(X, Y)

    def full() -> None:
        means = mean_best(top_k(Y, X, 10)[0])
        search(Q, Y, [TopRows(10), TopRows(10, scale=2, bias=means)])

    seconds = measure_together({"full": full, "lazy": lambda: CSLS(engine="lazy").fit(Y, X).kneighbors(Q, 10)}, repeat)
    return {
        "size": [n, n, DIM],
        "queries": len(Q),
        **report(seconds),
        "times_the_full_computation": ratio(seconds["lazy"], seconds["full"]),
    }


def time_uses(scale: float, repeat: int) -> dict[str, Any]:
    """Time the searches of alignment and translation."""
    X, Y = random_pair(int(16_086 * scale), int(19_989 * scale), DIM)
    size = [len(X), len(Y), DIM]
    rank = int(10_000 * scale)
    round_seconds = measure_together(
        {"product": lambda: multiply(X, Y), "csls_best": lambda: csls_best(X, Y, max_rank=rank)}, repeat
    )
    Q, Y = random_pair(int(5_000 * scale), int(200_000 * scale), DIM)
    retriever = CSLS().fit(Y, target_means=np.zeros(len(Y)))
    warm_up(Q, Y)
    seconds = measure_together(
        {
            "product": lambda: multiply(Q, Y),
            "top_10": lambda: top_k(Q, Y, 10),
            "one_word": lambda: retriever.kneighbors(Q[:1], 5),
        },
        max(repeat, 3),
    )
    return {
        "refinement_round": {
            "size": size,
            **report(round_seconds),
            "times_the_product": ratio(round_seconds["csls_best"], round_seconds["product"]),
        },
        "rcsls_search": {
            "size": [len(Q), len(Y), DIM],
            **report(seconds),
            "times_the_product": ratio(seconds["top_10"], seconds["product"]),
        },
        "one_word_milliseconds": 1000 * seconds["one_word"].clock,
    }


def ratio(one: Seconds, other: Seconds) -> dict[str, float]:
    """Compare two times, by the clock and by processor time."""
    return {"clock": one.clock / other.clock, "processor": one.processor / other.processor}


def report(seconds: dict[str, Seconds]) -> dict[str, Any]:
    """Return times as they are saved."""
    return {"seconds": {name: value._asdict() for name, value in seconds.items()}}


def warm_up(X: Matrix, Y: Matrix) -> None:
    """Compile what is timed."""
    CSLS(engine="lazy").fit(Y[:600], X[:600]).kneighbors(X[:20], 2)
    csls_best(X[:600], Y[:600])


def main() -> None:
    """Run all comparisons and save them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scale", type=float, default=1.0, help="factor of all sizes")
    parser.add_argument("--repeat", type=int, default=2, help="number of runs; the fastest counts")
    options = parser.parse_args()
    n = int(50_000 * options.scale)
    figures = {
        "seed": 0,
        "against_product": compare_with_product(n, options.repeat),
        "lazy_csls": compare_lazy(2 * n, options.repeat),
        "lazy_csls_without_pruning": compare_lazy_without_pruning(n, options.repeat),
        "uses": time_uses(options.scale, options.repeat),
    }
    save("search" if options.scale == 1 else "search-small", figures)


if __name__ == "__main__":
    main()
