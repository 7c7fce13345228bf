"""``isoalign join``: map any number of languages into one space."""

from pathlib import Path
from typing import Annotated, Any

import typer

from isoalign.cli._command import command
from isoalign.cli._completion import complete_join, complete_normalization
from isoalign.cli._console import Console
from isoalign.cli._descriptions import describe_join
from isoalign.cli._faults import refuse_faults
from isoalign.cli._join_config import merge_join_config
from isoalign.cli._names import JOIN_HELP, NORMALIZE_HELP
from isoalign.cli._options import Encoding, Force, Limit, Lower, SkipBad, Unicode
from isoalign.cli._paths import check_output

__all__ = ["join"]


@command(
    "isoalign join en=en.vec fr=fr.vec -d en-fr=d.txt -o world",
    "isoalign join ja=ja.vec -d en-ja=d.txt --into world -o larger",
    searches=True,
)
def join(
    console: Console,
    spaces: Annotated[
        list[str] | None, typer.Argument(metavar="NAME=FILE…", help="Vector files by member, such as en=en.vec.")
    ] = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Folder for the alignment.")] = None,
    dictionaries: Annotated[
        list[str] | None,
        typer.Option("--dictionary", "-d", metavar="A-B=FILE", help="Word pairs: a file or a start; repeatable."),
    ] = None,
    weights: Annotated[
        list[str] | None,
        typer.Option("--weight", metavar="A-B=X", help="Weight of a dictionary, 1 by default; repeatable."),
    ] = None,
    into: Annotated[Path | None, typer.Option(help="Add to this alignment, without changing its members.")] = None,
    pivot: Annotated[
        str | None,
        typer.Option(help="Member whose space becomes the shared space. [default: the one with most dictionaries]"),
    ] = None,
    method: Annotated[str | None, typer.Option(help=JOIN_HELP, autocompletion=complete_join)] = None,
    normalize: Annotated[str | None, typer.Option(help=NORMALIZE_HELP, autocompletion=complete_normalization)] = None,
    refine: Annotated[int | None, typer.Option(min=0, help="Rounds of refinement. [default: 0, or chosen]")] = None,
    refine_pairs: Annotated[
        list[str] | None,
        typer.Option("--refine-pair", metavar="A-B", help="Pairs that induce dictionaries; all by default."),
    ] = None,
    reweight: Annotated[
        bool | None, typer.Option(help="Weight directions by how well they agree. [default: no, or chosen]")
    ] = None,
    middle: Annotated[
        bool | None,
        typer.Option(help="Move words and their translations towards their means. [default: no, or chosen]"),
    ] = None,
    select: Annotated[
        str | None,
        typer.Option(
            help="validation: choose the previous three options on held-out words, if not given. [default: none]"
        ),
    ] = None,
    restarts: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Self-learning runs for each start. [default: 3]")
    ] = None,
    config: Annotated[
        Path | None, typer.Option(help="TOML file with all of this; the command line takes precedence.")
    ] = None,
    limit: Limit = None,
    lower: Lower = False,
    unicode: Unicode = None,
    encoding: Encoding = None,
    skip_bad: SkipBad = False,
    seed: Annotated[int, typer.Option(help="Random seed.")] = 0,
    force: Force = False,
) -> None:
    """Map any number of vector files into one space, with dictionaries that connect them."""
    from isoalign.alignment import Alignment, join_files
    from isoalign.errors import ParameterError

    faults = {
        "Nothing would be kept. Give --output FOLDER.": output is None,
        "Name vector files by member, such as en=en.vec, or a --config.": not spaces and config is None,
        "Give dictionaries that connect them: -d en-ja=FILE.": not dictionaries and config is None,
    }
    refuse_faults(faults, files=[into, config])
    assert output is not None
    check_output(output, force=force, folder=True)
    model = None if into is None else Alignment.load(into)
    given: dict[str, Any] = {
        "pivot": pivot,
        "method": method,
        "normalize": normalize,
        "refine": refine,
        "reweight": reweight,
        "middle": middle,
        "select": select,
        "restarts": restarts,
    }
    plan = merge_join_config(
        config, given, spaces, dictionaries, weights, refine_pairs, members=[] if model is None else list(model.names)
    )
    fixed = [f"--{name}" for name in ("pivot", "reweight", "middle") if name in plan.options]
    if model is not None and fixed:
        raise ParameterError(
            f"{', '.join(fixed)} would change the members of {into}. Omit it, or join everything in one call."
        )
    if plan.options.get("select") == "none":
        del plan.options["select"]
    with console.progress() as progress:
        joined = join_files(
            plan.spaces,
            plan.dictionaries,
            into=model,
            reading={"limit": limit, "lower": lower, "unicode": unicode, "on_bad": "skip" if skip_bad else "error"},
            encoding=encoding,
            progress=progress,
            random_state=seed,
            **plan.options,
        )
        joined.save(output, overwrite=force)
    data = {
        "written": [str(output)],
        "members": list(joined.names),
        "provenance": joined.provenance,
        "history": joined.history,
    }
    console.result("join", data, text=describe_join(console, joined, str(output), added=model is not None))
