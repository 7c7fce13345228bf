"""Convert texts, paths and numbers of the command line without pydantic, whose import takes a tenth of a second."""

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any, get_args

__all__ = ["convert_plainly"]


def convert_plainly(parameters: Iterable[Any]) -> None:
    """Let parameters convert plain values themselves; they leave all others, and all errors, to typer.

    Versions of typer without pydantic describe their parameters differently, and nothing changes.
    """
    for parameter in parameters:
        if hasattr(parameter, "type_descriptor") and "process_value" not in vars(parameter):
            parameter.process_value = partial(_process, parameter, parameter.process_value)


def _process(parameter: Any, process: Callable[[Any, Any], Any], ctx: Any, value: Any) -> Any:
    try:
        converted = _convert_all(parameter, value)
    except ValueError:
        return process(ctx, value)
    return converted if parameter.callback is None else parameter.callback(ctx, parameter, converted)


def _convert_all(parameter: Any, value: Any) -> Any:
    """Return the value or list of values, or raise ValueError if typer has to look at it."""
    described, many = parameter.type_descriptor, parameter.multiple or parameter.nargs == -1
    if parameter.required and (value is None or (many and not value)):
        raise ValueError("missing")
    if value is None:
        return () if many else None
    kind = next(iter(get_args(described.annotation)), None) if many else described.annotation
    converted = [_convert(one, kind, described.parameter_info) for one in (value if many else [value])]
    return converted if many else converted[0]


def _convert(value: Any, kind: Any, setting: Any) -> Any:
    if isinstance(value, str):
        value.encode()  # bytes of another encoding raise an error
        if kind is int and value.isascii() and value.isdigit():
            value = int(value)
        elif kind is Path and not _has_checks(setting):
            value = Path(value)
    if kind not in (str, int, float, Path) or not isinstance(value, kind) or isinstance(value, bool) or setting.parser:
        raise ValueError("not plain")
    least, most = setting.min, setting.max
    if (least is not None and not value >= least) or (most is not None and not value <= most):
        raise ValueError("out of range")
    return value


def _has_checks(setting: Any) -> bool:
    wanted = (setting.exists, setting.readable, setting.writable, setting.resolve_path, setting.path_type)
    return any(wanted) or not (setting.file_okay and setting.dir_okay)
