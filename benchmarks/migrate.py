"""Change the embedding model: every adapter, both directions, by number of pairs; speed of ``apply`` and of ``mlp``.

``python -m benchmarks.migrate [CELLS] [--cases wordllama,words] [--finished] [--speed]``; the data lie in the folder
named by ``ISOALIGN_TEST_DATA``. Queries 0–999 judge; adapters are fitted on documents 2,000 and up, and in a few cells
also on queries 1,000–1,999. With a file CELLS, finished cells are kept there, and a stopped run continues. A run of all
cases writes the tables of the page; ``--finished`` writes them from the cells that are there. ``--speed`` measures only
the speed again. With a busy second core, ``OPENBLAS_NUM_THREADS=1`` takes a quarter of the processor time.
"""

import argparse
import json
import os
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks._harness import load, save
from benchmarks._migration_cases import SEED, MigrationCase, text_case, word_case
from benchmarks._migration_speed import time_apply, time_mlp, time_one_query
from benchmarks._migration_tables import write_tables
from isoalign.migration import ADAPTERS, Adapter, judge_migration
from isoalign.migration._measures import ADAPTED, NEW, OLD, MigrationResult, Yardstick, mean_scores
from isoalign.migration._selection import AUTO

Cell = dict[str, Any]
SIZES = {
    "four_layer": (8000, 250, 500, 1000, 2000, 4000, 16000),
    "wordllama": (1000, 8000),
    "words": (1000, 4000, 12000),
}
BOTH_KINDS = (1000, 8000)  # numbers of documents that queries are fitted on with
SLOW = ("local", "mlp")
BASELINES = ("least_squares", "procrustes")
KEY = ("case", "use", "pairs", "queries", "adapter")


def case_makers(data: Path) -> dict[str, Callable[[], MigrationCase]]:
    """Return by name what reads each case."""
    return {
        "four_layer": lambda: text_case(data / "migration", "minilm4l384"),
        "wordllama": lambda: text_case(data / "migration", "wordllama256"),
        "words": lambda: word_case(data),
    }


def plan(name: str, case: MigrationCase) -> Iterator[Cell]:
    """Yield what describes each cell of a case, the slowest last."""
    quick = ("least_squares", *(adapter for adapter in ADAPTERS if adapter not in SLOW))
    yield from _plan(name, SIZES[name], 0, quick)
    if case.more_queries is not None:
        yield from _plan(name, BOTH_KINDS, len(case.more_queries[0]), AUTO)
    yield from _plan(name, SIZES[name], 0, SLOW)


def _plan(name: str, sizes: Sequence[int], queries: int, adapters: Sequence[str]) -> Iterator[Cell]:
    for use, pairs, adapter in product(("corpus", "queries"), sizes, adapters):
        yield dict(zip(KEY, (name, use, pairs, queries, adapter), strict=True))


def run_cell(case: MigrationCase, yardstick: Yardstick, cell: Cell) -> Cell:
    """Fit one adapter and return its scores, beside those of both models alone."""
    rows = case.fitted[: cell["pairs"]]
    old, new = case.old[rows], case.new[rows]
    if cell["queries"] and case.more_queries is not None:
        old, new = (np.concatenate(both) for both in zip((old, new), case.more_queries, strict=True))
    X, Y = (old, new) if cell["use"] == "corpus" else (new, old)
    method, settings = ("ridge", {"ridge": 0.0}) if cell["adapter"] == "least_squares" else (cell["adapter"], None)
    begin = time.perf_counter(), time.process_time()
    adapter = Adapter(method, settings=settings, use=cell["use"], random_state=SEED).fit(
        X, Y, n_queries=cell["queries"]
    )
    seconds = {"seconds": time.perf_counter() - begin[0], "processor_seconds": time.process_time() - begin[1]}
    result = yardstick.measure(adapter)
    verdict = judge_migration(*((result, None) if cell["use"] == "corpus" else (None, result)))
    return {
        **cell,
        "settings": adapter.record_["settings"],
        "held_out": adapter.record_["held_out"]["recall"],
        **{system: _means(result, system) for system in (OLD, ADAPTED, NEW)},
        "verdict": verdict.answer,
        "reason": verdict.reasons[0],
        **seconds,
        "per_query": result.per_query[ADAPTED][result.decisive].tolist(),
    }


