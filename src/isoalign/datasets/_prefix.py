"""The first rows of a ``.vec`` file: detect when they are downloaded, and write them as a file."""

import zlib
from pathlib import Path

from isoalign.errors import FormatError, ParameterError
from isoalign.io import open_binary
from isoalign.io._bounds import LINE_BYTES

__all__ = ["RowCounter", "prefix_name", "write_prefix"]

_GZIP = 16 + zlib.MAX_WBITS


def prefix_name(name: str, rows: int) -> str:
    """Return the file name for the first rows of a file.

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
    """Count the rows of a ``.vec`` file while it is downloaded.

    Parameters
    ----------
    rows
        Number of rows to wait for, not counting the header line.
    compressed
        Whether the file is compressed with gzip.
    """

    def __init__(self, rows: int, *, compressed: bool) -> None:
        self._missing = rows + 1
        self._compressed = compressed
        self._gunzip = zlib.decompressobj(_GZIP)

    def __call__(self, chunk: bytes) -> bool:
        """Process the next bytes and return whether all rows are complete."""
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
    """Write the first rows of a ``.vec`` file, or all if it has fewer, with a matching header.

    Parameters
    ----------
    source
        Input file, which may be compressed, and truncated anywhere after these rows.
    target
        Output file.
    rows
        Number of rows.
    """
    with open_binary(source) as lines, target.open("wb") as file:
        n_rows, dim = _parse_header(source, lines.readline(LINE_BYTES))
        count = min(rows, n_rows)
        file.write(b"%d %d\n" % (count, dim))
        for row in range(count):
            line = lines.readline(LINE_BYTES)
            if len(line) == LINE_BYTES:
                raise FormatError(f"{source}: a line does not end within {LINE_BYTES:,} bytes. Is it a .vec file?")
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
