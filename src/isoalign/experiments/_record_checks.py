"""Validate records, which other programs may have written or damaged."""

from collections.abc import Callable, Mapping
from typing import Any

from isoalign.errors import FormatError
from isoalign.experiments._records import Record

__all__ = ["check_record"]

Check = Callable[[Any], bool]

_LARGEST = 1e15  # no count, score or time is beyond it


def check_record(record: Record) -> None:
    """Raise `FormatError`, which names the field, unless a record of a known kind has all that reports need."""
    cell = record.cell
    _check("key", record.key, _is_text)
    _check("seconds", record.seconds, _is_number)
    _check("provenance", record.provenance, _is_table)
    _check("provenance.data", record.provenance.get("data", {}), _each(_is_table))
    for name in ("kind", "source", "normalize"):
        _check(f"cell.{name}", getattr(cell, name), _is_text)
    for name in ("target", "method", "retrieval", "dataset", "start", "size"):
        _check(f"cell.{name}", getattr(cell, name), _or_none(_is_text))
    _check("cell.seed", cell.seed, _is_count)
    _check("values", record.values, _is_table)
    for name, check in _VALUES.get(cell.kind, {}).items():
        _check(f"values.{name}", record.values.get(name), check)
    if cell.kind == "bli":
        for name in ("precision", "ci95"):
            _check(f"values.{name}.1", record.values[name].get("1"), lambda value: value is not None)
        if record.measure == "MAP":
            _check("values.mrr", record.values.get("mrr"), _is_number)
            _check("values.mrr_ci95", record.values.get("mrr_ci95"), _is_interval)
        low, high = record.values["ci95"]["1"]
        _check("values.ci95.1", [low, high], lambda _: low <= record.values["precision"]["1"] <= high)


def _check(name: str, value: Any, check: Check) -> None:
    if not check(value):
        raise FormatError(f"{name} is missing or damaged: {str(value)[:60]!r}")


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_table(value: Any) -> bool:
    return isinstance(value, Mapping)


def _is_number(value: Any) -> bool:
    """Accept NaN too, the correlation of constants."""
    return isinstance(value, int | float) and not isinstance(value, bool) and not abs(value) > _LARGEST


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and _is_number(value) and value >= 0


def _is_interval(value: Any) -> bool:
    return isinstance(value, list | tuple) and len(value) == 2 and all(map(_is_number, value))


def _each(check: Check) -> Check:
    return lambda value: isinstance(value, Mapping) and all(map(check, value.values()))


def _list_of(check: Check) -> Check:
    return lambda value: isinstance(value, list | tuple) and all(map(check, value))


def _or_none(check: Check) -> Check:
    return lambda value: value is None or check(value)


def _is_side(value: Any) -> bool:
    names = ("mean_norm", "min_length", "max_length")
    return isinstance(value, Mapping) and all(_is_number(value.get(name)) for name in names)


_VALUES: dict[str, dict[str, Check]] = {
    "bli": {
        "precision": _each(_is_number),
        "ci95": _each(_is_interval),
        "n": _is_count,
        "coverage": _is_number,
        "chosen": _or_none(_is_table),
        "rounds": _or_none(_list_of(_is_number)),
        "best_on_test": _or_none(_is_number),
        "words": _list_of(_is_text),
        "ranks": _list_of(_or_none(_is_count)),
    },
    "similarity": {"spearman": _is_number, "ci95": _is_interval, "n": _is_count, "coverage": _is_number},
    "conditions": {"source": _is_side, "target": _is_side},
}
