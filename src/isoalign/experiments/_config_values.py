"""Parse values of a TOML file, with an error if a value has the wrong type."""

from collections.abc import Mapping
from string import Formatter
from typing import Any, TypeAlias

from isoalign._core.validate import check_count, suggest
from isoalign.errors import ParameterError

__all__ = [
    "LanguagePair",
    "fill_name",
    "read_count",
    "read_counts",
    "read_flag",
    "read_names",
    "read_table",
    "read_tables",
    "read_text",
    "read_texts",
    "split_pair",
]

LanguagePair: TypeAlias = tuple[str, str]
"""Source and target language."""


def _show(value: Any) -> str:
    try:
        return repr(value)[:200]
    except RecursionError:  # TOML may nest as deeply as Python can
        return "a value nested too deeply"


def read_text(where: str, value: Any) -> str:
    """Parse non-empty text."""
    if not isinstance(value, str) or not value:
        raise ParameterError(f"{where} must be text. Got {_show(value)}.")
    return value


def read_texts(where: str, value: Any) -> tuple[str, ...]:
    """Parse a list of texts."""
    if not isinstance(value, list):
        raise ParameterError(f"{where} must be a list of texts. Got {_show(value)}.")
    return tuple(read_text(where, item) for item in value)


def read_counts(where: str, value: Any) -> tuple[int, ...]:
    """Parse a list of integers."""
    if not isinstance(value, list):
        raise ParameterError(f"{where} must be a list of whole numbers. Got {_show(value)}.")
    return tuple(check_count(item, name=where, minimum=0) for item in value)


def read_count(where: str, value: Any) -> int:
    """Parse an integer of at least 1."""
    return check_count(value, name=where)


def read_flag(where: str, value: Any) -> bool:
    """Parse true or false."""
    if not isinstance(value, bool):
        raise ParameterError(f"{where} must be true or false. Got {_show(value)}.")
    return value


def read_table(where: str, value: Any) -> Mapping[str, Any]:
    """Parse a table."""
    if not isinstance(value, Mapping):
        raise ParameterError(f"{where} must be a table. Got {_show(value)}.")
    return value


def read_tables(where: str, value: Any) -> dict[str, dict[str, Any]]:
    """Parse a table of tables with plain values, or lists of them."""
    tables = {name: dict(read_table(f"{where}.{name}", inner)) for name, inner in read_table(where, value).items()}
    for name, table in tables.items():
        for key, setting in table.items():
            values = setting if isinstance(setting, list) else [setting]
            if not all(isinstance(value, str | int | float | bool) for value in values):
                raise ParameterError(
                    f"{where}.{name}.{key} must be text, numbers, true or false. Got {_show(setting)}."
                )
    return tables


def read_names(where: str, value: Any) -> str | dict[str, str]:
    """Parse one name, or a table of names."""
    if isinstance(value, str):
        return value
    return {key: read_text(f"{where}.{key}", name) for key, name in read_table(where, value).items()}


def split_pair(text: str) -> LanguagePair:
    """Return the two languages of ``en-fr``."""
    source, _, target = text.partition("-")
    if not source or not target or "-" in target:
        raise ParameterError(f"pairs must be two languages with a hyphen between them, such as en-fr. Got {text!r}.")
    return source, target


def fill_name(where: str, names: str | Mapping[str, str], key: str, **values: str) -> str:
    """Return a name with its fields filled in, or the entry of a table."""
    if not isinstance(names, str):
        if key not in names:
            raise ParameterError(f"{where} has no entry for {key!r}.{suggest(key, names)}")
        return names[key]
    try:
        used = list(Formatter().parse(names))
    except ValueError:
        used = [("", "", None, None)]
    # Attributes, items and formats of a field could access Python objects, or produce gigabytes of spaces.
    if any(name is not None and (name not in values or spec or conversion) for _, name, spec, conversion in used):
        fields_ = ", ".join(f"{{{name}}}" for name in values)
        raise ParameterError(f"{where} may contain {fields_} and no other braces. Got {names[:200]!r}.")
    return names.format(**values)
