"""Write the results in the README and in ``docs/results.md`` from benchmark files: ``python -m tools.readme``.

Every number comes from ``benchmarks/results``. The page has all rows, the README those of `METHODS` and the brief ones
of `SPEED`.
"""

import json
from collections.abc import Collection
from pathlib import Path
from typing import Any, NamedTuple

from isoalign.reporting._names import name_method, name_normalization

__all__ = ["END", "PAGE", "README", "START", "make_page", "make_results"]

README = Path(__file__).parent.parent / "README.md"
PAGE = Path(__file__).parent.parent / "docs" / "results.md"
RESULTS = Path(__file__).parent.parent / "benchmarks" / "results"
START, END = "<!-- results: start, written by python -m tools.readme -->\n", "<!-- results: end -->\n"
BASELINE = "rcsls"
GROWN = "self_learning, geomm"
METHODS = (
    "procrustes",
    "rcsls",
    "vecmap",
    "geomm",
    "contrast-kernel",
    "contrast-kernel+spelling",
    "contrast-kernel+rerank+spelling",
    "stack",
)
"""Rows of the accuracy table in the README: well-known methods, the default, and the best."""


class Speed(NamedTuple):
    """A row of the speed table; names in braces are keys of the benchmark's ``figures``."""

    benchmark: str
    task: str
    result: str
    arguments: str = ""
    provided: str | None = None
    """A figure that must be true for the row to be shown."""
    brief: bool = False
    """Whether the README shows the row as well."""


SPEED = (
    Speed(
        "read",
        "read a text file, {words:,} × {dim}",
        "{times_faster:.1f} times as fast as a loop over its lines",
        brief=True,
    ),
    Speed(
        "write",
        "write it without loss",
        "{times_faster:.1f} times as fast as a loop over its rows with five decimals",
    ),
    Speed(
        "read_word2vec",
        "read word2vec binary, {words:,} × {dim}",
        "{read_times_faster:.1f} times as fast as gensim",
    ),
    Speed(
        "read_fasttext",
        "read a fastText model, {words:,} × {dim}",
        "{times_faster:.1f} times as fast as gensim",
    ),
    Speed(
        "normalize",
        "{rounds} rounds of Iterative Normalization, {rows:,} × {dim}",
        "{times_faster_than_plain_numpy:.1f} times as fast as plain numpy, "
        "{ratio_to_six_copies_into_memory_in_use:.2f} × the time of copying the matrix six times",
        brief=True,
    ),
    Speed(
        "search",
        "ten nearest of {against_product[size][0]:,} in {against_product[size][1]:,}",
        "{against_product[times_the_product][top_10][clock]:.2f} × the time of the bare matrix product",
    ),
    Speed(
        "search",
        "CSLS means of both sides, same size",
        "{against_product[times_the_product][means_both_directions][clock]:.2f} × the time of one bare product",
    ),
    Speed(
        "evaluate",
        "CSLS P@1 of {queries:,} words, {words:,} in each language",
        "{times_faster_1:.1f} times as fast as with all means, same answers",
        arguments=" {words}",
        provided="same_answers_1",
        brief=True,
    ),
    Speed(
        "evaluate",
        "the same for P@1, P@5 and P@10",
        "{times_faster_10:.1f} times as fast as with all means, same answers",
        arguments=" {words}",
        provided="same_answers_10",
    ),
    Speed(
        "align",
        "RCSLS, 5,000 pairs among 200,000 words, mean of {rcsls 5,000 pairs × 200,000[epochs]} epochs",
        "{rcsls 5,000 pairs × 200,000[mean_ratio]:.2f} × the time of an epoch's bare products",
        brief=True,
    ),
    Speed(
        "align",
        "the same among 100,000 words",
        "{rcsls 5,000 pairs × 100,000, against float64 numpy[times_faster]:.1f} times as fast as plain float64 numpy",
    ),
    Speed(
        "align",
        "real English and Japanese vectors, 16,086 and 19,989 words, files read included",
        "{en → ja, 16,086 × 19,989 × 300, seconds with reading[refine_5_rounds]:.1f} s for five rounds of refinement "
        "with P@1 after each, {en → ja, 16,086 × 19,989 × 300, seconds with reading[rcsls_10_epochs]:.1f} s for ten "
        "epochs of RCSLS, {en → ja, 16,086 × 19,989 × 300, seconds with reading[vecmap]:.1f} s for VecMap with P@1",
    ),
    Speed(
        "sweep",
        "three normalisations × three maps of one pair, selection included",
        "{ratio_cpu:.2f} × the processor time of its RCSLS cells alone",
    ),
    Speed(
        "migrate",
        "map a file of 200,000 vectors to another model, 384 to 384 columns",
        "{speed[apply_ratio]:.2f} of the speed of the slower of copying the file and the bare product",
    ),
    Speed(
        "serve",
        "translate a word over HTTP, {words:,} × {dim}",
        "median {translate_alone_ms[p50]:.0f} ms, 99 of 100 within {translate_alone_ms[p99]:.0f} ms",
        brief=True,
    ),
)


