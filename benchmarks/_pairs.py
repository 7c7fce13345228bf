"""All methods with all normalisations on real pairs, in both directions; needs the folder of real vectors.

Finished cells are appended to a file of JSON lines, with the rank of every answer, so that a run can be resumed.
"""

import json
import time
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from itertools import product
from pathlib import Path
from typing import Any

import isoalign as ia
from benchmarks._page import DOCS, markdown_table, percent, replace_table
from isoalign.errors import IsoalignWarning
from isoalign.evaluation import compare_ranks
from isoalign.reporting._names import name_method, name_normalization

FILES = {
    "ja": ("en.spacymd300.vec.gz", "ja.chive300.vec.gz"),
    "fr": ("en.spacymd300.vec.gz", "fr.spacymd300.vec.gz"),
    "zh": ("en.glove100.vec.gz", "zh.synonyms100.vec.gz"),
}
NORMALIZATIONS = ("none", "center_length", "iternorm")
# After a plus sign: options of `align`.
METHODS = (
    "procrustes",
    "least_squares",
    "robust",
    "vecmap",
    "middle",
    "geomm",
    "kernel",
    "contrastive",
    "contrast-kernel",
    "contrast-kernel+spelling",
    "contrast-kernel+rerank+spelling",
    "contrast-ranked-kernel",
    "geomm-kernel",
    "stack",
    "refine",
    "rcsls",
    "rcsls+spelling",
)
BASELINE = ("rcsls", "iternorm")
Cell = dict[str, Any]


def run_cells(
    folder: Path, kept: Path, methods: Sequence[str] = METHODS, normalizations: Sequence[str] = NORMALIZATIONS
) -> list[Cell]:
    """Compute the cells that are not in the file yet, and return all cells; the baseline is always among them."""
    warnings.simplefilter("ignore", IsoalignWarning)
    cells = [json.loads(line) for line in kept.read_text().splitlines()] if kept.exists() else []
    done = {(cell["direction"], cell["normalize"], cell["method"]) for cell in cells}
    for language, files in FILES.items():
        spaces = [ia.read_vectors(folder / name, lang=lang) for name, lang in zip(files, ("en", language), strict=True)]
        lexicons = [ia.read_lexicon(folder / f"en-{language}.{part}.txt") for part in ("train", "test")]
        for direction in (f"en-{language}", f"{language}-en"):
            if direction.endswith("-en"):
                spaces, lexicons = spaces[::-1], [lexicon.inverse() for lexicon in lexicons]
            for method, normalize in dict.fromkeys([*product(methods, normalizations), BASELINE]):
                if (direction, normalize, method) not in done:
                    cell = {"direction": direction, "normalize": normalize, "method": method}
                    cell |= _run(spaces, lexicons, normalize, method)
                    cells.append(cell)
                    with kept.open("a") as file:
                        file.write(json.dumps(cell) + "\n")
                    print(*(cell[name] for name in ("direction", "normalize", "method", "precision")), flush=True)
    return cells


def _run(spaces: list[Any], lexicons: list[Any], normalize: str, method: str) -> Cell:
    train, test = lexicons
    begin = time.process_time()
    name, *extras = method.split("+")
    options: dict[str, Any] = dict.fromkeys(extras, True)
    model = ia.align(spaces[0], spaces[1], train, method=name, normalize=normalize, **options)
    seconds = time.process_time() - begin
    result = ia.evaluate_bli(model, test, ks=(1, 5))
    selection = model.history["selection"]
    seen = set(train.sources)
    return {
        "n": result.n,
        "coverage": result.coverage,
        "precision": result.precision,
        "ci95": result.ci95,
        "chosen": None if selection is None else selection["chosen"],
        "processor_seconds": round(seconds, 1),
        "words": [answer.word for answer in result.answers],
        "ranks": [answer.rank for answer in result.answers],
        "seen": [answer.word in seen for answer in result.answers],
    }


