"""An append-only file of records that stays valid if the process is killed at any moment."""

import json
import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Self

from isoalign._core.types import PathName
from isoalign.errors import FileAccessError, FormatError, MissingFileError
from isoalign.experiments._record_checks import check_record
from isoalign.experiments._records import Record
from isoalign.io._lock import locked

__all__ = ["Store", "load_records"]

_RECORDS, _LOCK, _SPOOLS = "records.jsonl", "records.lock", "spools"


class Store:
    """Store records in the file ``records.jsonl`` of a folder, one per line, with unique keys.

    A record is appended by a single call and then flushed to disk. A line truncated by a crash is ignored by readers
    and removed by the next writer. Only one store per folder can be open: another process waits until the first has
    ended, however it ends. Use it in a ``with`` block.

    Parameters
    ----------
    folder
        Results folder; created if necessary.
    """

    def __init__(self, folder: PathName) -> None:
        self.folder = Path(folder).resolve()  # workers may have another working directory
        self.path = self.folder / _RECORDS
        self.records: dict[str, Record] = {}
        self._handle = -1
        self._closing = ExitStack()

    @property
    def spools(self) -> Path:
        """The folder for spools."""
        return self.folder / _SPOOLS

    def __enter__(self) -> Self:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise FileAccessError(f"{self.folder}: cannot create the folder: {error.strerror}.") from error
        present = {path.name for path in self.folder.iterdir()}
        if present and not present & {_RECORDS, _LOCK, _SPOOLS}:
            raise FileAccessError(f"{self.folder}: contains other files and no results. Choose a new folder.")
        with ExitStack() as opening:
            opening.enter_context(locked(self.folder / _LOCK))
            self._handle = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
            opening.callback(os.close, self._handle)
            content = _whole_lines(self.path)
            os.ftruncate(self._handle, len(content))
            self.records = {record.key: record for record in _parse(content, self.path)}
            self._closing = opening.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.close()

    def append(self, record: Record) -> bool:
        """Write a record, unless its key exists; return whether it was written."""
        if record.key in self.records:
            return False
        line = (json.dumps(record.to_dict(), ensure_ascii=False) + "\n").encode()
        try:
            is_whole = os.write(self._handle, line) == len(line)
            os.fsync(self._handle)
        except OSError as error:
            raise FileAccessError(
                f"{self.path}: cannot write: {error.strerror}. Run the same command again to continue."
            ) from error
        if not is_whole:
            raise FileAccessError(f"{self.path}: the disk is full. Free some space and start again.")
        self.records[record.key] = record
        return True


def load_records(path: PathName) -> list[Record]:
    """Read the records of a results folder, in the order in which they were finished.

    Of records of the same cell (from another version, or from data that changed) only the last is returned.

    Parameters
    ----------
    path
        Results folder of a sweep, or its ``records.jsonl``.
    """
    path = Path(path)
    file = path / _RECORDS if path.is_dir() else path
    if not file.is_file():
        raise MissingFileError(f"{file}: there is no such file. Give a folder written by isoalign sweep.")
    last = {record.cell: record for record in _parse(_whole_lines(file), file)}
    return list(last.values())


def _whole_lines(path: Path) -> bytes:
    """Read a file up to its last line end."""
    content = path.read_bytes()
    return content[: content.rfind(b"\n") + 1]


def _parse(content: bytes, path: Path) -> Iterator[Record]:
    for number, line in enumerate(content.split(b"\n")[:-1], 1):
        try:
            record = Record.from_dict(json.loads(line))
            check_record(record)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise FormatError(f"{path}:{number}: not a record ({error}). Remove that line.") from error
        yield record
