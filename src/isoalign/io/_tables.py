"""Read small tables of words: fields apart by tab, comma or spaces, with blank lines and comments."""

import csv
import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from isoalign._types import PathName
from isoalign._validate import check_choice
from isoalign.errors import FormatError, IsoalignWarning
from isoalign.io._checks import decode_words
from isoalign.io._compression import bare_name, open_binary

__all__ = ["TableRow", "is_comment", "read_table"]

T = TypeVar("T")

_SPACES = re.compile("[ \t]+")


@dataclass(frozen=True)
class TableRow:
    """One line of a table.

    Attributes
    ----------
    place
        File and line, for messages.
    is_first
        Whether no row stands before it, so that it may hold the titles of the columns.
    fields
        The columns, without the spaces around them.
    """

    place: str
    is_first: bool
    fields: list[str]


def read_table(
    path: PathName, parse: Callable[[TableRow], T | None], *, columns: int, on_bad: str = "error"
) -> list[T]:
    """Return what ``parse`` makes of the rows of a table; a row with enough tabs is split at tabs only.

    Lines end only at a line feed and fields only at ASCII separators, since words may contain any other kind of
    space. Blank lines and comments are passed over. Invalid UTF-8 is replaced, with one warning that counts the lines.

    Parameters
    ----------
    parse
        Returns None for a row to pass over; raises `FormatError` for a bad one.
    columns
        How many fields a row should have. Fewer is an error; more is left to ``parse``.
    on_bad
        ``"error"`` stops at the first bad row; ``"skip"`` leaves bad rows out, with one warning that counts them.
    """
    path = Path(path)
    check_choice(on_bad, ("error", "skip"), name="on_bad")
    is_csv = Path(bare_name(path)).suffix.lower() == ".csv"
    parsed: list[T] = []
    n_rows, n_bad = 0, 0
    for number, line in enumerate(_read_lines(path), 1):
        if not line.strip(" \t") or is_comment(line):
            continue
        try:
            place = f"{path}:{number}"
            fields = _split_commas(line, place) if is_csv else _split_spaces(line, columns)
            if len(fields) < columns or not all(fields[:columns]):
                raise FormatError(
                    f"{place}: expected {columns} columns, got {line[:60]!r}. Complete or remove the line."
                )
            result = parse(TableRow(place, n_rows == 0, fields))
        except FormatError:
            if on_bad == "error":
                raise
            result, n_bad = None, n_bad + 1
        n_rows += 1
        if result is not None:
            parsed.append(result)
    if n_bad:
        _warn(f"{path}: {n_bad} bad lines were skipped.")
    return parsed


def is_comment(line: str) -> bool:
    """Tell whether a line is a comment: ``#`` and a space, or nothing but ``#``; ``#`` and a tab begin a pair."""
    return line.startswith("# ") or not line.strip("# ")


def _read_lines(path: Path) -> list[str]:
    with open_binary(path) as file:
        lines = file.read().removeprefix(b"\xef\xbb\xbf").split(b"\n")
    counts: dict[str, Any] = {}
    decoded = decode_words([line.removesuffix(b"\r") for line in lines], counts)
    if counts:
        _warn(f"{path}: {counts['replaced_words']} lines were not UTF-8; their bad bytes were replaced.")
    return decoded


def _split_spaces(line: str, columns: int) -> list[str]:
    """Split a line at tabs or, if there are too few, at any spaces; empty fields at the end are dropped."""
    line = line.rstrip(" \t")
    if line.count("\t") < columns - 1:
        return _SPACES.split(line.lstrip(" \t"))
    return [field.strip(" ") for field in line.split("\t")]


def _split_commas(line: str, place: str) -> list[str]:
    try:
        return [field.strip(" \t") for field in next(csv.reader([line]))]
    except csv.Error as error:
        raise FormatError(f"{place}: no comma-separated values ({error}).") from None


def _warn(message: str) -> None:
    warnings.warn(message, IsoalignWarning, stacklevel=4)
