"""Whole runs without a dictionary, and with 100 pairs, compared with maps from the whole training dictionary.

``python -m benchmarks.unsupervised CELLS`` needs the folder named by ``ISOALIGN_TEST_DATA`` and an hour of two cores.
English and French are aligned from the start ``similarity``, without restarts; English and Japanese from 100 training
pairs drawn at random. Finished cells are stored in the file CELLS, from which a stopped run is resumed.
"""

import argparse
import json
import os
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import isoalign as ia
from benchmarks._harness import peak_memory, save
from benchmarks._page import DOCS, markdown_table, percent, replace_table
from benchmarks._pairs import FILES
from isoalign.errors import IsoalignWarning
from isoalign.evaluation import compare_ranks

PAGE = DOCS / "explanation" / "self-learning.md"
RUNS = {  # frequent words that dictionaries are induced among, and seeds
    "fr": [*((4000, seed) for seed in range(5)), (10_000, 0)],
    "ja": [(4000, seed) for seed in range(5)],
}
PAIRS = 100
GROWN = "self_learning, geomm"  # the default without a dictionary, or with a small one
SUPERVISED = ("procrustes", "contrast-kernel")  # on the whole training dictionary
Cell = dict[str, Any]


def plan(folder: Path) -> Iterator[tuple[Cell, Callable[[], ia.Alignment], ia.Lexicon]]:
    """Yield what describes each cell, how its model is learned, and the test dictionary."""
    for target, runs in RUNS.items():
        sides = [ia.read_vectors(folder / name) for name in FILES[target]]
        train, test = (ia.read_lexicon(folder / f"en-{target}.{part}.txt") for part in ("train", "test"))
        for method in SUPERVISED:
            cell = {"target": target, "method": method, "cutoff": None, "seed": 0}
            yield cell, partial(ia.align, sides[0], sides[1], train, method=method), test
        for cutoff, seed in runs:
            cell = {"target": target, "method": GROWN, "cutoff": cutoff, "seed": seed}
            options: dict[str, Any] = {"method": "self_learning", "then": "geomm", "settings": {"max_rank": cutoff}}
            if target == "fr":
                options |= {"start": "similarity", "restarts": 1}
            else:
                options["lexicon"] = draw(train, sides, seed)
            yield cell, partial(ia.align, sides[0], sides[1], random_state=seed, **options), test


def _append(models: list[ia.Alignment], fit: Callable[[], ia.Alignment]) -> None:
    models.append(fit())


def draw(lexicon: ia.Lexicon, sides: list[ia.Embeddings], seed: int) -> ia.Lexicon:
    """Draw known pairs of different source words."""
    known = {a: (a, b) for a, b in lexicon if a in sides[0] and b in sides[1]}
    words = np.random.default_rng(seed).permutation(sorted(known))[:PAIRS]
    return ia.Lexicon([known[word] for word in words])


def run_cells(folder: Path, kept: Path) -> list[Cell]:
    """Compute the cells that are not in the file yet, and return all cells."""
    warnings.simplefilter("ignore", IsoalignWarning)
    cells = [json.loads(line) for line in kept.read_text().splitlines()] if kept.exists() else []
    done = [{name: cell[name] for name in ("target", "method", "cutoff", "seed")} for cell in cells]
    for cell, fit, test in plan(folder):
        if cell in done:
            continue
        models: list[ia.Alignment] = []
        clock, processor = time.perf_counter(), time.process_time()
        peak = peak_memory(partial(_append, models, fit))
        seconds = {"seconds": time.perf_counter() - clock, "processor_seconds": time.process_time() - processor}
        result = ia.evaluate_bli(models[0], test)
        answers = {"words": [one.word for one in result.answers], "ranks": [one.rank for one in result.answers]}
        about = {"n": result.n, "coverage": result.coverage, "precision": result.precision[1], "ci95": result.ci95[1]}
        cells.append({**cell, **about, **seconds, "peak_megabytes": peak / 1e6, **answers})
        with kept.open("a") as file:
            file.write(json.dumps(cells[-1]) + "\n")
        print(cell, about, seconds, flush=True)
    return cells


def summarize(cells: list[Cell]) -> list[Cell]:
    """Return every cell without its answers, with its differences from the supervised maps on the same words."""
    rows = []
    for cell in cells:
        row = {name: value for name, value in cell.items() if name not in ("words", "ranks")}
        if cell["method"] == GROWN:
            for base in cells:
                if base["target"] == cell["target"] and base["method"] in SUPERVISED:
                    difference = compare_ranks(cell["words"], cell["ranks"], base["ranks"])
                    row[f"minus_{base['method']}"] = asdict(difference)
        rows.append(row)
    return rows


def make_table(rows: list[Cell]) -> str:
    """Return accuracy, differences and time of every cell."""
    body = [
        (
            f"en–{row['target']}",
            f"`{row['method']}`",
            {"fr": "none", "ja": str(PAIRS)}[row["target"]] if row["method"] == GROWN else "all",
            f"{row['cutoff']:,}" if row["cutoff"] else "–",
            str(row["seed"]),
            percent(row["precision"], row["ci95"]),
            *(
                percent(row[name]["value"], row[name]["ci95"], sign=True) if name in row else "–"
                for name in (f"minus_{method}" for method in SUPERVISED)
            ),
            f"{row['processor_seconds']:.0f}",  # also meaningful on a shared machine
        )
        for row in rows
    ]
    header = (
        "languages",
        "method",
        "pairs",
        "cutoff",
        "seed",
        "P@1",
        *(f"− `{method}`" for method in SUPERVISED),
        "processor seconds",
    )
    return markdown_table(header, body, left=3)


def main() -> None:
    """Run the cells, save them, and write the table of the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cells", type=Path, help="file of finished cells")
    options = parser.parse_args()
    rows = summarize(run_cells(Path(os.environ["ISOALIGN_TEST_DATA"]) / "data", options.cells))
    save("unsupervised", {"pairs": PAIRS, "rows": rows})
    replace_table(PAGE, "unsupervised", make_table(rows))


if __name__ == "__main__":
    main()
