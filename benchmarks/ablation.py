"""Contribution of each part of the most accurate maps, on held-out training words only.

``python -m benchmarks.ablation [CELLS]`` needs the folder named by ``ISOALIGN_TEST_DATA`` and about half an hour. One
random fifth of the training words of each pair is held out; no test dictionary is opened. Finished cells are stored in
the file CELLS, if given, from which a stopped run is resumed.
"""

import json
import os
import sys
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import isoalign as ia
from benchmarks._harness import save
from benchmarks._page import DOCS, markdown_table, percent, replace_table
from benchmarks._pairs import FILES
from isoalign.errors import IsoalignWarning

SEED = 11
BAND = 5000
SIZES = (250, 500, 1000, 2500, None)
PARTS: dict[str, dict[str, Any]] = {
    "vecmap": {"method": "vecmap"},
    "+ contrast": {"method": "contrastive", "select": None},
    "+ kernel": {"method": "kernel"},
    "+ contrast + kernel": {"method": "contrast-kernel"},
    "+ contrast + kernel, ranked": {"method": "contrast-ranked-kernel"},
    "GeoMM (λ = 100)": {"method": "geomm", "select": None},
    "GeoMM + kernel": {"method": "geomm-kernel"},
    "stack of the two with kernel": {"method": "stack"},
    "+ contrast + kernel, omit_self=False": {"method": "contrast-kernel", "settings": {"omit_self": False}},
}
CURVES: dict[str, dict[str, Any]] = {
    "Procrustes": {"method": "procrustes"},
    "VecMap": PARTS["vecmap"],
    "RCSLS (lr 10, 10 epochs)": {"method": "rcsls", "settings": {"lr": 10.0, "epochs": 10}, "select": None},
    "GeoMM (λ = 100)": PARTS["GeoMM (λ = 100)"],
    "contrast-kernel": PARTS["+ contrast + kernel"],
}
CONTRAST = "aligner__"
SENSITIVITY: dict[str, dict[str, Any]] = {
    **{f"h = {h}": {"bandwidth": h} for h in (0.1, 0.15, 0.4, 0.6)},
    **{f"λ = {value}": {"penalty": value} for value in (0.1, 0.3, 3.0, 10.0)},
    **{f"τ = {value}": {f"{CONTRAST}temperature": value} for value in (0.05, 0.2)},
    **{f"{n} steps": {f"{CONTRAST}stop": n} for n in (0, 5, 10)},
    **{f"{n} negatives": {f"{CONTRAST}n_negatives": n} for n in (10, 100)},
}


def plan() -> Iterator[tuple[str, str, int | None, dict[str, Any]]]:
    """Yield table, row, number of training words and options of `align` for every cell of a pair."""
    for row, options in PARTS.items():
        yield "parts", row, None, options
    for size in SIZES:
        for row, options in CURVES.items():
            yield "curves", row, size, options
    for row, settings in SENSITIVITY.items():
        yield "sensitivity", row, None, {"method": "contrast-kernel", "settings": settings}


def run_cells(folder: Path, kept: Path) -> list[dict[str, Any]]:
    """Compute the cells that are not in the file yet, and return all cells."""
    warnings.simplefilter("ignore", IsoalignWarning)
    cells = [json.loads(line) for line in kept.read_text().splitlines()] if kept.exists() else []
    done = {(cell["pair"], cell["table"], cell["row"], cell["size"]) for cell in cells}
    for language, files in FILES.items():
        spaces = [ia.read_vectors(folder / name, lang=lang) for name, lang in zip(files, ("en", language), strict=True)]
        lexicon = ia.read_lexicon(folder / f"en-{language}.train.txt")
        order = np.random.default_rng(SEED).permutation(list(dict.fromkeys(lexicon.sources))).tolist()
        held, words = set(order[: len(order) // 5]), order[len(order) // 5 :]
        test = ia.Lexicon(pair for pair in lexicon if pair[0] in held)
        for table, row, size, options in plan():
            if (language, table, row, size) in done:
                continue
            known = set(words[:size])
            train = ia.Lexicon(pair for pair in lexicon if pair[0] in known)
            model = ia.align(spaces[0], spaces[1], train, **options)
            result = ia.evaluate_bli(model, test, bands=[BAND])
            cell: dict[str, Any] = {"pair": language, "table": table, "row": row, "size": size, "n": result.n}
            cell |= {"precision": result.precision[1], "ci95": result.ci95[1]}
            cell["groups"] = {group.name: [group.n, group.precision[1]] for group in result.groups}
            cells.append(cell)
            with kept.open("a") as file:
                file.write(json.dumps(cell) + "\n")
            print(language, table, row, size, round(100 * result.precision[1], 1), flush=True)
    return cells


def write_tables(cells: list[dict[str, Any]]) -> None:
    """Write the tables of docs/explanation/accuracy.md."""
    page = DOCS / "explanation" / "accuracy.md"
    found = {(cell["table"], cell["row"], cell["size"], cell["pair"]): cell for cell in cells}
    languages = [*FILES]

    def line(table: str, row: str, size: int | None = None) -> list[str]:
        return [percent(found[table, row, size, name]["precision"]) for name in languages]

    header = ["", *(f"en → {name}" for name in languages)]
    replace_table(page, "parts", markdown_table(header, [[row, *line("parts", row)] for row in PARTS]))
    rows = [["as it is", *line("parts", "+ contrast + kernel")]]
    rows += [[row, *line("sensitivity", row)] for row in SENSITIVITY]
    replace_table(page, "sensitivity", markdown_table(header, rows))
    sizes = ["all" if size is None else f"{size:,}" for size in SIZES]
    rows = [
        [f"en → {name}", row, *(percent(found["curves", row, size, name]["precision"]) for size in SIZES)]
        for name in languages
        for row in CURVES
    ]
    replace_table(page, "curves", markdown_table(["", "", *sizes], rows, left=2))
    groups = list(dict.fromkeys(name for cell in cells for name in cell["groups"]))
    rows = [
        [f"en → {name}", row, *(_group(found["parts", row, None, name], group) for group in groups)]
        for name in languages
        for row in ("vecmap", "+ contrast + kernel", "stack of the two with kernel")
    ]
    replace_table(page, "groups", markdown_table(["", "", *groups], rows, left=2))


def _group(cell: dict[str, Any], name: str) -> str:
    n, precision = cell["groups"].get(name, (0, None))
    return "–" if precision is None else f"{100 * precision:.1f} ({n})"


def main() -> None:
    """Run all cells, save them and write the tables."""
    with tempfile.TemporaryDirectory() as scratch:
        kept = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(scratch) / "cells.jsonl"
        cells = run_cells(Path(os.environ["ISOALIGN_TEST_DATA"]) / "data", kept)
    save("ablation", {"seed": SEED, "cells": cells})
    write_tables(cells)


if __name__ == "__main__":
    main()
