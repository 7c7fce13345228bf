"""Append-only outputs: a partial file with a journal, until all rows are written."""

import os
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, BinaryIO

from isoalign.io import Journal, check_place, partial_path
from isoalign.migration._stores._base import AbstractSink, Chunk

__all__ = ["AppendingSink"]

_SETTLE_BYTES = 1 << 26  # bytes after which they are sent to the disk and recorded, while more are written
_PIECE_BYTES = 1 << 20  # larger writes, or ones across these boundaries, take the kernel up to twice the time


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
        self._end = self._requested = self._file.tell()
        self._disk = ThreadPoolExecutor(1)
        self._settling: Future[None] | None = None

    def write(self, chunk: Chunk) -> None:
        """Append rows."""
        rows, place = memoryview(self._encode(chunk)).cast("B"), self._end
        while rows:
            size = _PIECE_BYTES - place % _PIECE_BYTES
            self._file.write(rows[:size])
            rows, place = rows[size:], place + size
        self._file.flush()
        self.done, self._end = self.done + len(chunk.vectors), self._file.tell()
        if self._end - self._requested >= _SETTLE_BYTES and (self._settling is None or self._settling.done()):
            self._wait()
            self._requested = self._end
            self._settling = self._disk.submit(self._settle, self.done, self._requested)

    def _settle(self, rows: int, size: int) -> None:
        """Record rows once they are on the disk."""
        os.fsync(self._file.fileno())
        self._journal.write(rows=rows, bytes=size)

    def _wait(self) -> None:
        """Wait for the disk, and raise what went wrong there."""
        if self._settling is not None:
            settling, self._settling = self._settling, None
            settling.result()

    def finish(self) -> None:
        """Give the file its name."""
        self._wait()
        os.fsync(self._file.fileno())
        self._file.close()
        partial_path(self._path).replace(self._path)
        self._journal.remove()

    def close(self) -> None:
        """Record complete chunks and leave them for the next attempt."""
        self._disk.shutdown()
        if not self._file.closed:
            with self._file:
                self._settle(self.done, self._end)
