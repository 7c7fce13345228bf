"""The command line: one file per command, each a thin wrapper around one library call."""

import atexit
import gc
import os
import sys
from importlib import import_module
from typing import Annotated, Any

import typer

from isoalign._core.version import VERSION
from isoalign.cli._help import make_group, register
from isoalign.cli._streams import describe_unwritable, prepare_streams

__all__ = ["app", "main", "make_app"]

app: typer.Typer
"""All commands, made when it is first asked for."""

_SECTIONS = {
    "Look at data": ("info", "convert", "data", "check-dictionary", "methods", "env"),
    "Align": ("normalize", "align", "join"),
    "Use": ("translate", "induce", "apply", "export", "drift", "migrate", "transfer"),
    "Measure": ("evaluate", "compare", "plot"),
    "Experiments": ("demo", "sweep", "reproduce", "report"),
    "Serve": ("serve",),
}


def make_app(*only: str) -> typer.Typer:
    """Return the command line, with all commands or some of them; a command is imported when it is added."""
    made = make_group(
        "isoalign",
        "Align embedding spaces: normalise, map, translate, measure.",
        "isoalign align wiki.en.vec wiki.ja.vec -d en-ja.txt -o en-ja",
        "isoalign translate en-ja river mountain",
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    made.callback()(_options)
    for section, names in _SECTIONS.items():
        for name in names:
            if only and name not in only:
                continue
            module = name.replace("-", "_")
            one: Any = getattr(import_module(f"isoalign.cli.{module}"), module)
            if isinstance(one, typer.Typer):
                made.add_typer(one, name=one.info.name, rich_help_panel=section)
            else:
                register(made, [one], section=section)
    return made


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"isoalign {VERSION}")
        raise typer.Exit


def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None: ...


def __getattr__(name: str) -> typer.Typer:
    if name != "app":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()["app"] = made = make_app()
    return made


def main() -> None:
    """Run the command line."""
    # OpenBLAS reads this when NumPy is imported: 2**4 cycles. By default its threads spin for 2**26 after every
    # product, some 25 ms in which the threads of a search share the cores with them.
    os.environ.setdefault("OPENBLAS_THREAD_TIMEOUT", "4")
    # Cycles are looked for at every 700th object by default, also among all that was imported, and once more at the
    # end: a fifth of the time of a short command.
    gc.set_threshold(100_000, 50, 100)
    atexit.register(gc.freeze)
    prepare_streams()
    known = {name for names in _SECTIONS.values() for name in names}
    try:
        make_app(*known.intersection(sys.argv[1:2]))()
    except UnicodeEncodeError as error:  # raised while printing a help text
        sys.exit(f"error: {describe_unwritable(error)}")
