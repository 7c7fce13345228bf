"""Measure maps beside the bare products that they need.

``python -m benchmarks.align``; the figures on real vectors need the folder named by ``ISOALIGN_TEST_DATA``.
"""

import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import isoalign as ia
from benchmarks._harness import measure, peak_memory, save
from isoalign._arrays import row_blocks, unit_rows
from isoalign._threads import map_threads
from isoalign._types import Matrix
from isoalign.alignment import CslsMeans, Maps, Procrustes, Refine, VecMap, align_files, orthogonal_map
from isoalign.alignment._base import unit_space
from isoalign.alignment._rcsls import RelaxedCsls
from isoalign.neighbors import csls_precision_at_1

SEED = 0
DIM = 300
K = 10


def make_rows(n: int, seed: int) -> Matrix:
    """Return unit rows with a common direction, as real vectors have."""
    rng = np.random.default_rng([SEED, seed])
    rows = rng.standard_normal((n, DIM), dtype=np.float32) + rng.standard_normal(DIM, dtype=np.float32) / 2
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
    """Return objective and gradient of RCSLS as one writes them in float64 numpy, whole products in memory."""
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


def measure_rcsls(n_pairs: int, n_negatives: int) -> dict[str, float]:
    """Compare an epoch with its two products, and ask for its memory, that of the vectors included."""
    sources, targets = make_rows(n_negatives, 0), make_rows(n_negatives, 1)
    X, Y = sources[:n_pairs], targets[:n_pairs]
    W = orthogonal_map(X, Y)
    objective = RelaxedCsls(X, Y, sources, targets, K)

    def products() -> None:
        multiply(X, targets)
        multiply(Y, sources)

    objective.evaluate(W)
    epoch, bare = measure(lambda: objective.evaluate(W), 2), measure(products, 2)
    peak = peak_memory(lambda: RelaxedCsls(X, Y, sources, targets, K).evaluate(W))
    vectors = sources.nbytes + targets.nbytes
    return {"epoch": epoch, "bare_products": bare, "ratio": epoch / bare, "peak_bytes": float(peak + vectors)}


def measure_plain(n_pairs: int, n_negatives: int) -> dict[str, float]:
    """Compare an epoch with plain float64 numpy."""
    sources, targets = make_rows(n_negatives, 0), make_rows(n_negatives, 1)
    X, Y = sources[:n_pairs], targets[:n_pairs]
    W = orthogonal_map(X, Y)
    objective = RelaxedCsls(X, Y, sources, targets, K)
    plain = [rows.astype(np.float64) for rows in (X, Y, sources, targets)]
    np.testing.assert_allclose(objective.evaluate(W)[1], plain_epoch(W, *plain)[1], atol=1e-6)
    ours, theirs = measure(lambda: objective.evaluate(W), 2), measure(lambda: plain_epoch(W, *plain), 2)
    return {"epoch": ours, "plain_epoch": theirs, "times_faster": theirs / ours}


def measure_procrustes() -> dict[str, float]:
    """Fit a rotation to 10,000 pairs."""
    X, Y = make_rows(10_000, 0), make_rows(10_000, 1)
    return {"seconds": measure(lambda: Procrustes().fit(X, Y), 5)}


def measure_translation(n: int) -> dict[str, float]:
    """Translate one word with a model from disk that has its CSLS means, beside one scan of the matrix."""
    words = [f"w{i}" for i in range(n)]
    source, target = ia.Embeddings(words, make_rows(n, 0)), ia.Embeddings(words, make_rows(n, 1))
    model = ia.Alignment.from_matrix(None, source=source, target=target)
    means = np.full(n, 0.5, dtype=np.float32)
    model.means = CslsMeans(K, means, means)  # the values do not matter to the time
    with tempfile.TemporaryDirectory() as folder:
        model.save(Path(folder) / "m")
        translator = ia.Translator(ia.Alignment.load(Path(folder) / "m"))
        first = measure(lambda: translator.translate("w7"), 1)
        space, query = np.array(translator.model.space("target")), np.array(translator.model.space("source")[7])
        return {
            "first_seconds": first,
            "seconds": measure(lambda: translator.translate("w11"), 20),
            "scan_seconds": measure(lambda: space @ query, 20),
        }


def measure_real(data: Path) -> dict[str, float]:
    """Time whole runs on English and Japanese, files included, beside one product of the two vocabularies."""
    files = data / "en.spacymd300.vec.gz", data / "ja.chive300.vec.gz"
    train, test = (ia.read_lexicon(data / f"en-ja.{part}.txt") for part in ("train", "test"))

    def run(normalize: str, judge: Callable[[Matrix, Matrix, Any, Any], None]) -> None:
        source, target = map_threads(ia.read_vectors, files)
        S, T = (ia.normalize(side, normalize, copy=False).vectors for side in (source, target))
        judge(S, T, train.row_pairs(source, target), test.row_pairs(source, target))

    def precision(S: Matrix, T: Matrix, maps: Maps, gold: Any) -> float:
        mapped = unit_space(S, maps.source), unit_space(T, maps.target)
        return csls_precision_at_1(*mapped, gold, target_means=maps.target_means)

    def refine(S: Matrix, T: Matrix, pairs: Any, gold: Any) -> None:
        Refine().fit(
            S[pairs[:, 0]],
            T[pairs[:, 1]],
            source_space=S,
            target_space=T,
            callback=lambda _, maps: precision(S, T, maps, gold),
        )

    def vecmap(S: Matrix, T: Matrix, pairs: Any, gold: Any) -> None:
        precision(S, T, VecMap().fit(S[pairs[:, 0]], T[pairs[:, 1]]).maps_, gold)

    def rcsls() -> None:
        align_files(*files, data / "en-ja.train.txt", method="rcsls", lr=10.0, epochs=10)

    figures = {}
    run("iternorm", lambda S, T, *_: figures.update(product=measure(lambda: multiply(S, T), 3)))
    run("unit,center,unit", vecmap)  # kernels are compiled, files are in the system's cache
    return {
        **figures,
        "refine_5_rounds": measure(lambda: run("iternorm", refine), 1),
        "vecmap": measure(lambda: run("unit,center,unit", vecmap), 3),
        "rcsls_10_epochs": measure(rcsls, 1),
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
    folder = os.environ.get("ISOALIGN_TEST_DATA")
    if folder:
        figures["en → ja, 16,086 × 19,989 × 300, seconds with reading"] = measure_real(Path(folder) / "data")
    figures["rcsls 5,000 pairs × 200,000"] = measure_rcsls(5_000, 200_000)
    save("align", figures)


if __name__ == "__main__":
    main()