def make_results() -> str:
    """Return the tables of the README with their explanations."""
    pairs = _tell_pairs(_load("pairs"), METHODS, "docs/explanation/accuracy.md")
    more = "All rows, the sample and the commands behind every number are in [results](docs/results.md).\n"
    few = _tell_few_pairs(_load("unsupervised"), "docs/explanation/self-learning.md")
    return f"{pairs}\n{few}\n{_tell_speed(brief=True)}\n{more}"


def make_page() -> str:
    """Return all tables with their explanations."""
    pairs = _tell_pairs(_load("pairs"), None, "explanation/accuracy.md")
    few = _tell_few_pairs(_load("unsupervised"), "explanation/self-learning.md")
    return f"{pairs}\n{few}\n{_tell_accuracy(_load('accuracy'))}\n{_tell_speed(brief=False)}"


def _load(benchmark: str) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((RESULTS / f"{benchmark}.json").read_text(encoding="utf-8"))
    return loaded


def _tell_pairs(result: dict[str, Any], methods: Collection[str] | None, details: str) -> str:
    figures = result["figures"]
    directions = figures["directions"]
    cells = {(cell["method"], cell["direction"]): cell for cell in figures["grid"] if cell["normalize"] == "iternorm"}
    rows = []
    for row in figures["pooled"]:
        if row["normalize"] == "iternorm" and (methods is None or row["method"] in methods):
            own = [cells[row["method"], direction] for direction in directions]
            difference = row["minus_baseline"]
            rows.append(
                [
                    name_method(row["method"]),
                    *(f"{100 * cell['precision']['1']:.1f}" for cell in own),
                    "–" if row["method"] == BASELINE else _show(difference["value"], difference["ci95"], sign="+"),
                ]
            )
    sizes = ", ".join(f"{cells[BASELINE, direction]['n']:,}" for direction in directions)
    about = (
        "**Accuracy on real language pairs.** P@1 in per cent: the share of test words whose first translation is "
        f"correct. CSLS retrieval after Iterative Normalization; n = {sizes} test words, used once, after all choices "
        "were made, except for `rerank` and `spelling`. The last column is the difference from RCSLS over all "
        "directions on the same words, with its 95 % confidence interval; `contrast-kernel` is the default, and what "
        "follows a plus sign are options of `align`. For intervals of all cells, P@5 and other "
        f"normalisations see [the most accurate maps]({details}). `python -m benchmarks.accuracy`."
    )
    header = ["", *(direction.replace("-", " → ") for direction in directions), "− RCSLS"]
    return f"{about}\n\n{_table(header, rows)}"


