"""The command line: one file per command, each a thin wrapper around one library call."""

import sys
from typing import Annotated, Any

import typer

from isoalign._core.version import VERSION
from isoalign.cli._help import make_group, register
from isoalign.cli._streams import describe_unwritable, prepare_streams
from isoalign.cli.align import align
from isoalign.cli.apply import apply
from isoalign.cli.check_dictionary import check_dictionary
from isoalign.cli.compare import compare
from isoalign.cli.convert import convert
from isoalign.cli.data import data
from isoalign.cli.demo import demo
from isoalign.cli.drift import drift
from isoalign.cli.env import env
from isoalign.cli.evaluate import evaluate
from isoalign.cli.export import export
from isoalign.cli.induce import induce
from isoalign.cli.info import info
from isoalign.cli.join import join
from isoalign.cli.methods import methods
from isoalign.cli.migrate import migrate
from isoalign.cli.normalize import normalize
from isoalign.cli.plot import plot
from isoalign.cli.report import report
from isoalign.cli.reproduce import reproduce
from isoalign.cli.serve import serve
from isoalign.cli.sweep import sweep
from isoalign.cli.transfer import transfer
from isoalign.cli.translate import translate

__all__ = ["app", "main"]

app = make_group(
    "isoalign",
    "Align embedding spaces: normalise, map, translate, measure.",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
_SECTIONS: dict[str, tuple[Any, ...]] = {
    "Inspect data": (info, convert, data, check_dictionary, methods, env),
    "Align": (normalize, align, join),
    "Use": (translate, induce, apply, export, drift, migrate, transfer),
    "Measure": (evaluate, compare, plot),
    "Experiments": (demo, sweep, reproduce, report),
    "Serve": (serve,),
}


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"isoalign {VERSION}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None: ...


for section, commands in _SECTIONS.items():
    for one in commands:
        if isinstance(one, typer.Typer):
            app.add_typer(one, name=one.info.name, rich_help_panel=section)
        else:
            register(app, [one], section=section)


def main() -> None:
    """Run the command line."""
    prepare_streams()
    try:
        app()
    except UnicodeEncodeError as error:  # raised while printing a help text
        sys.exit(f"error: {describe_unwritable(error)}")
