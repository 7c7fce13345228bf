"""How much sooner a dictionary is scored by CSLS when only the means that it needs are computed.

``python -m benchmarks.evaluate [WORDS]`` scores 1,500 source words among so many targets (default 100,000), in 300
dimensions, with as many source words. The full computation, which every other evaluator does, is timed in the same run.
"""

import sys
import time

import numpy as np

import isoalign as ia
from benchmarks._harness import save
from isoalign._arrays import unit_rows
from isoalign.evaluation import BliResult
from isoalign.neighbors import CSLS

DIM, QUERIES, SEED = 300, 1500, 0


def made_up_pair(words: int) -> tuple[ia.Alignment, list[tuple[str, str]]]:
    """Return two languages that share topics, have hubs and are aligned imperfectly, and a test dictionary.

    Words of a topic lie near each other, topics have different sizes, directions have different weight, and a mean
    that all words share makes the words near it hubs, as in real vectors.
    """
    rng = np.random.default_rng(SEED)
    weights = np.geomspace(1, 0.1, DIM).astype(np.float32)
    topics = rng.standard_normal((words // 50, DIM), dtype=np.float32) * weights
    sizes = rng.zipf(1.6, len(topics)).clip(max=50).astype(float)
    topic = rng.choice(len(topics), words, p=sizes / sizes.sum())
    meaning = topics[topic] + rng.standard_normal((words, DIM), dtype=np.float32) * weights
    mean = 0.5 * rng.standard_normal(DIM, dtype=np.float32) * weights
    sides = []
    for name in ("s", "t"):
        own = rng.standard_normal((words, DIM), dtype=np.float32) * weights
        vectors = unit_rows(meaning + 1.1 * own + mean)
        sides.append(ia.Embeddings([f"{name}{i}" for i in range(words)], vectors))
    pairs = [(f"s{i}", f"t{i}") for i in sorted(rng.choice(words, QUERIES, replace=False).tolist())]
    model = ia.Alignment.from_matrix(None, source=sides[0], target=sides[1])
    return model, pairs


def timed(
    model: ia.Alignment, pairs: list[tuple[str, str]], engine: str, ks: tuple[int, ...]
) -> tuple[float, BliResult]:
    """Return the seconds of one evaluation, and its result."""
    start = time.perf_counter()
    result = ia.evaluate_bli(model, pairs, retrieval=CSLS(engine=engine), ks=ks)
    return time.perf_counter() - start, result


def main(words: int) -> None:
    """Time the full and the lazy computation, and check that they give the same answers."""
    small, some = made_up_pair(60_000)
    ia.evaluate_bli(small, some[:10], retrieval=CSLS(engine="lazy"))  # compile
    del small
    model, pairs = made_up_pair(words)
    model.space("source"), model.space("target")
    full_1, expected_1 = timed(model, pairs, "full", (1,))
    lazy_1, found_1 = timed(model, pairs, "auto", (1,))
    lazy_10, found_10 = timed(model, pairs, "auto", (1, 5, 10))
    full_10, expected_10 = timed(model, pairs, "full", (1, 5, 10))
    save(
        "evaluate",
        {
            "words": words,
            "dim": DIM,
            "queries": QUERIES,
            "seed": SEED,
            "precision_at_1": found_1.precision[1],
            "seconds_full_1": full_1,
            "seconds_lazy_1": lazy_1,
            "times_faster_1": full_1 / lazy_1,
            "same_answers_1": expected_1.answers == found_1.answers,
            "seconds_full_10": full_10,
            "seconds_lazy_10": lazy_10,
            "times_faster_10": full_10 / lazy_10,
            "same_answers_10": expected_10.answers == found_10.answers,
        },
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
