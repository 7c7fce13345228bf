"""``isoalign drift``: the words whose meaning changed between two periods, corpora or models."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from isoalign.cli._command import command
from isoalign.cli._completion import complete_normalization
from isoalign.cli._console import Console
from isoalign.cli._options import Force, Limit, Lower, SkipBad, Unicode
from isoalign.cli._paths import check_output
from isoalign.cli._periods import name_periods
from isoalign.cli._scores import with_interval
from isoalign.normalization import DEFAULT_NORMALIZATION

if TYPE_CHECKING:
    from isoalign.drift import Drift, GoldResult

__all__ = ["drift"]


@command(
    "isoalign drift 1900.vec 2000.vec -o drift.tsv --report drift.html",
    "isoalign drift old.vec new.vec --words targets.txt --gold graded.txt",
)
def drift(
    console: Console,
    files: Annotated[
        list[str], typer.Argument(metavar="[NAME=]FILE...", help="Vectors of two or more periods, oldest first.")
    ],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Table of all words: .tsv, .csv, or .json for serve --drift."),
    ] = None,
    report: Annotated[Path | None, typer.Option(help="Self-contained HTML report.")] = None,
    words: Annotated[Path | None, typer.Option(help="Test only these words, one per line.")] = None,
    measure: Annotated[
        str,
        typer.Option(
            help="cd (between vectors), lnd (between neighbourhoods), or cd,lnd; words are sorted by the first."
        ),
    ] = "cd",
    robust: Annotated[
        bool, typer.Option("--robust", help="Learn the map again without the tenth of the words that fits worst.")
    ] = False,
    null: Annotated[
        tuple[Path, Path] | None,
        typer.Option(metavar="A B", help="Vectors of two halves of one corpus: how far unchanged words move."),
    ] = None,
    gold: Annotated[
        Path | None, typer.Option(help="Words with graded change, as in SemEval, to correlate with.")
    ] = None,
    level: Annotated[
        float, typer.Option(min=0, max=1, help="False-discovery rate at which words count as changed.")
    ] = 0.05,
    top: Annotated[int, typer.Option(min=1, help="Number of words to print.")] = 20,
    neighbors: Annotated[int, typer.Option("-k", min=1, help="Neighbours to list, then and now.")] = 10,
    normalize: Annotated[
        str, typer.Option(help="As in align.", autocompletion=complete_normalization)
    ] = DEFAULT_NORMALIZATION,
    limit: Limit = None,
    lower: Lower = False,
    unicode: Unicode = None,
    skip_bad: SkipBad = False,
    force: Force = False,
) -> None:
    """Find words whose meaning changed, as opposed to words whose vectors differ by chance.

    Words are sorted by z: how far they moved compared with words of similar frequency. q is the false-discovery rate.
    """
    from isoalign.drift import evaluate_drift, measure_drifts, write_drift
    from isoalign.io import read_scores, read_vectors, read_words
    from isoalign.reporting import build_drift_report, write_text

    for path in (output, report):
        check_output(path, force=force)
    periods = name_periods(files)
    tested = None if words is None else read_words(words)
    judged = None if gold is None else read_scores(gold)
    with console.progress() as progress:

        def read(path: Path) -> Any:
            on_bad = "skip" if skip_bad else "error"
            return read_vectors(path, limit=limit, lower=lower, unicode=unicode, on_bad=on_bad, progress=progress)

        series = measure_drifts(
            {name: read(path) for name, path in periods.items()},
            words=tested,
            measures=[name.strip() for name in measure.split(",")],
            normalize=normalize,
            robust=robust,
            null=None if null is None else (read(null[0]), read(null[1])),
            k=neighbors,
            progress=progress,
        )
    found = series.steps[0] if len(series.steps) == 1 else series
    results = {} if judged is None else {(step.old, step.new): evaluate_drift(step, judged) for step in series.steps}
    if output is not None:
        write_drift(found, output, overwrite=force)
    if report is not None:
        write_text(build_drift_report(series.steps, gold=results, level=level), report, overwrite=force)
    data = {
        **found.to_dict(),
        "gold": [{"old": old, "new": new, **one.to_dict()} for (old, new), one in results.items()],
        "written": [str(path) for path in (output, report) if path is not None],
    }
    parts = [_describe(console, step, results.get((step.old, step.new)), level, top) for step in series.steps]
    written = "".join(f"\nwrote {path}" for path in data["written"])
    console.result("drift", data, text="\n\n".join(parts) + written)


def _describe(console: Console, step: "Drift", gold: "GoldResult | None", level: float, top: int) -> str:
    """Return the words that changed most between two periods, and the number of changed words."""
    columns = [name for measure in step.measures for name in (measure, f"{measure} z", f"{measure} q")]
    rows = []
    for word in step.words[:top]:
        near = [" ".join(map(str, some[:3])) for some in (word.then, word.now)]
        rows.append([word.word, word.rank_then, word.rank_now, *word.format_evidence(), *near])
    lines = [
        f"{step.old} → {step.new}",
        console.table(rows, header=["word", "rank then", "rank now", *columns, "then", "now"]),
    ]
    for measure in step.measures:
        n = len(step.changed(q=level, measure=measure))
        lines.append(f"{measure}: {n} of {len(step.words)} words changed at q = {level:g}.")
    if gold is not None:
        known = f"{gold.n} of {gold.n_gold} judged words known"
        lines += [
            f"{measure}: Spearman {with_interval(value, gold.ci95[measure])}, {known}."
            for measure, value in gold.spearman.items()
        ]
    return "\n".join(lines)
