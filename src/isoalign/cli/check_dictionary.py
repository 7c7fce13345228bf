"""``isoalign check-dictionary``: pairs of a dictionary that look like mistakes."""

from pathlib import Path
from typing import Annotated

import typer

from isoalign.cli._command import command
from isoalign.cli._completion import complete_normalization
from isoalign.cli._console import Console
from isoalign.cli._options import Encoding, Force, Limit, Lower, SkipBad, Swap
from isoalign.cli._paths import check_output
from isoalign.normalization import DEFAULT_NORMALIZATION

__all__ = ["check_dictionary"]


@command(
    "isoalign check-dictionary en.vec ja.vec -d en-ja.txt",
    "isoalign check-dictionary en.vec ja.vec -d en-ja.txt -o suspects.csv",
    searches=True,
)
def check_dictionary(
    console: Console,
    source: Annotated[Path, typer.Argument(metavar="SOURCE", help="Vectors of the source language.")],
    target: Annotated[Path, typer.Argument(metavar="TARGET", help="Vectors of the target language.")],
    lexicon: Annotated[
        Path, typer.Option("--seed-dictionary", "--lexicon", "--dictionary", "-d", help="The dictionary to check.")
    ],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Table of all pairs, the most suspicious first.")
    ] = None,
    top: Annotated[int, typer.Option(min=1, help="Number of pairs to print.")] = 20,
    normalize: Annotated[
        str, typer.Option(help="As in align.", autocompletion=complete_normalization)
    ] = DEFAULT_NORMALIZATION,
    folds: Annotated[
        int, typer.Option(min=2, help="Number of folds; each is checked by maps learned from the others.")
    ] = 5,
    limit: Limit = None,
    lower: Lower = False,
    encoding: Encoding = None,
    swap: Swap = False,
    skip_bad: SkipBad = False,
    seed: Annotated[int, typer.Option(help="Seed of the folds and of the random pairs.")] = 0,
    force: Force = False,
) -> None:
    """Find the pairs of a dictionary that look like mistakes.

    Suspicion, from 0 to 1, is how much a pair looks like two random words to maps that never saw its source word.
    """
    from isoalign.alignment import check_dictionary as check
    from isoalign.io import read_lexicon, read_vectors, write_rows

    check_output(output, force=force)
    on_bad = "skip" if skip_bad else "error"
    with console.progress() as progress:
        X, Y = (
            read_vectors(path, limit=limit, lower=lower, on_bad=on_bad, progress=progress) for path in (source, target)
        )
        words = read_lexicon(lexicon, lower=lower, encoding=encoding, swap=swap, on_bad=on_bad)
        found = check(X, Y, words, normalize=normalize, n_folds=folds, random_state=seed, progress=progress)
    header = ["source", "target", "suspicion", "rank", "reverse rank", "suggestions"]
    rows = [
        [
            *map(str, (one.source, one.target, f"{one.suspicion:.3f}", one.rank, one.reverse_rank)),
            " ".join(one.suggestions),
        ]
        for one in found.suspects
    ]
    if output is not None:
        write_rows([header, *rows], output, overwrite=force)
    data = {**found.to_dict(), "suspects": found.to_dict()["suspects"][:top], "known_pairs": len(found.suspects)}
    about = f"{len(rows)} of {found.n_pairs} pairs are in the vocabularies."
    written = "" if output is None else f"\nwrote {output}"
    console.result("check-dictionary", data, text=f"{console.table(rows[:top], header=header)}\n{about}{written}")
