"""Read word counts."""

import math

from isoalign._core.types import PathName
from isoalign.errors import FormatError
from isoalign.io._tables import TableRow, read_table

__all__ = ["read_counts"]


def read_counts(path: PathName) -> dict[str, float]:
    """Read words and their counts, one pair per line, separated by a tab, spaces or a comma (``.csv``).

    The counts of duplicate words are added.
    """
    counts: dict[str, float] = {}
    for word, count in read_table(path, _parse_count, columns=2, titles=("word", "count")):
        counts[word] = counts.get(word, 0.0) + count
    if not counts:
        raise FormatError(f"{path}: contains no word counts.")
    return counts


def _parse_count(row: TableRow) -> tuple[str, float]:
    try:
        count = float(row.fields[1])
    except ValueError:
        count = math.nan
    if len(row.fields) != 2 or not 0 < count < math.inf:
        raise FormatError(f"{row.place}: expected a word and a positive count, got {row.fields!r:.80}.")
    return row.fields[0], count
