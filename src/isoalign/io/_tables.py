"""Read small tables of words: fields separated by tabs, commas or spaces, with blank lines and comments."""

import csv
import math
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from isoalign._core.types import PathName
from isoalign._core.validate import check_choice
from isoalign.errors import FormatError, IsoalignWarning
from isoalign.io._bounds import TABLE_LINES
from isoalign.io._checks import decode_words
from isoalign.io._encodings import describe_encoding
from isoalign.io._layouts import describe_layout, refuse_folder
from isoalign.io._lines import read_lines
from isoalign.io._separated import is_csv

__all__ = ["TableRow", "has_titles", "is_comment", "parse_score", "read_table"]

T = TypeVar("T")

_SPACES = re.compile("[ \t]+")


class TableRow(NamedTuple):
    """One row of a table.

    Attributes
    ----------
    place
        File and line, for messages.
    is_first
        Whether it is the first row, which may contain the column titles.
    fields
        The columns.
    """

    place: str
    is_first: bool
    fields: list[str]


def read_table(
    path: PathName,
    parse: Callable[[TableRow], T | None],
    *,
    columns: int,
    titles: Sequence[str] = (),
    encoding: str | None = None,
    on_bad: str = "error",
) -> list[T]:
    """Parse the rows of a table with ``parse``; a row with enough tabs is split at tabs only.

    Lines end only at a line feed and fields only at ASCII separators, since words may contain any other kind of
    space. Blank lines and comments are skipped, and so are spaces around fields. Below a header line in a ``.csv``
    file, fields are not changed. Invalid UTF-8 is replaced, with one warning that counts the lines.

    Parameters
    ----------
    parse
        Returns None for a row to skip; raises `FormatError` for a bad one.
    columns
        Expected number of fields. Fewer is an error; more is left to ``parse``.
    titles
        Names of columns, required ones first. Below a header line with the required ones, ``parse`` gets only these
        columns, in this order.
    encoding
        Encoding of the file, if it is not UTF-8.
    on_bad
        ``"error"`` stops at the first bad row; ``"skip"`` skips bad rows and warns once with their number.
    """
    path = Path(path)
    check_choice(on_bad, ("error", "skip"), name="on_bad")
    refuse_folder(path)
    commas = is_csv(path)
    content = _read_lines(path, encoding, keep_returns=commas)
    lines = iter(enumerate(content, 1))
    parsed: list[T] = []
    n_rows, n_bad = 0, 0
    chosen: list[int] | None = None
    for number, line in lines:
        exact = commas and chosen is not None
        if not line.strip("\r" if exact else " \t\r") or (is_comment(line) and not exact):
            continue
        place = f"{path}:{number}"
        try:
            fields = _split_commas(line, lines, place) if commas else _split_spaces(line, columns)
            if not exact:
                fields = [field.strip(" \t") for field in fields]
            if n_rows == 0 and has_titles(fields, titles[:columns]):
                chosen, n_rows = [fields.index(title) for title in titles if title in fields], 1
                continue
            if chosen is not None:
                fields = [fields[column] for column in chosen if column < len(fields)]
            if len(fields) < columns or not all(fields[:columns]):
                raise FormatError(
                    f"{place}: expected {columns} columns, got {line[:60]!r}. Complete or remove the line."
                )
            result = parse(TableRow(place, n_rows == 0, fields))
        except FormatError as error:
            if on_bad == "error":
                look = describe_layout(content, path, columns=columns, commas=commas, is_first=n_rows == 0)
                raise FormatError(f"{error}{look}") from None
            result, n_bad = None, n_bad + 1
        n_rows += 1
        if result is not None:
            parsed.append(result)
    if n_bad:
        _warn(f"{path}: {n_bad} bad lines were skipped.")
    return parsed


def has_titles(fields: Sequence[str], titles: Sequence[str]) -> bool:
    """Return whether a row is a header line with these titles, and perhaps others."""
    return bool(titles) and set(titles) <= set(fields) and len(set(fields)) == len(fields)


def parse_score(row: TableRow, text: str, *, column: str) -> float | None:
    """Return the number in a column of a row; None if the first row has a title there."""
    try:
        score = float(text)
    except ValueError:
        if row.is_first:
            return None
        score = math.nan
    if not math.isfinite(score):
        raise FormatError(f"{row.place}: expected a score in the {column} column, got {text!r}.")
    return score


def is_comment(line: str) -> bool:
    """Return whether a line is a comment: ``#`` and a space, or only ``#``; ``#`` and a tab begin a pair."""
    return line.startswith("# ") or not line.strip("# ")


def _read_lines(path: Path, encoding: str | None, *, keep_returns: bool) -> list[str]:
    counts: dict[str, Any] = {}
    lines = read_lines(path, most=TABLE_LINES, keep_returns=keep_returns, encoding=encoding)
    decoded = decode_words(lines, counts)
    if counts:
        bad = b"\n".join(line for line, text in zip(lines, decoded, strict=True) if "\ufffd" in text)
        look = describe_encoding(bad, path)
        _warn(f"{path}: {counts['replaced_words']} lines were not UTF-8; their bad bytes were replaced.{look}")
    return decoded


def _split_spaces(line: str, columns: int) -> list[str]:
    """Split a line at tabs or, if there are too few, at any spaces; empty fields at the end are dropped."""
    line = line.rstrip(" \t")
    if line.count("\t") < columns - 1:
        return _SPACES.split(line.lstrip(" \t"))
    return line.split("\t")


def _split_commas(line: str, following: Iterator[tuple[int, str]], place: str) -> list[str]:
    """Split a line at commas, including the following lines that its quoted fields extend to."""
    lines = chain([line], (line for _, line in following))
    try:
        return next(csv.reader((f"{line}\n" for line in lines), strict=True))
    except csv.Error as error:
        raise FormatError(f"{place}: not comma-separated values ({error}).") from None


def _warn(message: str) -> None:
    warnings.warn(message, IsoalignWarning, stacklevel=4)
