"""Change the embedding model: every adapter, both directions, by number of pairs; speed of ``apply`` and of ``mlp``.

``python -m benchmarks.migrate [--sizes 250,8000] [--adapters auto,ridge] [--cases four_layer]``; the data are in the
folder named by ``ISOALIGN_TEST_DATA``. Queries 0–999 judge; adapters are fitted on documents 2,000 and up. A run of all
cases and sizes writes the tables of the page.
"""

import argparse
import os
import shutil
import tempfile
import time
from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import isoalign as ia
from benchmarks._harness import measure, measure_together, save
from isoalign._core.arrays import row_blocks
from isoalign._core.types import Matrix
from isoalign.migration import ADAPTERS, Adapter, PairedRows, apply_adapter, evaluate_adapter, judge_migration
from isoalign.migration._measures import ADAPTED, NEW, OLD, MigrationResult, mean_scores
from isoalign.migration._selection import AUTO, fit_map

SIZES = (250, 500, 1000, 2000, 4000, 8000, 16000)
SEED = 0
FIRST_FITTED, JUDGED = 2000, 1000
BASELINES = ("least_squares", "procrustes")
MEASURES = ("kept@1", "kept@10", "kept@100", "R@10", "nDCG@10", "MRR")
CASES = {"four_layer": SIZES, "wordllama": (8000,), "words": (1000, 4000, 12000)}
PAGE = Path(__file__).parent.parent / "docs" / "how-to" / "change-embedding-model.md"
START, END = "<!-- tables of benchmarks.migrate -->\n", "<!-- end of tables -->\n"
INTRODUCTION = """
## What they keep

20,000 definitions of WordNet and 1,000 queries, each with one relevant definition, move from a network cut after four
layers to the whole all-MiniLM-L6-v2 (384 dimensions each); words that GloVe (100) and spaCy (300) share move from one
to the other, and 2,000 of them that no adapter was fitted on are index and queries. `kept@k` is the share of the new
model's k nearest that is found, `R@10`, `nDCG@10` and `MRR` count the relevant definition. `old → old` is today,
`new → new` would be everything embedded again; `least squares` is the map without regularisation. `auto` lists the time
of all that it tries. Figures and environment: `benchmarks/results/migrate.json`, by `python -m benchmarks.migrate`.

"""


class Case(NamedTuple):
    """Documents, queries and judgments of an old and a new model; for words, the documents are also the queries."""

    old: Matrix
    new: Matrix
    queries: tuple[Matrix, Matrix] | None
    relevant: Any
    fitted: np.ndarray


def text_case(folder: Path, old: str, new: str = "minilm384") -> Case:
    """Return WordNet definitions embedded by two models."""
    docs = [np.load(folder / f"{name}.docs.npy").astype(np.float32) for name in (old, new)]
    queries = [np.load(folder / f"{name}.queries.npy")[:JUDGED].astype(np.float32) for name in (old, new)]
    fitted = np.random.default_rng(SEED).permutation(np.arange(FIRST_FITTED, len(docs[0])))
    return Case(docs[0], docs[1], (queries[0], queries[1]), np.arange(JUDGED), fitted)


def word_case(folder: Path) -> Case:
    """Return English words that GloVe and spaCy share; the last 2,000 in random order judge."""
    glove, spacy = (ia.read_vectors(folder / f"en.{name}.vec.gz") for name in ("glove100", "spacymd300"))
    shared = [word for word in glove.index_to_key if word in spacy]
    order = np.random.default_rng(SEED).permutation(len(shared))
    old, new = (one.vectors[one.find_rows(shared)][order] for one in (glove, spacy))
    return Case(old, new, None, None, np.arange(len(shared) - 2000))


