"""Write files and folders so that a reader sees the old one or the new one, never half of one."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from isoalign._types import PathName
from isoalign.errors import FileAccessError, OutputExistsError

__all__ = ["replacing_file", "replacing_folder"]


@contextmanager
def replacing_file(path: PathName, *, overwrite: bool = True) -> Iterator[Path]:
    """Give a temporary name beside ``path``; on success it becomes ``path``, on failure it is removed."""
    path = Path(path)
    _check_place(path, overwrite=overwrite)
    if path.is_dir():
        raise FileAccessError(f"{path}: is a folder. Name a file.")
    with _readable_failures(path):
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
        os.close(handle)
        temporary = Path(name)
        try:
            yield temporary
            _settle_file(temporary)
            temporary.chmod(_new_file_mode(0o666))
            temporary.replace(path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise


@contextmanager
def replacing_folder(path: PathName, *, overwrite: bool = True) -> Iterator[Path]:
    """Give a temporary folder beside ``path``; on success it becomes ``path``, on failure it is removed."""
    path = Path(path)
    _check_place(path, overwrite=overwrite)
    if path.exists() and not path.is_dir():
        raise FileAccessError(f"{path}: is a file. Name a folder.")
    with _readable_failures(path):
        temporary = Path(tempfile.mkdtemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part"))
        try:
            yield temporary
            for file in temporary.rglob("*"):
                if file.is_file():
                    _settle_file(file)
            temporary.chmod(_new_file_mode(0o777))
            _swap_folders(temporary, path)
        except BaseException:
            shutil.rmtree(temporary, ignore_errors=True)
            raise


def _swap_folders(new: Path, path: Path) -> None:
    """Put ``new`` in the place of ``path``; an existing folder is moved aside first and removed last."""
    if not path.exists():
        new.replace(path)
        return
    aside = Path(tempfile.mkdtemp(dir=path.parent, prefix=f".{path.name}.", suffix=".old"))
    path.replace(aside)
    try:
        new.replace(path)
    except OSError:
        aside.replace(path)
        raise
    shutil.rmtree(aside, ignore_errors=True)


def _check_place(path: Path, *, overwrite: bool) -> None:
    if path.exists() and not overwrite:
        raise OutputExistsError(f"{path}: exists already. Choose another name or allow overwriting (--force).")
    if not path.parent.is_dir():
        raise FileAccessError(f"{path}: there is no folder {path.parent}. Make it first.")


@contextmanager
def _readable_failures(path: Path) -> Iterator[None]:
    """Turn the system's errors while writing into one line that names the output."""
    try:
        yield
    except FileAccessError:
        raise
    except OSError as error:
        raise FileAccessError(f"{path}: cannot write: {error.strerror or error}. Nothing was changed.") from error


def _settle_file(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())


def _new_file_mode(mode: int) -> int:
    """Return the permissions that ``open`` and ``mkdir`` would have given."""
    mask = os.umask(0)
    os.umask(mask)
    return mode & ~mask
