"""``isoalign reproduce``: the paper's experiment, the same grid on the sample inside the package, or XLING."""

from pathlib import Path
from typing import Annotated

import typer

from isoalign.cli._command import command
from isoalign.cli._console import Console
from isoalign.cli._named_files import parse_named
from isoalign.cli._sweep_output import DaskAddress, DryRun, Jobs, Results, Ship, run_sweep

__all__ = ["reproduce"]


@command(
    "isoalign reproduce iternorm-acl2019 --targets ja,zh --dry-run",
    "isoalign reproduce xling --pairs en-fr,en-ru,ru-fr -o xling",
)
def reproduce(
    console: Console,
    name: Annotated[str, typer.Argument(metavar="NAME", help="sample, iternorm-acl2019 or xling.")],
    output: Results = None,
    targets: Annotated[str | None, typer.Option(help="Only these target languages, such as ja,zh.")] = None,
    pairs: Annotated[str | None, typer.Option(help="Only these pairs of languages, such as en-fr,ru-fr.")] = None,
    vectors: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE", help="Your own vectors: a file name with {lang} in it, or en=FILE for each language."
        ),
    ] = None,
    statistics: Annotated[
        str | None,
        typer.Option(help="Rows that normalisation is fitted on: rows (those read) or file (the whole file)."),
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Read only the first N words of each language.")] = None,
    jobs: Jobs = 1,
    dask: DaskAddress = None,
    ship: Ship = False,
    dry_run: DryRun = False,
) -> None:
    """Reproduce a published experiment. Missing files are downloaded; finished cells are not computed again."""
    from isoalign.experiments import load_sweep

    config = load_sweep(
        name,
        targets=targets.split(",") if targets else None,
        pairs=pairs.split(",") if pairs else None,
        vectors=_name_vectors(vectors),
        statistics=statistics,
        limit=limit,
    )
    run_sweep(console, config, results=output, jobs=jobs, dask=dask, ship=ship, dry_run=dry_run)


def _name_vectors(files: list[str] | None) -> str | dict[str, str] | None:
    """Return a file name with ``{lang}`` in it, or files by language; paths are relative to the working directory."""
    if not files:
        return None
    if len(files) == 1 and "{lang}" in files[0]:
        return str(Path(files[0]).absolute())
    return {lang: str(Path(path).absolute()) for lang, path in parse_named(files, what="vector files").items()}
