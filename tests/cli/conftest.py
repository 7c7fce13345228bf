"""Run commands in this process and look at both of their outputs."""

from dataclasses import dataclass

import pytest
from typer.testing import CliRunner

from isoalign.cli import app


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str


@pytest.fixture
def run():
    def run_command(*arguments: object, stdin: bytes | str | None = None) -> Outcome:
        result = CliRunner().invoke(app, [str(argument) for argument in arguments], input=stdin)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return Outcome(result.exit_code, result.stdout, result.stderr)

    return run_command
