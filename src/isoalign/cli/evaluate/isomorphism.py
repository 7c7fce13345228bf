"""``isoalign evaluate isomorphism``: how similar two spaces are in shape."""

from pathlib import Path
from typing import Annotated, Any

import typer

from isoalign.cli._command import command
from isoalign.cli._completion import complete_normalization
from isoalign.cli._console import Console
from isoalign.cli._measure_options import Model, SourceFile, TargetFile
from isoalign.cli._models import open_model
from isoalign.cli._names import NORMALIZATIONS
from isoalign.cli._options import Encoding, FromMember, Limit, Lower, SkipBad, Swap, ToMember
from isoalign.normalization import DEFAULT_NORMALIZATION

__all__ = ["isomorphism"]


@command(
    "isoalign evaluate isomorphism --source en.vec --target ja.vec",
    "isoalign evaluate isomorphism en-ja --lexicon test.txt",
)
def isomorphism(
    console: Console,
    model: Model = None,
    source: SourceFile = None,
    target: TargetFile = None,
    source_name: FromMember = None,
    target_name: ToMember = None,
    lexicon: Annotated[
        Path | None, typer.Option("--lexicon", "--dictionary", "-d", help="Word pairs to compare by.")
    ] = None,
    normalize: Annotated[
        str,
        typer.Option(
            "--normalize",
            help=f"For two files: measure again after this normalisation: {NORMALIZATIONS}.",
            autocompletion=complete_normalization,
        ),
    ] = DEFAULT_NORMALIZATION,
    n_words: Annotated[
        int, typer.Option("--n-words", min=2, help="Maximum number of words or pairs for expensive measures.")
    ] = 2000,
    limit: Limit = None,
    lower: Lower = False,
    encoding: Encoding = None,
    swap: Swap = False,
    skip_bad: SkipBad = False,
) -> None:
    """Measure two spaces before and after alignment (MODEL), or before and after normalisation (two files)."""
    from isoalign.evaluation import evaluate_isomorphism
    from isoalign.io import read_lexicon

    on_bad = "skip" if skip_bad else "error"
    reading = {"limit": limit, "lower": lower, "on_bad": on_bad}
    pairs = None if lexicon is None else read_lexicon(lexicon, lower=lower, encoding=encoding, swap=swap, on_bad=on_bad)
    with console.progress() as progress:
        alignment = open_model(
            model,
            source,
            target,
            members=(source_name, target_name),
            reading=reading,
            progress=progress,
        )
        sides: tuple[Any, Any] = (alignment, None)
        if model is None:
            pair = alignment.pair()
            sides = (pair.source.raw, pair.target.raw)
        found = evaluate_isomorphism(
            *sides,
            pairs,
            normalize=normalize,
            n_words=n_words,
            progress=progress,
        )
    columns = [column for shape in (found.before, found.after) if shape is not None for column in [_column(shape)]]
    rows = [(name, *(column[name] for column in columns)) for name in columns[0]]
    title = f"{found.n_words} {'pairs' if found.paired else 'frequent words'}"
    console.result(
        "evaluate-isomorphism",
        found.to_dict(),
        text=console.table(rows, header=[title, "before", f"after {found.change}"]),
    )


def _column(shape: Any) -> dict[str, float | None]:
    conditions, hubness = shape.conditions, shape.hubness
    return {
        "spread of lengths, source": conditions.source_spread,
        "spread of lengths, target": conditions.target_spread,
        "length of the mean, source": conditions.source_mean,
        "length of the mean, target": conditions.target_mean,
        "difference of the means' lengths": conditions.mean_difference,
        "eigenvector similarity (0: isomorphic)": shape.eigenvector,
        "relational similarity (1: isomorphic)": shape.relational,
        "bottleneck distance (0: isomorphic)": shape.bottleneck,
        "modularity (0: aligned)": shape.modularity,
        "hubness: skewness": None if hubness is None else hubness.skewness,
        "hubness: share of anti-hubs": None if hubness is None else hubness.anti_hubs,
    }