def _tell_few_pairs(result: dict[str, Any], details: str) -> str:
    rows, n_pairs = result["figures"]["rows"], result["figures"]["pairs"]

    def tell(target: str) -> tuple[str, str]:
        own = [row for row in rows if row["target"] == target]
        runs = [100 * row["precision"] for row in own if row["method"] == GROWN and row["cutoff"] == 4000]
        whole = next(100 * row["precision"] for row in own if row["method"] == "procrustes")
        return f"{min(runs):.1f} to {max(runs):.1f}", f"{whole:.1f}"

    (french, french_all), (japanese, japanese_all) = tell("fr"), tell("ja")
    return (
        "**With few pairs, or none.** P@1 on the same test words in five runs each: English to French without a "
        f"dictionary {french}, where Procrustes on the whole training dictionary reaches {french_all}; English to "
        f"Japanese from {n_pairs} pairs {japanese}, where Procrustes on all pairs reaches {japanese_all}. See "
        f"[self-learning]({details}). `python -m benchmarks.unsupervised`.\n"
    )


def _tell_accuracy(result: dict[str, Any]) -> str:
    figures = result["figures"]
    cells = {(cell["method"], cell["normalize"]): cell for cell in figures["cells"]}
    methods, normalizations = (dict.fromkeys(pair[place] for pair in cells) for place in (0, 1))
    (n,), (coverage,), (retrieval,) = (
        {cell[name] for cell in cells.values()} for name in ("n", "coverage", "retrieval")
    )
    differences: dict[str, dict[str, str]] = {}
    for one in figures["iternorm_minus"]:
        differences.setdefault(one["baseline"], {})[one["method"]] = _show(one["value"], one["ci95"], sign="+")
    rows = [
        [
            name_method(method),
            *(
                _show(cells[method, name]["precision"]["1"], cells[method, name]["ci95"]["1"])
                for name in normalizations
            ),
            *(by_method[method] for by_method in differences.values()),
        ]
        for method in methods
    ]
    about = (
        "**Accuracy on the sample.** P@1 in per cent with its 95 % confidence interval: English to Japanese, the "
        f"sample's {figures['source_words']:,} × {figures['target_words']:,} words, {figures['train_words']:,} "
        f"training words, n = {n:,} test words, coverage {coverage:.0%}, {retrieval.upper()}. C+L is centring and unit "
        "length, IN is "
        f"Iterative Normalization. The last columns are differences on the same words; if an interval contains zero, "
        f"no difference was found. `python -m benchmarks.accuracy`; `make demo` computes the same numbers."
    )
    header = [name_normalization(name) for name in normalizations]
    return f"{about}\n\n{_table(['', *header, *(f'IN − {name_normalization(name)}' for name in differences)], rows)}"


def _show(share: float, interval: list[float], *, sign: str = "") -> str:
    value, low, high = (f"{100 * number:{sign}.1f}".replace("-", "−") for number in (share, *interval))
    return f"{value} [{low}, {high}]"


def _tell_speed(*, brief: bool) -> str:
    rows, machines = [], {}
    for row in SPEED:
        if brief and not row.brief:
            continue
        result = _load(row.benchmark)
        figures = result["figures"]
        if row.provided is not None and figures[row.provided] is not True:
            raise ValueError(
                f"{row.benchmark}.json: {row.provided} is not true, so the README cannot say {row.task!r}."
            )
        command = f"`python -m benchmarks.{row.benchmark}{row.arguments.format_map(figures)}`"
        rows.append([row.task.format_map(figures), row.result.format_map(figures), command])
        machines[_describe_machine(result["environment"])] = None
    about = (
        "**Speed.** Both sides of a ratio were measured in the same run; results are in `benchmarks/results/`, named "
        f"after the command. Machine: {'; '.join(machines)}."
    )
    return f"{about}\n\n{_table(['task', 'result', 'command'], rows)}"


def _describe_machine(environment: dict[str, Any]) -> str:
    return (
        f"{environment['processor']}, {environment['cores']} cores, {environment['threads']} threads, "
        f"Python {environment['python']}, numpy {environment['dependencies']['numpy']}"
    )


def _table(header: list[str], rows: list[list[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def main() -> None:
    """Rewrite the tables of both files."""
    for file, tables in ((README, make_results()), (PAGE, make_page())):
        before, _, rest = file.read_text(encoding="utf-8").partition(START)
        after = rest.partition(END)[2]
        file.write_text(f"{before}{START}{tables}{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
