"""Time the learning of maps relative to the matrix products that they need.

``python -m benchmarks.align``; the figures on real vectors need the folder named by ``ISOALIGN_TEST_DATA``.
"""

import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import isoalign as ia
from benchmarks._corrections import measure_c1, measure_contrast_kernel, measure_kernel
from benchmarks._harness import measure, peak_memory, save
from benchmarks._small_jobs import measure_small_jobs
from benchmarks._spaces import realistic_pair
from isoalign._core.arrays import row_blocks, unit_rows
from isoalign._core.threads import map_threads
from isoalign._core.types import Matrix
from isoalign._core.validate import check_matrix
from isoalign.alignment import RCSLS, CslsMeans, Maps, Problem, Procrustes, Refine, VecMap, align_files
from isoalign.neighbors import csls_precision_at_1

SEED = 0
DIM = 300
K = 10


def make_rows(n: int, seed: int) -> Matrix:
    """Return unit rows with a common direction, as real vectors have."""
    rng = np.random.default_rng([SEED, seed])
    rows: Matrix = rng.standard_normal((n, DIM), dtype=np.float32)
    rows += rng.standard_normal(DIM, dtype=np.float32) / 2
    return unit_rows(rows, out=rows)


def multiply(X: Matrix, Y: Matrix) -> None:
    """Compute ``X @ Y.T`` and nothing else, a block of rows at a time."""
    out = np.empty((512, len(Y)), dtype=np.float32)
    for rows in row_blocks(len(X), 512):
        block = X[rows]
        np.matmul(block, Y.T, out=out[: len(block)])


def plain_epoch(
    W: NDArray[np.float64], X: Any, Y: Any, sources: Any, targets: Any
) -> tuple[float, NDArray[np.float64]]:
    """Return objective and gradient of RCSLS in plain float64 numpy, with whole products in memory."""
    mapped = X @ W
    value, gradient = 2 * (mapped * Y).sum(), 2 * X.T @ Y
    scores = mapped @ targets.T
    near = np.argpartition(scores, -K, axis=1)[:, -K:]
    value -= np.take_along_axis(scores, near, axis=1).mean(axis=1).sum()
    gradient = gradient - X.T @ targets[near].mean(axis=1)
    scores = Y @ (sources @ W).T
    near = np.argpartition(scores, -K, axis=1)[:, -K:]
    value -= np.take_along_axis(scores, near, axis=1).mean(axis=1).sum()
    gradient = gradient - sources[near].mean(axis=1).T @ Y
    return -value / len(X), -gradient / len(X)


class Descent(NamedTuple):
    """A run of RCSLS: the seconds of every epoch, the maps they began with, and the objective there."""

    seconds: list[float]
    maps: list[NDArray[np.float64]]
    losses: list[float]


def descend(problem: Problem) -> Descent:
    """Run RCSLS with its default settings."""
    maps, times = [], []

    def note(_step: int, found: Maps) -> None:
        maps.append(np.asarray(found.source))
        times.append(time.perf_counter())

    aligner = RCSLS().fit_problem(problem, callback=note)
    return Descent(np.diff(times).tolist(), maps, [entry["loss"] for entry in aligner.history_])


def measure_rcsls(n_pairs: int, n_negatives: int) -> dict[str, float]:
    """Compare the epochs of a run with their two products, and measure its memory, including that of the vectors."""
    sources, targets, pairs = realistic_pair(n_negatives, DIM, n_pairs, seed=SEED)
    problem = Problem.from_spaces(sources, targets, pairs)
    X, Y = problem.paired_rows()

    def products() -> None:
        multiply(X, targets)
        multiply(Y, sources)

    bare = measure(products, 3)
    peak = peak_memory(lambda: RCSLS(epochs=1).fit_problem(problem))
    seconds = descend(problem).seconds
    return {
        "epochs": len(seconds),
        "first_epoch": seconds[0],
        "mean_epoch": float(np.mean(seconds)),
        "bare_products": bare,
        "first_ratio": seconds[0] / bare,
        "mean_ratio": float(np.mean(seconds)) / bare,
        "peak_bytes": float(peak + sources.nbytes + targets.nbytes),
    }


def compare_with_plain(problem: Problem) -> dict[str, float]:
    """Compare the epochs of a run with plain float64 numpy, whose epochs all take the same time: a few are enough."""
    run = descend(problem)
    plain = [rows.astype(np.float64) for rows in (*problem.paired_rows(), problem.X, problem.Y)]
    theirs = []
    for W, loss in list(zip(run.maps, run.losses, strict=False))[:4]:
        start = time.perf_counter()
        value, _ = plain_epoch(W, *plain)
        theirs.append(time.perf_counter() - start)
        np.testing.assert_allclose(loss, value, rtol=1e-6)
    return {
        "epochs": len(run.seconds),
        "first_epoch": run.seconds[0],
        "mean_epoch": float(np.mean(run.seconds)),
        "plain_epoch": min(theirs),
        "first_times_faster": min(theirs) / run.seconds[0],
        "times_faster": min(theirs) / float(np.mean(run.seconds)),
    }


