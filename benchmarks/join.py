"""Cost and benefit of mapping many languages into one space.

``python -m benchmarks.join``; the accuracy on real vectors needs the folder named by ``ISOALIGN_TEST_DATA``.

Speed: 12 synthetic languages of 20,000 words in 300 dimensions with all 66 dictionaries of 5,000 pairs. Accuracy:
English, French, Japanese and Chinese. How the spaces are joined is chosen on held-out training words; test words are
used once, with the chosen settings and with the plain star.
"""

import os
import time
import warnings
from collections.abc import Mapping
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

import isoalign as ia
from benchmarks._harness import measure_together, peak_allocation, save
from benchmarks._page import DOCS, markdown_table, percent, replace_table
from isoalign._core.arrays import unit_rows
from isoalign._core.threads import single_threaded_blas
from isoalign._core.types import LinearMap
from isoalign.alignment._generalized_procrustes import sweep_rotations
from isoalign.alignment._joint_maps import JointProblem, solve_joint
from isoalign.errors import IsoalignWarning
from isoalign.evaluation import ScoreMatrix, align_pairs, evaluate_pairs, triangulate, triangulate_tests

LANGUAGES, WORDS, DIM, PAIRS, SEED = 12, 20_000, 300, 5_000, 0
FILES = {
    "en": "en.spacymd300.vec.gz",
    "fr": "fr.spacymd300.vec.gz",
    "ja": "ja.chive300.vec.gz",
    "en100": "en.glove100.vec.gz",
    "zh": "zh.synonyms100.vec.gz",
}
LIMIT = 20_000
Edges = dict[tuple[str, str], Any]


def made_up_problem() -> JointProblem:
    """Return rotations of one space with noise; every dictionary has different words."""
    rng = np.random.default_rng(SEED)
    words = rng.standard_normal((WORDS, DIM)) * np.arange(1, DIM + 1) ** -0.5
    spaces = {}
    for number in range(LANGUAGES):
        rotation = np.linalg.qr(rng.standard_normal((DIM, DIM)))[0]
        noise = np.arange(1, DIM + 1) ** -0.5 * rng.standard_normal((WORDS, DIM))
        spaces[f"l{number}"] = unit_rows(((words + noise) @ rotation).astype(np.float32))
    pairs = {edge: np.repeat(rng.permutation(WORDS)[:PAIRS, None], 2, axis=1) for edge in combinations(spaces, 2)}
    return JointProblem(spaces, pairs, {}, ("l0",))


def bare_sweep(products: Mapping[tuple[str, str], LinearMap], maps: Mapping[str, LinearMap], free: list[str]) -> None:
    """Do the products and singular value decompositions of a sweep, and nothing else."""
    for name in free:
        for (a, b), C in products.items():
            if a == name:
                C @ maps[b]
            elif b == name:
                C.T @ maps[a]
        U, _, Vt = np.linalg.svd(maps[name] + 1e-3 * next(iter(products.values())))
        U @ Vt


def on_one_thread(*arguments: Any) -> None:
    """Do the same with BLAS at one thread, as the library does."""
    with single_threaded_blas():
        bare_sweep(*arguments)


def measure_speed() -> dict[str, Any]:
    """Time a sweep and the whole solution, and measure the memory beyond the vectors."""
    problem = made_up_problem()
    begin = time.perf_counter(), time.process_time()
    maps, objective = solve_joint(problem)
    clock, processor = time.perf_counter() - begin[0], time.process_time() - begin[1]
    products = {
        edge: X.astype(np.float64).T @ Z.astype(np.float64) / len(X)
        for edge in problem.pairs
        for X, Z in [problem.rows(edge)]
    }
    free = [name for name in problem.spaces if name not in problem.fixed]
    times = measure_together(
        {
            "sweep": lambda: sweep_rotations(products, dict(maps), free),
            "parts": lambda: bare_sweep(products, maps, free),
            "parts on one thread": lambda: on_one_thread(products, maps, free),
        },
        repeat=5,
    )
    parts = min(times["parts"], times["parts on one thread"])
    matrices = len(problem.pairs) * DIM * DIM * 8
    peak = peak_allocation(lambda: solve_joint(problem))
    return {
        "languages": LANGUAGES,
        "words": WORDS,
        "dim": DIM,
        "dictionaries": len(problem.pairs),
        "pairs_each": PAIRS,
        "seed": SEED,
        "sweeps": len(objective) - 1,
        "seconds_solve": clock,
        "processor_seconds_solve": processor,
        "seconds_sweep": times["sweep"].clock,
        "seconds_parts": parts.clock,
        "sweep_over_parts": times["sweep"].clock / parts.clock,
        "never_falls": bool((np.diff(objective) >= 0).all()),
        "megabytes_vectors": LANGUAGES * WORDS * DIM * 4 / 1e6,
        "megabytes_matrices": matrices / 1e6,
        "megabytes_peak_beyond_vectors": peak / 1e6,
    }


def variants(train: Mapping[str, ia.Lexicon]) -> dict[str, tuple[Edges, dict[str, Any]]]:
    """Return the candidate settings: dictionaries and options."""
    star: Edges = {("en", "fr"): train["fr"], ("en", "ja"): train["ja"], ("en", "en100"): "identical"}
    direct = {**star, ("en", "zh"): train["zh"]}
    through = {**star, ("en100", "zh"): train["zh"]}
    triangles = {**direct, ("fr", "ja"): triangulate(train["fr"], train["ja"])}
    return {
        "star": (direct, {}),
        "star, Chinese through en100": (through, {}),
        "triangle": (triangles, {}),
        "star, refined": (direct, {"refine": 1, "refine_pairs": [("en", "fr"), ("en", "ja"), ("fr", "ja")]}),
        "star, re-weighted": (direct, {"reweight": True}),
        "triangle, re-weighted": (triangles, {"reweight": True}),
        "star, middle": (direct, {"middle": True}),
        "triangle, middle": (triangles, {"middle": True}),
        "star, re-weighted, middle": (direct, {"reweight": True, "middle": True}),
    }