def make_yardstick(case: MigrationCase) -> Yardstick:
    """Return what judges: queries that no adapter was fitted on, or words."""
    if case.queries is not None:
        return Yardstick(case.old, case.new, queries=case.queries, relevant=case.relevant)
    held_back = np.setdiff1d(np.arange(len(case.old)), case.fitted)
    return Yardstick(case.old[held_back], case.new[held_back])


def _means(result: MigrationResult, system: str) -> dict[str, float]:
    return {measure: round(score.value, 4) for measure, score in result.systems[system].items()}


def read_cells(kept: Path | None) -> list[Cell]:
    """Return the finished cells."""
    return [json.loads(line) for line in kept.read_text().splitlines()] if kept is not None and kept.exists() else []


def run_cells(names: list[str], data: Path, kept: Path | None) -> list[Cell]:
    """Run what is not in the file yet, and return all cells."""
    cells = read_cells(kept)
    done = [_key(cell) for cell in cells]
    for name in names:
        case = case_makers(data)[name]()
        yardstick = make_yardstick(case)
        for cell in plan(name, case):
            if cell in done:
                continue
            cells.append(run_cell(case, yardstick, cell))
            if kept is not None:
                with kept.open("a") as file:
                    file.write(json.dumps(cells[-1]) + "\n")
            print(cell, cells[-1][ADAPTED], f"{cells[-1]['processor_seconds']:.1f} s", flush=True)
    return cells


def _key(cell: Cell) -> Cell:
    return {name: cell[name] for name in KEY}


def add_chosen(cells: list[Cell]) -> list[Cell]:
    """Add for every number of pairs what ``auto`` chooses, with its paired differences to both baselines.

    It tries the same settings on the same held-out items as each of its adapters does alone. Where one of these is not
    there yet, the whole number of pairs is left out.
    """
    groups: dict[tuple[Any, ...], dict[str, Cell]] = {}
    for cell in cells:
        groups.setdefault(tuple(cell[name] for name in KEY[:-1]), {})[cell["adapter"]] = cell
    rows = []
    for group in groups.values():
        if not group.keys() >= set(AUTO):
            continue
        best = max((group[name] for name in AUTO), key=lambda cell: cell["held_out"])
        chosen = {**best, "adapter": "auto", "chosen": best["adapter"]}
        chosen |= {name: sum(group[one][name] for one in AUTO) for name in ("seconds", "processor_seconds")}
        for name in BASELINES:
            if name in group:
                difference = np.subtract(best["per_query"], group[name]["per_query"])
                chosen[f"minus_{name}"] = vars(mean_scores([difference])[0])
        rows += [*group.values(), chosen]
    return [{name: value for name, value in row.items() if name != "per_query"} for row in rows]


def measure_speed(data: Path) -> dict[str, float]:
    """Return the speed of one query, of a whole file, and of the training of a network."""
    return {**time_one_query(), **time_apply(), **time_mlp(case_makers(data)["four_layer"]())}


def main() -> None:
    """Run the cells, save them, and write the tables of the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cells", type=Path, nargs="?", help="file of finished cells")
    parser.add_argument("--cases", type=lambda text: text.split(","), default=list(SIZES))
    parser.add_argument("--finished", action="store_true", help="run no further cells")
    parser.add_argument("--speed", action="store_true", help="measure only the speed, and keep the other figures")
    options = parser.parse_args()
    data = Path(os.environ["ISOALIGN_TEST_DATA"]) / "data"
    if options.speed:
        save("migrate", {**load("migrate"), "speed": measure_speed(data)})
        return
    cells = read_cells(options.cells) if options.finished else run_cells(options.cases, data, options.cells)
    if set(options.cases) != set(SIZES):
        return
    rows = add_chosen(cells)
    figures: dict[str, Any] = {"seed": SEED, "rows": rows}
    if not options.finished:
        figures["speed"] = measure_speed(data)
    save("migrate", figures)
    write_tables(rows)


if __name__ == "__main__":
    main()