def fit(case: Case, name: str, use: Any, n: int) -> tuple[Adapter, float]:
    """Return an adapter fitted on n pairs, and the seconds it took."""
    rows = case.fitted[:n]
    X, Y = (case.old[rows], case.new[rows]) if use == "corpus" else (case.new[rows], case.old[rows])
    method, settings = ("ridge", {"ridge": 0.0}) if name == "least_squares" else (name, None)
    begin = time.perf_counter()
    adapter = Adapter(method, settings=settings, use=use, random_state=SEED).fit(X, Y)
    return adapter, time.perf_counter() - begin


def judge(case: Case, adapter: Adapter) -> MigrationResult:
    """Return the scores on judged queries, or on words that were not fitted on."""
    if case.queries is not None:
        return evaluate_adapter(adapter, case.old, case.new, queries=case.queries, relevant=case.relevant)
    held_back = np.setdiff1d(np.arange(len(case.old)), case.fitted)
    return evaluate_adapter(adapter, case.old[held_back], case.new[held_back])


def run_case(case: Case, sizes: Sequence[int], adapters: Sequence[str]) -> dict[str, Any]:
    """Return the table of one case and the paired differences of ``auto`` to both baselines."""
    table, goals = [], []
    for use, n in product(("corpus", "queries"), [size for size in sizes if size <= len(case.fitted)]):
        fitted = {name: fit(case, name, use, n) for name in dict.fromkeys([*BASELINES, *adapters]) if name != "auto"}
        results = {name: judge(case, adapter) for name, (adapter, _) in fitted.items()}
        if "auto" in adapters:
            # It tries the same settings on the same held-out items as each of its adapters does alone.
            chosen = max(AUTO, key=lambda name: fitted[name][0].record_["held_out"]["recall"])
            results["auto"] = results[chosen]
            fitted["auto"] = fitted[chosen][0], sum(fitted[name][1] for name in AUTO)
        for name, result in results.items():
            verdict = judge_migration(*((result, None) if use == "corpus" else (None, result))).answer
            about = {"use": use, "pairs": n, "adapter": name, "chosen": fitted[name][0].record_["method"]}
            table.append({**about, **_means(result, ADAPTED), "fit_seconds": fitted[name][1], "verdict": verdict})
            print(table[-1], flush=True)
        for name in BASELINES if "auto" in results else ():
            decisive = results["auto"].decisive
            ours, theirs = (results[one].per_query[ADAPTED][decisive] for one in ("auto", name))
            (gain,) = mean_scores([ours - theirs])
            goals.append({"use": use, "pairs": n, "against": name, "measure": decisive, **vars(gain)})
            print(goals[-1], flush=True)
    return {"table": table, "alone": {one: _means(result, one) for one in (OLD, NEW)}, "auto_less_baseline": goals}


def _means(result: MigrationResult, system: str) -> dict[str, float]:
    return {measure: round(score.value, 4) for measure, score in result.systems[system].items()}


def write_tables(figures: Mapping[str, Any]) -> None:
    """Write the scores of all adapters into the page."""
    parts = [
        f"{title}\n\n{_table(figures[case], use)}"
        for case, what in (("four_layer", "four-layer MiniLM to MiniLM"), ("words", "GloVe to spaCy"))
        for use, title in (
            ("corpus", f"**The corpus is mapped, {what}**"),
            ("queries", f"**Queries are mapped, {what}**"),
        )
    ]
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(START)
    PAGE.write_text(
        f"{before}{START}{INTRODUCTION}" + "\n".join(parts) + f"{END}{rest.partition(END)[2]}", encoding="utf-8"
    )


def _table(figures: Mapping[str, Any], use: str) -> str:
    rows = [row for row in figures["table"] if row["use"] == use]
    measures = [measure for measure in MEASURES if measure in rows[0]]
    lines = [f"| pairs | adapter | {' | '.join(measures)} | fit (s) |", "|---:|---|" + "---:|" * (len(measures) + 1)]
    lines += [_line("", name, scores, measures, "") for name, scores in figures["alone"].items()]
    for row in rows:
        name = f"auto ({row['chosen']})" if row["adapter"] == "auto" else row["adapter"].replace("_", " ")
        lines.append(_line(f"{row['pairs']:,}", name, row, measures, f"{row['fit_seconds']:.1f}"))
    return "\n".join(lines) + "\n"


