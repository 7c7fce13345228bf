"""Let ``-`` stand for standard input and standard output."""

import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["readable_path", "writable_path"]


@contextmanager
def readable_path(path: Path) -> Iterator[Path]:
    """Give the path itself, or for ``-`` a temporary file with all of standard input."""
    if str(path) != "-":
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="isoalign-") as folder:
        spool = Path(folder) / "stdin"
        with spool.open("wb") as file:
            shutil.copyfileobj(sys.stdin.buffer, file)
        yield spool


@contextmanager
def writable_path(path: Path, *, suffix: str) -> Iterator[Path]:
    """Give the path itself, or for ``-`` a temporary file that goes to standard output afterwards."""
    if str(path) != "-":
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="isoalign-") as folder:
        spool = Path(folder) / f"stdout{suffix}"
        yield spool
        with spool.open("rb") as file:
            shutil.copyfileobj(file, sys.stdout.buffer)
