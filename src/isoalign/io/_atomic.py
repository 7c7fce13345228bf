"""Write files and folders so that a reader sees the old one or the new one, never half of one."""

import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from isoalign._types import PathName
from isoalign.errors import FileAccessError, OutputExistsError

__all__ = ["replacing_file", "replacing_folder"]


@contextmanager
def replacing_file(path: PathName, *, overwrite: bool = True) -> Iterator[Path]:
    """Give a temporary name beside ``path``; on success it becomes ``path``, on failure it is removed.

    A link stays a link: the file that it leads to is replaced. A device or a pipe is written directly.
    """
    path = Path(path)
    with _readable_failures(path):
        mode = _check_place(path, overwrite=overwrite)
        if mode is not None and stat.S_ISDIR(mode):
            raise FileAccessError(f"{path}: is a folder. Name a file.")
        if mode is not None and not stat.S_ISREG(mode):
            yield path
            return
        place = path.resolve()
        handle, name = tempfile.mkstemp(dir=place.parent, prefix=_prefix(place), suffix=".part")
        os.close(handle)
        temporary = Path(name)
        try:
            yield temporary
            _settle_file(temporary)
            temporary.chmod(_new_mode(0o666) if mode is None else stat.S_IMODE(mode))
            temporary.replace(place)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise


@contextmanager
def replacing_folder(path: PathName, *, overwrite: bool = True) -> Iterator[Path]:
    """Give a temporary folder beside ``path``; on success it becomes ``path``, on failure it is removed."""
    path = Path(path)
    with _readable_failures(path):
        mode = _check_place(path, overwrite=overwrite)
        if mode is not None and not stat.S_ISDIR(mode):
            raise FileAccessError(f"{path}: is a file. Name a folder.")
        place = path.resolve()
        temporary = Path(tempfile.mkdtemp(dir=place.parent, prefix=_prefix(place), suffix=".part"))
        try:
            yield temporary
            for file in temporary.rglob("*"):
                if file.is_file():
                    _settle_file(file)
            temporary.chmod(_new_mode(0o777) if mode is None else stat.S_IMODE(mode))
            _swap_folders(temporary, place)
        except BaseException:
            shutil.rmtree(temporary, ignore_errors=True)
            raise


def _swap_folders(new: Path, path: Path) -> None:
    """Put ``new`` in the place of ``path``; an existing folder is moved aside first and removed last."""
    if not path.exists():
        new.replace(path)
        return
    aside = Path(tempfile.mkdtemp(dir=path.parent, prefix=_prefix(path), suffix=".old"))
    old = aside / "old"
    try:
        path.replace(old)
        new.replace(path)
    except BaseException:
        if old.exists():
            old.replace(path)
        raise
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def _check_place(path: Path, *, overwrite: bool) -> int | None:
    """Return the mode of what is there, or None where nothing is; refuse a place that cannot be written to."""
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        if not path.parent.is_dir():
            raise FileAccessError(f"{path}: there is no folder {path.parent}. Make it first.") from None
        return None
    if not overwrite and (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise OutputExistsError(f"{path}: exists already. Choose another name or allow overwriting (--force).")
    return mode


def _prefix(path: Path) -> str:
    """Begin a temporary name: hidden, and short enough for any file system."""
    return f".{path.name[:32]}."


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


def _new_mode(mode: int) -> int:
    """Return the permissions that ``open`` and ``mkdir`` would have given."""
    mask = os.umask(0)
    os.umask(mask)
    return mode & ~mask
