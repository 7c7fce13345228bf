"""Values of the command line mean the same with typer's own conversion and with ours."""

from pathlib import Path
from typing import Annotated

import pytest
import typer
from typer.core import TyperCommand
from typer.testing import CliRunner

from isoalign.cli._help import make_group, register


def show(
    file: Annotated[Path, typer.Argument()],
    words: Annotated[list[str] | None, typer.Argument()] = None,
    count: Annotated[int, typer.Option(min=1, max=9)] = 3,
    share: Annotated[float | None, typer.Option(min=0)] = None,
    name: Annotated[str | None, typer.Option()] = None,
    rows: Annotated[list[int] | None, typer.Option()] = None,
    verbose: Annotated[int, typer.Option("-v", count=True)] = 0,
    there: Annotated[Path | None, typer.Option(exists=True)] = None,
    loud: Annotated[bool | None, typer.Option()] = None,
) -> None:
    typer.echo([file, words, count, share, name, rows, verbose, there, loud])


show.examples = ()


def run(command, *arguments):
    group = make_group("test", "Test.")
    group.callback()(lambda: None)
    if command is None:
        register(group, [show])
    else:
        group.command("show", cls=command)(show)
    found = CliRunner().invoke(group, ["show", *arguments])
    return found.exit_code, found.output


@pytest.mark.parametrize(
    "arguments",
    [
        "",
        "a",
        "a b c",
        "- --count 5",
        "a --count 0",
        "a --count 10",
        "a --count 007",
        "a --count 5.0",
        "a --count 1_0",
        "a --count x",
        "a --count ٣",
        "a --share 1",
        "a --share 0.5",
        "a --share nan",
        "a --share -1",
        "a --name 5 --rows 1 --rows 2",
        "a --rows 1 --rows x",
        "a -vv --loud",
        "a --no-loud",
        "a --there .",
        "a --there /no/such/file",
        "a --name",
        "a --unknown",
        "a --name \udcff",
        "\udcff",
    ],
)
def test_values_are_those_of_typer(arguments):
    assert run(None, *arguments.split()) == run(TyperCommand, *arguments.split())