def score(model: ia.Alignment, tests: Mapping[str, ia.Lexicon], train: Mapping[str, ia.Lexicon], **options: Any) -> Any:
    """Score all directions between the four languages, those without a dictionary through English."""
    given, seen = (_edges(some) for some in (tests, train))
    return evaluate_pairs(model, {**triangulate_tests(given, "en", train=seen), **given}, train=seen, **options)


def _edges(lexicons: Mapping[str, ia.Lexicon]) -> Edges:
    """Return dictionaries by members; the Chinese one belongs to both English members."""
    return {**{("en", name): lexicon for name, lexicon in lexicons.items()}, ("en100", "zh"): lexicons["zh"]}


def own_maps(model: ia.Alignment, train: Mapping[str, ia.Lexicon]) -> dict[tuple[str, str], ia.Alignment]:
    """Learn a separate map for each pair: a rotation, or least squares if dimensions differ."""
    made = {pair: triangulate(train[pair[0]], train[pair[1]]) for pair in combinations(train, 2)}
    maps: dict[tuple[str, str], ia.Alignment] = {}
    for pair, lexicon in (_edges(train) | made).items():
        same = model[pair[0]].map.dim_in == model[pair[1]].map.dim_in
        maps |= align_pairs(model, {pair: lexicon}, method="procrustes" if same else "least_squares")
    return maps


def measure_accuracy(folder: Path) -> dict[str, Any]:
    """Choose on held-out training words how to join, then score that and the plain star on test words, once."""
    spaces = {name: ia.read_vectors(folder / file, lang=name, limit=LIMIT) for name, file in FILES.items()}
    train = {name: ia.read_lexicon(folder / f"en-{name}.train.txt") for name in ("fr", "ja", "zh")}
    words = list(dict.fromkeys(word for lexicon in train.values() for word in lexicon.sources))
    chosen = np.random.default_rng(SEED).permutation(len(words))[: len(words) // 5]
    held_out = {words[place] for place in chosen}
    kept, held = (
        {name: ia.Lexicon(pair for pair in lexicon if (pair[0] in held_out) == out) for name, lexicon in train.items()}
        for out in (False, True)
    )
    validation = {}
    for name, (edges, options) in variants(kept).items():
        found = score(ia.join(spaces, edges, pivot="en", **options), held, kept, n_resamples=10)
        validation[name] = {f"{one.source}-{one.target}": one.result.precision[1] for one in found.scores}
        print(name, round(_mean(validation[name]), 4), validation[name], flush=True)
    best = max(validation, key=lambda name: _mean(validation[name]))
    tests = {name: ia.read_lexicon(folder / f"en-{name}.test.txt") for name in train}
    figures: dict[str, Any] = {"words": {name: len(side) for name, side in spaces.items()}, "limit": LIMIT}
    for name in dict.fromkeys(["star", best]):
        edges, options = variants(train)[name]
        model = ia.join(spaces, edges, pivot="en", **options)
        figures[name] = _table(score(model, tests, train, bilingual=own_maps(model, train)))
    return {**figures, "validation": validation, "chosen": best}


def _mean(values: Mapping[str, float]) -> float:
    return sum(values.values()) / len(values)


def _table(found: ScoreMatrix) -> list[dict[str, Any]]:
    return [
        {
            "pair": f"{one.source}-{one.target}",
            "test": one.test,
            "n": one.result.n,
            "left_out": one.left_out,
            "precision": one.result.precision[1],
            "ci95": one.result.ci95[1],
            "minus_bilingual": None if one.bilingual is None else one.bilingual.value,
            "minus_bilingual_ci95": None if one.bilingual is None else one.bilingual.ci95,
        }
        for one in found.scores
    ]


def write_table(accuracy: Mapping[str, Any]) -> None:
    """Write the scores on test words into the page."""
    names = list(dict.fromkeys(["star", accuracy["chosen"]]))
    header = ["", "test dictionary", "n", *(column for name in names for column in (name, "minus own map"))]
    rows = []
    for scores in zip(*(accuracy[name] for name in names), strict=True):
        first = scores[0]
        cells = [
            percent(score[name], score[ends])
            for score in scores
            for name, ends in (("precision", "ci95"), ("minus_bilingual", "minus_bilingual_ci95"))
        ]
        rows.append([first["pair"].replace("-", " → "), first["test"], str(first["n"]), *cells])
    replace_table(DOCS / "how-to" / "many-languages.md", "benchmarks.join", markdown_table(header, rows, left=2))


def main() -> None:
    """Measure speed and, if real vectors are available, accuracy; write the table of the page."""
    warnings.simplefilter("ignore", IsoalignWarning)
    folder = os.environ.get("ISOALIGN_TEST_DATA")
    figures: dict[str, Any] = {"speed": measure_speed()}
    if folder:
        figures["accuracy"] = measure_accuracy(Path(folder) / "data")
        write_table(figures["accuracy"])
    save("join", figures)


if __name__ == "__main__":
    main()
