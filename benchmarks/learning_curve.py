"""Accuracy by the size of the dictionary: where other methods overtake self-learning.

``python -m benchmarks.learning_curve CELLS`` needs the folder named by ``ISOALIGN_TEST_DATA`` and about a quarter of an
hour. A fifth of the training words is held out and scored by CSLS P@1; no test dictionary is read. Pairs are drawn at
random from the other words. Finished cells are stored in the file CELLS, from which a stopped run is resumed.
"""

import argparse
import json
import os
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np

from benchmarks._harness import save
from benchmarks._page import DOCS, markdown_table, percent, replace_table
from benchmarks._pairs import FILES
from isoalign._core.types import RowPairs
from isoalign.alignment import Maps, Problem, learn, resolve_method
from isoalign.alignment._selection import hold_out
from isoalign.alignment._verdict import mutual_pairs
from isoalign.io import read_lexicon, read_vectors
from isoalign.neighbors import csls_precision_at_1
from isoalign.normalization import IterNorm

PAGE = DOCS / "explanation" / "self-learning.md"
TARGETS = ("fr", "ja")
SIZES = (10, 25, 50, 100, 500, 1000)
LIMIT = 6000  # words of each language
CUTOFF = 2000  # words that induced dictionaries are restricted to
METHODS: dict[
    str, dict[str, Any]
] = {  # name of a method, or of two of which the second learns from what the first found
    "self_learning": {"max_rank": CUTOFF, "patience": 20},
    "self_learning, geomm": {"max_rank": CUTOFF, "patience": 20},
    "contrast-kernel": {},
    "geomm": {},
    "procrustes": {},
    "vecmap": {},
    "refine": {"max_rank": CUTOFF},
}
Cell = dict[str, Any]


def read_problem(folder: Path, target: str) -> Problem:
    """Read two languages and the training dictionary between them."""
    sides = [read_vectors(folder / name, limit=LIMIT) for name in FILES[target]]
    X, Y = (IterNorm().fit_transform(side.vectors) for side in sides)
    return Problem(X, Y, read_lexicon(folder / f"en-{target}.train.txt").row_pairs(*sides))


def draw_pairs(pairs: RowPairs, size: int, seed: int) -> RowPairs:
    """Draw pairs of different source words; smaller draws are part of larger ones."""
    shuffled = np.random.default_rng(seed).permutation(pairs)
    first = np.unique(shuffled[:, 0], return_index=True)[1]
    drawn: RowPairs = shuffled[np.sort(first)[:size]]
    return drawn


def measure(problem: Problem, size: int, method: str, seed: int) -> float:
    """Return the accuracy of a method that learns from n pairs."""
    held_out = hold_out(problem.known_pairs, seed)
    judged, others = problem.known_pairs[held_out], problem.known_pairs[~held_out]
    given = Problem(problem.X, problem.Y, draw_pairs(others, size, seed), random_state=seed)
    first, _, then = method.partition(", ")
    maps = _learn(given, first, METHODS[method])
    if then:
        found = np.concatenate([given.known_pairs, mutual_pairs(given, maps)])
        maps = _learn(given.with_pairs(np.unique(found, axis=0)), then, {})
    return csls_precision_at_1(*maps.spaces(problem.X, problem.Y), judged)


def _learn(problem: Problem, method: str, settings: dict[str, Any]) -> Maps:
    chosen = resolve_method(method, settings=settings)
    select = chosen.select if chosen.aligner.trajectories() else None
    return learn(problem, chosen.aligner, select=select).maps


def run_cells(folder: Path, kept: Path, seeds: int) -> Iterator[Cell]:
    """Yield all cells; those that are not in the file yet are measured and added to it."""
    cells = [json.loads(line) for line in kept.read_text().split("\n")[:-1]] if kept.exists() else []
    yield from cells
    done = [{name: cell[name] for name in ("target", "seed", "pairs", "method")} for cell in cells]
    problems = {target: read_problem(folder, target) for target in TARGETS}
    for seed, method, size, target in product(range(seeds), METHODS, SIZES, TARGETS):
        cell: Cell = {"target": target, "seed": seed, "pairs": size, "method": method}
        if cell not in done:
            cell["precision"] = measure(problems[target], size, method, seed)
            with kept.open("a") as file:
                file.write(json.dumps(cell) + "\n")
            yield cell


def make_table(cells: list[Cell]) -> str:
    """Return the mean P@1 of every language pair, method and size."""
    rows: dict[tuple[str, str], dict[int, list[float]]] = {}
    for cell in cells:
        sizes = rows.setdefault((cell["target"], cell["method"]), {})
        sizes.setdefault(cell["pairs"], []).append(cell["precision"])
    body = [
        (f"en–{target}", f"`{method}`", *(percent(mean(found[size]) if size in found else None) for size in SIZES))
        for (target, method), found in sorted(rows.items())
    ]
    return markdown_table(("languages", "method", *map(str, SIZES)), body, left=2)


def main() -> None:
    """Measure the curves, save them, and write the table of the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cells", type=Path, help="file of finished cells")
    parser.add_argument("--seeds", type=int, default=1)
    options = parser.parse_args()
    folder = Path(os.environ["ISOALIGN_TEST_DATA"]) / "data"
    cells = list(run_cells(folder, options.cells, options.seeds))
    save("learning_curve", {"limit": LIMIT, "cutoff": CUTOFF, "cells": cells})
    replace_table(PAGE, "learning_curve", make_table(cells))


if __name__ == "__main__":
    main()
