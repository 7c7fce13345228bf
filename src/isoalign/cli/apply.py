"""``isoalign apply``: map a vector file with a saved alignment."""

from typing import Annotated

import typer

from isoalign.cli._clusters import DaskParts, connect
from isoalign.cli._command import command
from isoalign.cli._completion import complete_member
from isoalign.cli._console import Console
from isoalign.cli._costs import DryRun, count_parts, print_work
from isoalign.cli._options import Force, InputFile, Limit, ModelFolder, OutputFile, OutputFormat, SkipBad
from isoalign.cli._paths import readable_path, writable_path

__all__ = ["apply"]


@command(
    "isoalign apply en-ja new.vec new.mapped.vec",
    "isoalign apply en-ja ja.vec ja.mapped.vec --member ja --unit",
)
def apply(
    console: Console,
    model: ModelFolder,
    source: InputFile,
    target: OutputFile,
    member: Annotated[
        str | None,
        typer.Option(
            "--member",
            "-m",
            help="Member that the vectors belong to; of two members, the first by default.",
            autocompletion=complete_member,
        ),
    ] = None,
    to: Annotated[
        str | None,
        typer.Option(
            help="Member to be searched with these vectors: the query stage of the pair is applied.",
            autocompletion=complete_member,
        ),
    ] = None,
    unit: Annotated[bool, typer.Option("--unit", help="Scale the mapped vectors to unit length.")] = False,
    limit: Limit = None,
    skip_bad: SkipBad = False,
    output_format: OutputFormat = None,
    dask: DaskParts = None,
    dry_run: DryRun = False,
    force: Force = False,
) -> None:
    """Map vectors into the shared space of an alignment, with constant memory. Unseen words are allowed."""
    from isoalign.alignment import Alignment, apply_file

    if dry_run:
        from isoalign.experiments import apply_work

        n, dim, parts = count_parts(source, limit)
        print_work(console, "apply", apply_work(n, dim, parts=parts))
        return
    with (
        readable_path(source) as path,
        writable_path(target, suffix=".vec") as out,
        console.progress() as progress,
        connect(dask) as executor,
    ):
        apply_file(
            Alignment.load(model),
            path,
            out,
            name=member,
            to=to,
            unit=unit,
            format=output_format,
            overwrite=force,
            reading={"limit": limit, "on_bad": "skip" if skip_bad else "error"},
            executor=executor,
            progress=progress,
        )
    if str(target) != "-":
        console.result("apply", {"path": str(target), "member": member, "to": to}, text=f"wrote {target}")
