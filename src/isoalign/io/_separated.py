"""Write tables: comma-separated values if the name ends in ``.csv``, else tab-separated values."""

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path

from isoalign._core.types import PathName
from isoalign.io._atomic import replacing_file
from isoalign.io._compression import bare_name, create_binary

__all__ = ["format_csv", "is_csv", "write_rows"]


def is_csv(path: PathName) -> bool:
    """Return whether the name of a file, compressed or not, ends in ``.csv``."""
    return Path(bare_name(path)).suffix.lower() == ".csv"


def format_csv(rows: Iterable[Sequence[str]]) -> str:
    r"""Return rows as comma-separated values, which a CSV reader reads back exactly.

    >>> format_csv([["source", "target"], ["New York, NY", "紐育"]])
    'source,target\n"New York, NY",紐育\n'
    """
    rows = list(rows)
    # The standard writer does not quote a carriage return that is not part of its line end.
    has_returns = any("\r" in field for row in rows for field in row)
    out = io.StringIO()
    csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_ALL if has_returns else csv.QUOTE_MINIMAL).writerows(rows)
    return out.getvalue()


def write_rows(rows: Iterable[Sequence[str]], path: PathName, *, overwrite: bool = True) -> None:
    """Write rows to a file, compressed according to its name.

    In tab-separated files, tabs and line ends inside a field are replaced by spaces, since they would shift columns.
    """
    if is_csv(path):
        text = format_csv(rows)
    else:
        text = "".join("\t".join(field.replace("\t", " ").replace("\n", " ") for field in row) + "\n" for row in rows)
    with replacing_file(path, overwrite=overwrite) as temporary, create_binary(temporary, named=path) as file:
        file.write(text.encode())
