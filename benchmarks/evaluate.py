"""Speed-up of CSLS evaluation when only the means that a dictionary needs are computed.

``python -m benchmarks.evaluate [WORDS]`` scores 1,500 source words among that many targets (default 100,000), in 300
dimensions, with the same number of source words. The full computation, as in all other evaluators, is timed in the same
run.
"""

import sys
import time

import isoalign as ia
from benchmarks._harness import save
from benchmarks._spaces import realistic_pair
from isoalign.evaluation import BliResult
from isoalign.neighbors import CSLS

DIM, QUERIES, SEED = 300, 1500, 0


def made_up_pair(words: int) -> tuple[ia.Alignment, list[tuple[str, str]]]:
    """Return two aligned languages, and a test dictionary."""
    X, Y, pairs = realistic_pair(words, DIM, QUERIES, seed=SEED)
    source = ia.Embeddings([f"s{i}" for i in range(words)], X)
    target = ia.Embeddings([f"t{i}" for i in range(words)], Y)
    lexicon = [(f"s{i}", f"t{j}") for i, j in pairs.tolist()]
    return ia.Alignment.from_matrix(None, source=source, target=target), lexicon


def timed(
    model: ia.Alignment, pairs: list[tuple[str, str]], engine: str, ks: tuple[int, ...]
) -> tuple[float, BliResult]:
    """Return the seconds of one evaluation, and its result."""
    start = time.perf_counter()
    result = ia.evaluate_bli(model, pairs, retrieval=CSLS(engine=engine), ks=ks)
    return time.perf_counter() - start, result


def main(words: int) -> None:
    """Time the full and the lazy computation, and check that they give the same answers."""
    for engine in ("full", "lazy"):
        timed(*made_up_pair(6000), engine, (1, 5, 10))  # compile
    model, pairs = made_up_pair(words)
    for name in model.names:
        model.space(name)
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
