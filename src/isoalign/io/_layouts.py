"""Examine a table that could not be read, and suggest what to do."""

import re
import shlex
from collections.abc import Sequence
from pathlib import Path

from isoalign.errors import FileAccessError

__all__ = ["describe_header", "describe_layout", "refuse_folder"]

_SEPARATORS = {";": "';'", "|": "'|'", "=": "'='", ",": "commas"}
_TITLES = frozenset(
    re.findall(
        r"\w+",
        """
        source target src tgt trg word words translation translations term lemma language arabic chinese czech danish
        dutch english finnish french german greek hebrew hindi hungarian indonesian italian japanese korean norwegian
        persian polish portuguese romanian russian spanish swedish thai turkish ukrainian vietnamese
        """,
    )
)
_MOST_LINES = 1000  # lines examined
_MOST_FILES = 1000  # files of a folder examined


def describe_layout(lines: Sequence[str], path: Path, *, columns: int, commas: bool, is_first: bool) -> str:
    """Return a hint on the layout of a table with a bad line; empty if it is not clear.

    Parameters
    ----------
    columns
        Expected number of columns.
    commas
        Whether it was read as comma-separated values.
    is_first
        Whether the bad line is the first one.
    """
    some = [line for line in lines[:_MOST_LINES] if line.strip(" \t\r")]
    file = shlex.quote(str(path))
    for separator, name in _SEPARATORS.items():
        if (separator != "," or not commas) and sum(line.count(separator) >= columns - 1 for line in some) > 0.9 * len(
            some
        ):
            if separator == ",":
                return f" Its columns seem to be separated by {name}: rename the file to end in .csv."
            return f" Its columns seem to be separated by {name}. Put tabs there: tr {name} '\\t' < {file} > tabs.tsv"
    if is_first and len(some) > 1:
        return (
            " If the first line is a header, name its columns source and target, or remove it: "
            f"tail -n +2 {file} > no-header{path.suffix}"
        )
    return ""


def describe_header(fields: Sequence[str], place: str) -> str:
    """Return a hint if the first line of a table looks like a header; empty if it does not.

    Two different titles, such as ``English`` and ``Japanese``, are never translations of each other.
    """
    titles = {field.lower() for field in fields[:2]}
    if len(titles) < 2 or not titles <= _TITLES:
        return ""
    return (
        f"{place}: {', '.join(fields[:2])!r} looks like a header but is read as a word pair. Remove the line, or name "
        "the columns source and target."
    )


def refuse_folder(path: Path) -> None:
    """Raise an error for a folder in place of a table of words, and suggest a table inside it."""
    if path.is_dir():
        files = [file.name for file, _ in zip(sorted(path.iterdir()), range(_MOST_FILES), strict=False)]
        tables = [name for name in files if Path(name).suffix in (".txt", ".tsv", ".csv", ".dict")]
        inside = f", such as {path / tables[0]}" if tables else ""
        raise FileAccessError(f"{path}: is a folder. Give a file with word pairs{inside}.")
