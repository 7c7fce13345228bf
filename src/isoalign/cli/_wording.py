"""Rewrite arguments in library messages as options: ``lower=True`` becomes ``--lower``."""

import inspect
import re
from collections.abc import Iterable, Mapping

from typer.models import OptionInfo

__all__ = ["list_options", "name_options"]

_ARGUMENT = re.compile(r"\b(?P<name>[a-z][a-z_]*)=(?P<value>True|…|'[^' ]*'(?: or '[^' ]*')*)")
_EDGE = re.compile(r"such as \('([^']+)', '([^']+)'\)")
_OTHER_NAMES = {"overwrite": "force", "random_state": "seed", "format": "output_format", "n_jobs": "jobs"}


def list_options(parameters: Iterable[inspect.Parameter]) -> dict[str, str]:
    """Return the option name of each parameter of a command that is an option: ``{"skip_bad": "--skip-bad"}``."""
    return {
        parameter.name: (setting.param_decls or [f"--{parameter.name.replace('_', '-')}"])[0]
        for parameter in parameters
        for setting in getattr(parameter.annotation, "__metadata__", ())
        if isinstance(setting, OptionInfo)
    }


def name_options(text: str, options: Mapping[str, str]) -> str:
    """Replace arguments in a message by the corresponding options, if there are any.

    >>> name_options("Use method='a' or 'b', or lower=True.", {"method": "--method", "lower": "--lower"})
    'Use --method a or b, or --lower.'
    """

    def rename(found: re.Match[str]) -> str:
        option = options.get(_OTHER_NAMES.get(found["name"], found["name"]))
        if option is None:
            return found[0]
        return option if found["value"] == "True" else f"{option} {found['value'].replace(chr(39), '')}"

    if "dictionaries" in options:
        text = _EDGE.sub(r"such as -d \1-\2=FILE", text)
    return _ARGUMENT.sub(rename, text)
