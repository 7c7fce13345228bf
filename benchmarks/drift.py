"""How often change of meaning is reported if there is none, and found if it was planted.

``python -m benchmarks.drift`` takes some minutes; ``--runs 2`` for a quick look. There are two kinds of synthetic data,
both derived from the English half of the sample. In ``noise``, both periods are the sample with noise that is larger
for rare words and differs from word to word. In ``corpus``, every period is a separate text: contexts of every word are
drawn from a log-linear model, and vectors come from these counts (positive pointwise mutual information, then SVD), so
that all noise is that of sampling. Change is planted by exchanging the vectors, or the contexts, of thirty words.
"""

import argparse
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks._harness import save
from benchmarks._page import DOCS, markdown_table, replace_table
from isoalign._core.arrays import unit_rows
from isoalign.datasets import load_sample
from isoalign.drift import MEASURES, measure_drift
from isoalign.normalization import normalize
from isoalign.vectors import Embeddings

PAGE = DOCS / "how-to" / "change-of-meaning.md"
WORDS, PLANTED, LEVEL = 2000, 30, 0.05
NOISE, NOISE_SPREAD = (
    0.6,
    0.2,
)  # length of the noise of the rarest word, and how much it differs among words of similar frequency
DIM, SHARPNESS, TOKENS = 60, 8.0, 4_000_000

Floats = NDArray[np.float64]


class World(NamedTuple):
    """Two periods and the words that were exchanged between them."""

    old: Embeddings
    new: Embeddings
    changed: set[str]


def make_noise(rng: np.random.Generator, planted: int) -> World:
    """Add noise to the sample twice, and exchange the vectors of some words in the second copy."""
    sample = load_sample().source.head(WORDS)
    X = unit_rows(sample.vectors).astype(np.float64)
    levels = NOISE * (np.arange(1, WORDS + 1) / WORDS) ** 0.25
    sides = []
    for _ in range(2):
        own = levels * np.exp(NOISE_SPREAD * rng.standard_normal(WORDS))
        sides.append(X + rng.standard_normal(X.shape) * own[:, None] / np.sqrt(X.shape[1]))
    turn = np.linalg.qr(rng.standard_normal((X.shape[1], X.shape[1])))[0]
    chosen = rng.choice(WORDS, planted, replace=False)
    sides[1][chosen] = sides[1][np.roll(chosen, 1)]
    words = sample.index_to_key
    old, new = (Embeddings(words, side.astype(np.float32)) for side in (sides[0], sides[1] @ turn))
    return World(old, new, {words[row] for row in chosen})


def make_corpus(rng: np.random.Generator, planted: int) -> World:
    """Draw two texts from one model, and exchange the contexts of some words in the second."""
    sample = normalize(load_sample().source.head(WORDS), "iternorm")
    X = sample.vectors.astype(np.float64)
    frequency = 1 / np.arange(10, WORDS + 10)
    frequency /= frequency.sum()
    contexts = np.exp(SHARPNESS * (X @ X.T)) * frequency
    contexts /= contexts.sum(axis=1, keepdims=True)
    chosen = rng.choice(WORDS, planted, replace=False)
    later = contexts.copy()
    later[chosen] = contexts[np.roll(chosen, 1)]
    words = sample.index_to_key
    sides = [_embed_text(rng, words, frequency, some) for some in (contexts, later)]
    return World(sides[0], sides[1], {words[row] for row in chosen})


def _embed_text(rng: np.random.Generator, words: list[str], frequency: Floats, contexts: Floats) -> Embeddings:
    counts = rng.multinomial(TOKENS, frequency)
    table = np.stack([rng.multinomial(n, row) for n, row in zip(counts, contexts, strict=True)]).astype(np.float64)
    expected = table.sum(axis=1, keepdims=True) * table.sum(axis=0) / table.sum()
    with np.errstate(divide="ignore", invalid="ignore"):
        information = np.where(table > expected, np.log(table / expected), 0)
    U, S, _ = np.linalg.svd(information @ _main_directions(information, rng), full_matrices=False)
    vectors = (U * np.sqrt(S))[:, :DIM].astype(np.float32)
    order = np.argsort(-counts, kind="stable")
    return Embeddings([words[row] for row in order], vectors[order])


def _main_directions(M: Floats, rng: np.random.Generator) -> Floats:
    """Return an orthonormal basis of about the first `DIM` right singular directions, by power iteration."""
    Q: Floats = rng.standard_normal((M.shape[1], DIM + 20))
    for _ in range(4):
        Q = np.linalg.qr(M.T @ (M @ Q))[0]
    return Q


WORLDS: dict[str, Callable[[np.random.Generator, int], World]] = {"noise": make_noise, "corpus": make_corpus}


def run_world(name: str, runs: int) -> dict[str, dict[str, float]]:
    """Return the rates for one kind of data, by measure."""
    totals = {measure: dict.fromkeys(("alarms", "first", "found", "reported", "false"), 0) for measure in MEASURES}
    for seed in range(runs):
        for planted in (0, PLANTED):
            world = WORLDS[name](np.random.default_rng([seed, planted]), planted)
            drift = measure_drift(world.old, world.new, measures=tuple(MEASURES), k=1)
            for measure, total in totals.items():
                reported = {word.word for word in drift.changed(q=LEVEL, measure=measure)}
                if not planted:
                    total["alarms"] += bool(reported)
                    continue
                ordered = sorted(drift.words, key=lambda word: -word.evidence[measure].z)
                total["first"] += len({word.word for word in ordered[:PLANTED]} & world.changed)
                total["found"] += len(reported & world.changed)
                total["reported"] += len(reported)
                total["false"] += len(reported - world.changed)
    return {
        measure: {
            "runs": runs,
            "runs_with_false_alarms": total["alarms"],
            "planted_among_the_first": total["first"] / (runs * PLANTED),
            "planted_reported": total["found"] / (runs * PLANTED),
            "reported_wrongly": total["false"] / max(total["reported"], 1),
        }
        for measure, total in totals.items()
    }


def make_table(worlds: dict[str, dict[str, dict[str, float]]]) -> str:
    """Return the rates as a table."""
    header = (
        "world",
        "measure",
        "unchanged: runs that report a word",
        f"{PLANTED} planted: among the first {PLANTED}",
        "reported",
        "of the reported, not planted",
    )
    rows = [
        (
            world,
            measure,
            f"{rates['runs_with_false_alarms']} of {rates['runs']}",
            f"{rates['planted_among_the_first']:.1%}",
            f"{rates['planted_reported']:.1%}",
            f"{rates['reported_wrongly']:.1%}",
        )
        for world, measures in worlds.items()
        for measure, rates in measures.items()
    ]
    return markdown_table(header, rows, left=2)


def main() -> None:
    """Measure both kinds of data, and write the rates to the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=20)
    options = parser.parse_args()
    worlds = {name: run_world(name, options.runs) for name in WORLDS}
    figures = {"words": WORDS, "planted": PLANTED, "q": LEVEL, "worlds": worlds}
    if options.runs < 20:
        save("drift-small", figures)
        return
    save("drift", figures)
    replace_table(PAGE, "drift", make_table(worlds))


if __name__ == "__main__":
    main()
