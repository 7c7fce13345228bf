"""``isoalign evaluate similarity``: correlation of cosines with human similarity scores."""

from pathlib import Path
from typing import Annotated, Any

import typer

from isoalign.cli._command import command
from isoalign.cli._console import Console
from isoalign.cli._measure_options import Seed, SourceFile, TargetFile
from isoalign.cli._models import open_model
from isoalign.cli._options import FromMember, Limit, Lower, SkipBad, ToMember
from isoalign.cli._scores import with_interval

__all__ = ["similarity"]


@command(
    "isoalign evaluate similarity ws353.txt simlex.txt --source en.vec",
    "isoalign evaluate similarity en-ja.txt --model en-ja",
)
def similarity(
    console: Console,
    sets: Annotated[list[Path], typer.Argument(metavar="SET...", help="Word pairs with scores; one file or more.")],
    model: Annotated[
        Path | None, typer.Option("--model", help="Folder written by align, for cross-lingual sets.")
    ] = None,
    source: SourceFile = None,
    target: TargetFile = None,
    source_name: FromMember = None,
    target_name: ToMember = None,
    limit: Limit = None,
    lower: Lower = False,
    skip_bad: SkipBad = False,
    seed: Seed = 0,
) -> None:
    """Correlate cosines with human scores, for --source alone, two aligned files, or a --model."""
    from isoalign.evaluation import evaluate_similarity
    from isoalign.io import read_similarity, read_vectors

    on_bad = "skip" if skip_bad else "error"
    reading: dict[str, Any] = {"limit": limit, "lower": lower, "on_bad": on_bad}
    with console.progress() as progress:
        vectors: Any
        if model is None and source is not None and target is None:
            vectors = read_vectors(source, progress=progress, **reading)
        else:
            vectors = open_model(
                model, source, target, members=(source_name, target_name), reading=reading, progress=progress
            )
        results = [
            evaluate_similarity(vectors, read_similarity(path, on_bad=on_bad), random_state=seed) for path in sets
        ]
    rows = [
        [
            result.name,
            f"{result.n}/{result.n_pairs}",
            f"{result.coverage:.1%}",
            with_interval(result.spearman, result.spearman_ci95),
            with_interval(result.pearson, result.pearson_ci95),
        ]
        for result in results
    ]
    console.result(
        "evaluate-similarity",
        {"results": [result.to_dict() for result in results]},
        text=console.table(rows, header=["set", "n", "coverage", "Spearman", "Pearson"]),
    )
