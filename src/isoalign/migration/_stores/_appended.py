"""Append-only outputs: a partial file with a journal, until all rows are written."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

from isoalign.io import Journal, check_place, partial_path
from isoalign.migration._stores._base import AbstractSink, Chunk

__all__ = ["AppendingSink"]

_SETTLE_BYTES = 1 << 28  # bytes after which the journal is updated; waiting for the disk more often costs speed


class AppendingSink(AbstractSink):
    """Append rows to a file.

    Parameters
    ----------
    path
        The output, which appears when all rows are there.
    key
        What the output is made from; see `Journal`.
    header
        First bytes of the file.
    encode
        Turns a chunk into bytes, or an array whose memory is written.
    overwrite
        Whether an existing output may be replaced.
    """

    def __init__(self, path: Path, *, key: str, header: bytes, encode: Callable[[Chunk], Any], overwrite: bool) -> None:
        check_place(path, overwrite=overwrite)
        self._path, self._encode, self._journal = path, encode, Journal(path, key)
        partial = partial_path(path)
        found = self._journal.read()
        if found is not None and partial.is_file() and partial.stat().st_size >= found["bytes"]:
            self.done = int(found["rows"])
            self._file: BinaryIO = partial.open("r+b")
            self._file.truncate(found["bytes"])
            self._file.seek(found["bytes"])
        else:
            self.done = 0
            self._file = partial.open("wb")
            self._file.write(header)
        self._settled = self._file.tell()

    def write(self, chunk: Chunk) -> None:
        """Append rows."""
        self._file.write(self._encode(chunk))
        self.done += len(chunk.vectors)
        if self._file.tell() - self._settled >= _SETTLE_BYTES:
            self._settle()
            self._journal.write(rows=self.done, bytes=self._settled)

    def _settle(self) -> None:
        self._file.flush()
        os.fsync(self._file.fileno())
        self._settled = self._file.tell()

    def finish(self) -> None:
        """Give the file its name."""
        self._settle()
        self._file.close()
        partial_path(self._path).replace(self._path)
        self._journal.remove()

    def close(self) -> None:
        """Record what is there and leave it for the next attempt."""
        if not self._file.closed:
            self._settle()
            self._journal.write(rows=self.done, bytes=self._settled)
            self._file.close()
