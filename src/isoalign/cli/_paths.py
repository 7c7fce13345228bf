"""Let ``-`` stand for standard input and standard output, and let a pipe be read like a file."""

import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from isoalign.cli._terminal import escape_controls
from isoalign.errors import IsoalignError, ParameterError

__all__ = ["check_output", "readable_path", "writable_path"]


@contextmanager
def readable_path(path: Path) -> Iterator[Path]:
    """Give the path itself; for ``-``, or a pipe or device, a temporary file with all that comes from it."""
    if str(path) != "-" and (path.is_file() or path.is_dir() or not path.exists()):
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="isoalign-") as folder:
        spool = Path(folder) / "stdin"
        with spool.open("wb") as file:
            if str(path) == "-":
                shutil.copyfileobj(sys.stdin.buffer, file)
            else:
                with path.open("rb") as pipe:
                    shutil.copyfileobj(pipe, file)
        try:
            yield spool
        except IsoalignError as error:
            error.args = (str(error).replace(str(spool), str(path)),)
            raise


@contextmanager
def writable_path(path: Path, *, suffix: str) -> Iterator[Path]:
    """Give the path itself, or for ``-`` a temporary file that goes to standard output afterwards."""
    if str(path) != "-":
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="isoalign-") as folder:
        spool = Path(folder) / f"stdout{suffix}"
        yield spool
        if spool.is_dir() or len(list(spool.parent.iterdir())) > 1:
            raise ParameterError("Standard output takes one file, but this format is several. Name a place for them.")
        if sys.stdout.isatty():
            with spool.open(encoding="utf-8", errors="replace") as lines:
                sys.stdout.writelines(map(escape_controls, lines))
            return
        with spool.open("rb") as file:
            shutil.copyfileobj(file, sys.stdout.buffer)


def check_output(path: Path | None, *, force: bool, folder: bool = False) -> None:
    """Refuse an output that could not be written, before anything costly is done for it."""
    from isoalign.io import check_place

    if path is not None and str(path) != "-":
        check_place(path, overwrite=force, folder=folder)
