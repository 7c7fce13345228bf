"""The first rows of a ``.vec`` file: know when they have arrived, and make a proper file of them."""

import zlib
from pathlib import Path

from isoalign.errors import FormatError, ParameterError
from isoalign.io import open_binary

__all__ = ["RowCounter", "prefix_name", "write_prefix"]

_GZIP = 16 + zlib.MAX_WBITS


def prefix_name(name: str, rows: int) -> str:
    """Return the name under which the first rows of a file are kept.

    >>> prefix_name("cc.en.300.vec.gz", 1000)
    'cc.en.300.first-1000.vec'
    """
    stem, dot, _ = name.partition(".vec")
    if not dot:
        raise ParameterError(f"only_first takes rows of .vec files. Got {name}.")
    if rows < 1:
        raise ParameterError(f"only_first must be at least 1. Got {rows}.")
    return f"{stem}.first-{rows}.vec"


class RowCounter:
    """Count the rows of a ``.vec`` file while its bytes pass.

    Parameters
    ----------
    rows
        How many to wait for, besides the header line.
    compressed
        Whether the bytes are gzip's.
    """

    def __init__(self, rows: int, *, compressed: bool) -> None:
        self._missing = rows + 1
        self._compressed = compressed
        self._gunzip = zlib.decompressobj(_GZIP)

    def __call__(self, chunk: bytes) -> bool:
        """Take further bytes and tell whether they complete the rows."""
        self._missing -= self._count_gzip(chunk) if self._compressed else chunk.count(b"\n")
        return self._missing <= 0

    def _count_gzip(self, chunk: bytes) -> int:
        lines = 0
        try:
            while chunk:
                lines += self._gunzip.decompress(chunk).count(b"\n")
                chunk = self._gunzip.unused_data
                if self._gunzip.eof:
                    self._gunzip = zlib.decompressobj(_GZIP)
        except zlib.error as error:
            raise FormatError(
                f"The bytes that arrive are not gzip ({error}). Does the address hold a web page?"
            ) from error
        return lines


def write_prefix(source: Path, target: Path, rows: int) -> None:
    """Write the first rows of a ``.vec`` file, all of them if it has fewer, under a header with their number.

    Parameters
    ----------
    source
        May be compressed, and cut off anywhere behind those rows.
    """
    with open_binary(source) as lines, target.open("wb") as file:
        n_rows, dim = _parse_header(source, lines.readline())
        count = min(rows, n_rows)
        file.write(b"%d %d\n" % (count, dim))
        for row in range(count):
            line = lines.readline()
            if not line:
                raise FormatError(f"{source}: its header says {n_rows} rows, but it ends after {row}. Is it cut off?")
            file.write(line if line.endswith(b"\n") else line + b"\n")


def _parse_header(path: Path, line: bytes) -> tuple[int, int]:
    fields = line.split()
    if len(fields) != 2 or not all(field.isdigit() for field in fields):
        raise FormatError(
            f"{path}:1: only_first needs a header with the numbers of rows and columns. Got {line[:60]!r}."
        )
    return int(fields[0]), int(fields[1])
