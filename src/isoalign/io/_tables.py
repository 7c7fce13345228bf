"""Read small tables of words: fields apart by tab, comma or spaces, with blank lines and comments."""

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from isoalign._types import PathName
from isoalign.errors import FormatError
from isoalign.io._compression import bare_name, open_binary

__all__ = ["TableRow", "read_rows"]

_SPACES = re.compile("[ \t]+")


@dataclass(frozen=True)
class TableRow:
    """One line of a table.

    Attributes
    ----------
    line
        Its number, from 1.
    fields
        The columns, without the spaces around them.
    """

    line: int
    fields: list[str]


def read_rows(path: PathName, *, columns: int) -> Iterator[TableRow]:
    """Yield the rows of a table; a file of which every row holds a tab is split at tabs only.

    Lines end only at a line feed and fields only at ASCII separators, since words may contain any other kind of
    space. Lines that begin with ``#`` and a space, and blank lines, are passed over.

    Parameters
    ----------
    columns
        How many fields a row should have. Fewer is an error; more is left to the caller.
    """
    path = Path(path)
    with open_binary(path) as file:
        text = file.read().removeprefix(b"\xef\xbb\xbf").decode(errors="replace")
    lines = [(number, line.removesuffix("\r")) for number, line in enumerate(text.split("\n"), 1)]
    lines = [(number, line) for number, line in lines if line.strip(" \t") and not line.startswith(("# ", "#\t"))]
    comma = Path(bare_name(path)).suffix.lower() == ".csv"
    for number, line in lines:
        if comma:
            fields = next(csv.reader([line]))
        elif line.count("\t") >= columns - 1:
            fields = line.split("\t")
        else:
            fields = _SPACES.split(line.strip(" \t"))
        fields = [field.strip(" \t") for field in fields]
        if len([field for field in fields if field]) < columns:
            raise FormatError(
                f"{path}:{number}: expected {columns} columns, got {line[:60]!r}. Complete or remove the line."
            )
        yield TableRow(number, fields)
