"""Settings of a method on the command line: ``--set name=value``, which may be repeated."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from isoalign.cli._completion import complete_setting
from isoalign.errors import FormatError, ParameterError

__all__ = ["Settings", "merge_config", "parse_settings"]

Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set", metavar="NAME=VALUE", help="A setting of the method; repeatable.", autocompletion=complete_setting
    ),
]


def parse_settings(settings: list[str] | None) -> dict[str, Any]:
    """Parse ``name=value`` into keyword arguments: values are JSON (``10``, ``true``, ``null``), else plain text."""
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


def merge_config(
    path: Path | None, options: dict[str, str | None], settings: dict[str, Any]
) -> tuple[dict[str, str], dict[str, Any]]:
    """Combine options and settings of the command line with those of a TOML file; the command line takes precedence.

    Parameters
    ----------
    path
        The file, or None; its table ``[settings]`` contains the settings of the method.
    options
        Options of the command line, which the file may also set; None if not given.
    settings
        Settings of the command line.
    """
    from isoalign._core.validate import suggest
    from isoalign.io import read_toml

    chosen = {name: value for name, value in options.items() if value is not None}
    if path is None:
        return chosen, settings
    config = read_toml(path)
    table = config.pop("settings", {})
    if not isinstance(table, dict):
        raise FormatError(f"{path}: settings must be a table, [settings]. Got {table!r}.")
    for name, value in config.items():
        if name not in options:
            raise FormatError(f"{path}: unknown option {name!r}.{suggest(name, options)}")
        if not isinstance(value, str):
            raise FormatError(f"{path}: {name} must be text. Got {value!r}.")
    return {**config, **chosen}, {**table, **settings}
