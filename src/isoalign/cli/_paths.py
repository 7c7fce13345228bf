"""Support ``-`` for standard input and output, and reading pipes like files."""

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
    """Yield the path itself; for ``-``, a pipe or a device, yield a temporary file with its contents."""
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
    """Yield the path itself; for ``-``, yield a temporary file that is copied to standard output afterwards."""
    if str(path) != "-":
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="isoalign-") as folder:
        spool = Path(folder) / f"stdout{suffix}"
        yield spool
        if spool.is_dir() or len(list(spool.parent.iterdir())) > 1:
            raise ParameterError(
                "Standard output takes a single file, but this format has several. Give an output path."
            )
        if sys.stdout.isatty():
            with spool.open(encoding="utf-8", errors="replace") as lines:
                sys.stdout.writelines(map(escape_controls, lines))
            return
        with spool.open("rb") as file:
            shutil.copyfileobj(file, sys.stdout.buffer)


def check_output(path: Path | None, *, force: bool, folder: bool = False) -> None:
    """Raise an error if an output could not be written, before any expensive computation."""
    from isoalign.io import check_place

    if path is not None and str(path) != "-":
        check_place(path, overwrite=force, folder=folder)
