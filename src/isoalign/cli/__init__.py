"""The command line: one file per command, each a thin shell over one call of the library."""

from typing import Annotated

import typer

from isoalign import __version__
from isoalign.cli.align import align
from isoalign.cli.apply import apply
from isoalign.cli.compare import compare
from isoalign.cli.convert import convert
from isoalign.cli.data import data
from isoalign.cli.demo import demo
from isoalign.cli.env import env
from isoalign.cli.evaluate import evaluate
from isoalign.cli.induce import induce
from isoalign.cli.info import info
from isoalign.cli.normalize import normalize
from isoalign.cli.plot import plot
from isoalign.cli.report import report
from isoalign.cli.reproduce import reproduce
from isoalign.cli.serve import serve
from isoalign.cli.sweep import sweep
from isoalign.cli.translate import translate

__all__ = ["app", "main"]

app = typer.Typer(
    name="isoalign",
    help="Align embedding spaces: normalise, map, translate, measure.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"isoalign {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None: ...


for function in (info, convert, normalize, align, apply, translate, induce, compare):
    app.command()(function)
for function in (sweep, reproduce, report, serve, demo, env):
    app.command()(function)
app.add_typer(data, name="data")
app.add_typer(plot, name="plot")
app.add_typer(evaluate, name="evaluate")


def main() -> None:
    """Run the command line."""
    app()
