"""``isoalign export``: write a saved alignment as vector files for other tools."""

from pathlib import Path
from typing import Annotated

import typer

from isoalign.cli._command import command
from isoalign.cli._completion import complete_member
from isoalign.cli._console import Console
from isoalign.cli._options import Force, ModelFolder
from isoalign.cli._paths import check_output

__all__ = ["export"]


@command(
    "isoalign export en-ja -o exported --to ja",
    "isoalign export world -o world.vec --prefixed",
)
def export(
    console: Console,
    model: ModelFolder,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="Folder for one .vec file per member; with --prefixed, a file.")
    ],
    members: Annotated[
        list[str] | None,
        typer.Option(
            "--member", "-m", help="Only this member; repeatable. [default: all]", autocompletion=complete_member
        ),
    ] = None,
    to: Annotated[
        str | None,
        typer.Option(
            help="Member to be searched: the others are written with their query stages for it.",
            autocompletion=complete_member,
        ),
    ] = None,
    prefixed: Annotated[bool, typer.Option("--prefixed", help="One file, with words such as en:cat.")] = False,
    separator: Annotated[str, typer.Option(help="Separator between member and word, with --prefixed.")] = ":",
    drop_ambiguous: Annotated[
        bool, typer.Option("--drop-ambiguous", help="Skip words that contain the separator.")
    ] = False,
    force: Force = False,
) -> None:
    """Write the words of all members with their vectors in the shared space."""
    from isoalign.alignment import Alignment, export_prefixed, export_spaces

    alignment = Alignment.load(model)
    if members:
        alignment = alignment.select(members)
    with console.progress() as progress:
        if prefixed:
            check_output(output, force=force)
            written = [
                export_prefixed(
                    alignment,
                    output,
                    to=to,
                    separator=separator,
                    drop_ambiguous=drop_ambiguous,
                    overwrite=force,
                    progress=progress,
                )
            ]
        else:
            written = export_spaces(alignment, output, to=to, overwrite=force, progress=progress)
    paths = [str(path) for path in written]
    console.result("export", {"written": paths}, text="\n".join(f"wrote {path}" for path in paths))