def summarize(cells: Iterable[Cell]) -> dict[str, Any]:
    """Return accuracies, differences from RCSLS with Iterative Normalization, and the gain of the latter by method."""
    found = {(cell["direction"], cell["normalize"], cell["method"]): cell for cell in cells}
    directions = list(dict.fromkeys(direction for direction, *_ in found))
    combinations = list(dict.fromkeys((method, normalize) for _, normalize, method in found))
    grid = [
        {
            **{name: value for name, value in cell.items() if name not in ("words", "ranks", "seen")},
            "minus_baseline": _compare([cell], [found[direction, BASELINE[1], BASELINE[0]]]),
        }
        for (direction, _, _), cell in found.items()
    ]
    pooled = []
    for method, normalize in combinations:
        own = [found[direction, normalize, method] for direction in directions]
        base = [found[direction, BASELINE[1], BASELINE[0]] for direction in directions]
        row = {"method": method, "normalize": normalize, "minus_baseline": _compare(own, base)}
        row["minus_baseline_new_words"] = _compare(own, base, new_only=True)
        if normalize == "iternorm":
            for other in ("none", "center_length"):
                if (directions[0], other, method) in found:
                    row[f"minus_{other}"] = _compare(own, [found[direction, other, method] for direction in directions])
        pooled.append(row)
    return {"directions": directions, "baseline": "rcsls + iternorm", "grid": grid, "pooled": pooled}


def _name(method: str) -> str:
    name, *extras = method.split("+")
    return " + ".join([name_method(name), *extras])


def merge(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """Return a summary with the rows of a new one in place of its own, in the order of all methods."""

    def key(row: Mapping[str, Any]) -> tuple[str, ...]:
        return row.get("direction", ""), row["normalize"], row["method"]

    def rank(row: Mapping[str, Any]) -> tuple[int, ...]:
        place = [*new["directions"], ""].index(row.get("direction", ""))
        return place, NORMALIZATIONS.index(row["normalize"]), METHODS.index(row["method"])

    merged = dict(new)
    for name in ("grid", "pooled"):
        rows = {key(row): row for row in old[name]}
        for row in new[name]:
            rows[key(row)] = {**rows.get(key(row), {}), **row}
        merged[name] = sorted(rows.values(), key=rank)
    return merged


def write_tables(summary: Mapping[str, Any]) -> None:
    """Write both tables of docs/explanation/accuracy.md."""
    page, directions = DOCS / "explanation" / "accuracy.md", summary["directions"]
    found = {(cell["method"], cell["normalize"], cell["direction"]): cell for cell in summary["grid"]}
    sizes = {direction: found[*BASELINE, direction]["n"] for direction in directions}
    rows = [
        [
            _name(row["method"]),
            name_normalization(row["normalize"]),
            *(_scores(found[row["method"], row["normalize"], direction]) for direction in directions),
        ]
        for row in summary["pooled"]
    ]
    header = ["", "", *(f"{name.replace('-', ' → ')} (n = {n:,})" for name, n in sizes.items())]
    replace_table(page, "grid", markdown_table(header, rows, left=2))
    rows = [
        [
            _name(row["method"]),
            name_normalization(row["normalize"]),
            *(
                percent(row[name]["value"], row[name]["ci95"], sign=True)
                if name in row
                and not (name.startswith("minus_baseline") and (row["method"], row["normalize"]) == BASELINE)
                else "–"
                for name in ("minus_baseline", "minus_baseline_new_words", "minus_none", "minus_center_length")
            ),
        ]
        for row in summary["pooled"]
    ]
    header = ["", "", "− (RCSLS, IN)", "the same, new words", "IN − none", "IN − C+L"]
    replace_table(page, "pooled", markdown_table(header, rows, left=2))


def _scores(cell: Cell) -> str:
    precision, ends = ({int(k): value for k, value in cell[name].items()} for name in ("precision", "ci95"))
    return f"{percent(precision[1], ends[1])}; P@5 {percent(precision[5])}"


def _compare(ours: list[Cell], theirs: list[Cell], *, new_only: bool = False) -> dict[str, Any]:
    """Compare P@1 on the questions of one or more directions together."""
    questions = [
        (f"{one['direction']} {word}", a, b)
        for one, other in zip(ours, theirs, strict=True)
        for word, a, b, seen in zip(one["words"], one["ranks"], other["ranks"], one["seen"], strict=True)
        if not (new_only and seen)
    ]
    words, a, b = zip(*questions, strict=True)
    return {"n": len(words), **asdict(compare_ranks(words, a, b))}
