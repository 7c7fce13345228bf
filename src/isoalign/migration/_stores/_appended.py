"""Outputs that grow at their end: a partial file and a journal beside it, until all rows are there."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

from isoalign.io import check_place, replacing_file
from isoalign.migration._stores._base import AbstractSink, Chunk

__all__ = ["AppendingSink", "Journal", "partial_path"]

_SETTLE_BYTES = 1 << 28  # bytes after which the journal is updated; waiting for the disk more often costs speed


def partial_path(path: Path) -> Path:
    """Return the name of an output that is not complete yet."""
    return path.with_name(f".{path.name}.partial")


class Journal:
    """How far an output has come, and what it is made from: another adapter or input begins again."""

    def __init__(self, path: Path, key: str) -> None:
        self._path, self._key = path.with_name(f".{path.name}.journal.json"), key

    def read(self) -> dict[str, Any] | None:
        """Return what the last attempt recorded, or None if there was none or it was for something else."""
        try:
            found = json.loads(self._path.read_bytes())
        except (OSError, ValueError):
            return None
        return found if isinstance(found, dict) and found.get("key") == self._key else None

    def write(self, **progress: Any) -> None:
        """Record how far the output has come."""
        with replacing_file(self._path) as temporary:
            temporary.write_text(json.dumps({"key": self._key, **progress}), encoding="utf-8")

    def remove(self) -> None:
        """Forget the output, once it is complete."""
        self._path.unlink(missing_ok=True)


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
