"""Settings of a method on the command line: ``--set name=value``, as often as needed."""

import json
from typing import Annotated, Any

import typer

from isoalign.errors import ParameterError

__all__ = ["Settings", "parse_settings"]

Settings = Annotated[
    list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="A setting of the method; repeatable.")
]


def parse_settings(settings: list[str] | None) -> dict[str, Any]:
    """Turn ``name=value`` into keywords: values are JSON (``10``, ``true``, ``null``), else plain text."""
    parsed: dict[str, Any] = {}
    for setting in settings or []:
        name, equals, text = setting.partition("=")
        if not equals or not name:
            raise ParameterError(f"--set takes NAME=VALUE, such as --set zero=keep. Got {setting!r}.")
        try:
            parsed[name] = json.loads(text)
        except ValueError:
            parsed[name] = text
    return parsed