def _line(pairs: str, name: str, scores: Mapping[str, Any], measures: Sequence[str], seconds: str) -> str:
    return f"| {' | '.join([pairs, name, *(f'{scores[measure]:.3f}' for measure in measures), seconds])} |"


def time_apply(n: int = 200_000, dim: int = 384) -> dict[str, float]:
    """Return the speed of mapping a file, compared with copying it and with the matrix product alone."""
    rng = np.random.default_rng(SEED)
    some = rng.standard_normal((2000, dim), dtype=np.float32) + 0.3
    some /= np.linalg.norm(some, axis=1, keepdims=True)
    adapter = Adapter("ridge", settings={"ridge": 0.1}).fit(some, some[:, ::-1])
    W = rng.standard_normal((dim, dim), dtype=np.float32)
    with tempfile.TemporaryDirectory() as folder:
        path, copy, output = (Path(folder) / name for name in ("big.npy", "copy.npy", "out.npy"))
        np.save(path, np.tile(some, (n // len(some), 1)))
        mapped = np.load(path, mmap_mode="r")

        def multiply() -> None:
            for rows in row_blocks(len(mapped)):
                np.matmul(mapped[rows], W)

        def copy_file() -> None:
            shutil.copyfile(path, copy)
            with copy.open("rb") as file:
                os.fsync(file.fileno())

        times = measure_together(
            {
                "copy": copy_file,
                "product": multiply,
                "apply": lambda: apply_adapter(adapter, path, output, overwrite=True),
            }
        )
    clock = {name: found.clock for name, found in times.items()}
    one = some[0]
    single = measure_together(
        {"transform": lambda: _repeat(lambda: adapter.transform(one)), "bare": lambda: _repeat(lambda: one[None] @ W)}
    )
    return {
        **{f"{name}_seconds": seconds for name, seconds in clock.items()},
        "apply_ratio": max(clock["copy"], clock["product"]) / clock["apply"],
        "transform_overhead_microseconds": (single["transform"].clock - single["bare"].clock) * 1e3,
    }


def time_mlp(case: Case) -> dict[str, float]:
    """Return how long a network trains on 16,000 pairs."""
    rows = case.fitted[:16000]
    pairs = PairedRows.from_rows(case.old[rows], case.new[rows])
    return {"mlp_seconds_16000": measure(lambda: fit_map(pairs, "mlp", {}), repeat=1)}


def _repeat(function: Any, times: int = 1000) -> None:
    for _ in range(times):
        function()


def main() -> None:
    """Measure and save."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--sizes", type=lambda text: [int(size) for size in text.split(",")])
    parser.add_argument("--adapters", type=lambda text: text.split(","), default=["auto", *ADAPTERS])
    parser.add_argument("--cases", type=lambda text: text.split(","), default=list(CASES))
    options = parser.parse_args()
    data = Path(os.environ["ISOALIGN_TEST_DATA"]) / "data"
    makers = {
        "four_layer": lambda: text_case(data / "migration", "minilm4l384"),
        "wordllama": lambda: text_case(data / "migration", "wordllama256"),
        "words": lambda: word_case(data),
    }
    figures: dict[str, Any] = {"seed": SEED, "speed": {**time_apply(), **time_mlp(makers["four_layer"]())}}
    print(figures["speed"], flush=True)
    for name in options.cases:
        figures[name] = run_case(makers[name](), options.sizes or CASES[name], options.adapters)
        save("migrate", figures)
    if options.sizes is None and set(options.cases) == set(CASES) and set(options.adapters) == {"auto", *ADAPTERS}:
        write_tables(figures)


if __name__ == "__main__":
    main()