def measure_plain(n_pairs: int, n_negatives: int) -> dict[str, float]:
    """Compare with plain numpy on synthetic spaces, in which every word is in one pair only."""
    return compare_with_plain(Problem.from_spaces(*realistic_pair(n_negatives, DIM, n_pairs, seed=SEED)))


def measure_procrustes() -> dict[str, float]:
    """Fit a rotation to 10,000 pairs."""
    X, Y = make_rows(10_000, 0), make_rows(10_000, 1)
    return {"seconds": measure(lambda: Procrustes().fit(X, Y), 5)}


def measure_translation(n: int) -> dict[str, float]:
    """Translate one word with a saved model that has CSLS means, compared with one scan of the matrix."""
    words = [f"w{i}" for i in range(n)]
    source, target = ia.Embeddings(words, make_rows(n, 0)), ia.Embeddings(words, make_rows(n, 1))
    model = ia.Alignment.from_matrix(None, source=source, target=target)
    means = np.full(n, 0.5, dtype=np.float32)
    model.means = {model.pair().names: CslsMeans(K, means)}  # the values do not affect the time
    with tempfile.TemporaryDirectory() as folder:
        model.save(Path(folder) / "m")
        translator = ia.Translator(ia.Alignment.load(Path(folder) / "m"))
        first = measure(lambda: translator.translate("w7"), 1)
        space, query = np.array(translator.pair.targets), np.array(translator.pair.sources[7])
        return {
            "first_seconds": first,
            "seconds": measure(lambda: translator.translate("w11"), 20),
            "scan_seconds": measure(lambda: space @ query, 20),
        }


def measure_real(data: Path) -> dict[str, Any]:
    """Time whole runs on English and Japanese, including files, compared with one product of the vocabularies."""
    files = data / "en.spacymd300.vec.gz", data / "ja.chive300.vec.gz"
    train, test = (ia.read_lexicon(data / f"en-ja.{part}.txt") for part in ("train", "test"))

    def run(normalize: str, judge: Callable[[Matrix, Matrix, Any, Any], None]) -> None:
        source, target = map_threads(ia.read_vectors, files)
        normalized = (ia.normalize(side, normalize, copy=False) for side in (source, target))
        S, T = (check_matrix(side.vectors, finite=False) for side in normalized)
        judge(S, T, train.row_pairs(source, target), test.row_pairs(source, target))

    def precision(S: Matrix, T: Matrix, maps: Maps, gold: Any) -> float:
        return csls_precision_at_1(*maps.spaces(S, T), gold, target_means=maps.target_means)

    def refine(S: Matrix, T: Matrix, pairs: Any, gold: Any) -> None:
        problem = Problem.from_spaces(S, T, pairs)

        def judge(_step: int, maps: Maps) -> None:
            precision(S, T, maps, gold)

        Refine().fit_problem(problem, callback=judge)

    def vecmap(S: Matrix, T: Matrix, pairs: Any, gold: Any) -> None:
        precision(S, T, VecMap().fit(S[pairs[:, 0]], T[pairs[:, 1]]).maps_, gold)

    def rcsls() -> None:
        align_files(*files, data / "en-ja.train.txt", method="rcsls", settings={"lr": 10.0, "epochs": 10})

    figures: dict[str, Any] = {}

    def compare_rcsls(S: Matrix, T: Matrix, pairs: Any, _gold: Any) -> None:
        against_numpy = compare_with_plain(Problem.from_spaces(S, T, pairs))
        figures.update(product=measure(lambda: multiply(S, T), 3), rcsls_against_float64_numpy=against_numpy)

    run("iternorm", compare_rcsls)
    run("unit,center,unit", vecmap)  # kernels are compiled, files are in the system's cache
    return {
        **figures,
        "refine_5_rounds": measure(lambda: run("iternorm", refine), 3),
        "vecmap": measure(lambda: run("unit,center,unit", vecmap), 3),
        "rcsls_10_epochs": measure(rcsls, 3),
    }


def main() -> None:
    """Measure, print, and write ``results/align.json``."""
    figures: dict[str, Any] = {
        "seed": SEED,
        "procrustes 10,000 × 300": measure_procrustes(),
        "rcsls 2,000 pairs × 50,000, against float64 numpy": measure_plain(2_000, 50_000),
        "rcsls 5,000 pairs × 100,000, against float64 numpy": measure_plain(5_000, 100_000),
        "one word, 200,000 × 300": measure_translation(200_000),
    }
    figures["kernel correction, 5,000 anchors, 20,000 × 300"] = measure_kernel()
    figures["C1, 2,000 pairs, 8,000 × 8,000 × 300"] = measure_c1()
    folder = os.environ.get("ISOALIGN_TEST_DATA")
    if folder:
        figures["en → ja, fixed settings"] = measure_contrast_kernel(Path(folder) / "data")
        figures["en → ja, 16,086 × 19,989 × 300, seconds with reading"] = measure_real(Path(folder) / "data")
        figures["en → ja, small jobs, in products"] = measure_small_jobs(Path(folder) / "data", multiply)
    figures["rcsls 5,000 pairs × 200,000"] = measure_rcsls(5_000, 200_000)
    save("align", figures)


if __name__ == "__main__":
    main()
