"""Settings of a method on the command line: ``--set name=value``, as often as needed."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from isoalign.errors import FormatError, ParameterError

__all__ = ["Settings", "merge_config", "parse_settings"]

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


def merge_config(path: Path | None, given: dict[str, Any], *, allowed: set[str]) -> dict[str, Any]:
    """Return the options that were given, over those of a TOML file; a table ``[settings]`` holds the method's own.

    Parameters
    ----------
    path
        The file, if there is one.
    given
        Options of the command line; None means that it was not given.
    allowed
        Options that the file may set, all of them texts.
    """
    from isoalign._validate import suggest
    from isoalign.io import read_toml

    chosen = {name: value for name, value in given.items() if value is not None}
    if path is None:
        return chosen
    config = read_toml(path)
    settings = config.pop("settings", {})
    if not isinstance(settings, dict):
        raise FormatError(f"{path}: settings must be a table, [settings]. Got {settings!r}.")
    for name, value in config.items():
        if name not in allowed:
            raise FormatError(f"{path}: unknown option {name!r}.{suggest(name, allowed)}")
        if not isinstance(value, str):
            raise FormatError(f"{path}: {name} must be text. Got {value!r}.")
    return {**config, **settings, **chosen}
