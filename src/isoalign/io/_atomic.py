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

__all__ = ["check_place", "replacing_file", "replacing_folder", "spool_folder"]

_KIND = b'"kind": "isoalign-'


def check_place(path: PathName, *, overwrite: bool = True, folder: bool = False) -> int | None:
    """Refuse a place that cannot be written to; worth asking before the work whose result will go there.

    Parameters
    ----------
    path
        A file, or a folder of isoalign's own if ``folder``.
    overwrite
        Whether what is there may be replaced.
    folder
        Which of the two.

    Returns
    -------
    int or None
        The mode of what is there, or None where nothing is.
    """
    path = Path(path)
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        if not path.parent.is_dir():
            raise FileAccessError(f"{path}: there is no folder {path.parent}. Make it first.") from None
        if not os.access(path.parent, os.W_OK):
            raise FileAccessError(f"{path}: cannot write into {path.parent}: permission denied.") from None
        return None
    if folder is not stat.S_ISDIR(mode):
        raise FileAccessError(
            f"{path}: is a {'file' if folder else 'folder'}. Name a {'folder' if folder else 'file'}."
        )
    if not overwrite and (folder or stat.S_ISREG(mode)):
        raise OutputExistsError(f"{path}: exists already. Choose another name or allow overwriting (--force).")
    if folder and not _is_ours(path):
        raise OutputExistsError(
            f"{path}: holds files that isoalign did not write, and they would be lost. Name another folder."
        )
    return mode


@contextmanager
def replacing_file(path: PathName, *, overwrite: bool = True) -> Iterator[Path]:
    """Give a temporary name beside ``path``; on success it becomes ``path``, on failure it is removed.

    A link stays a link: the file that it leads to is replaced. A device or a pipe is written directly.
    """
    path = Path(path)
    with _readable_failures(path):
        mode = check_place(path, overwrite=overwrite)
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
    """Give a temporary folder beside ``path``; on success it becomes ``path``, on failure it is removed.

    An existing folder is replaced only if it is empty or one that isoalign wrote, known by the ``kind`` in its JSON.
    """
    path = Path(path)
    with _readable_failures(path):
        mode = check_place(path, overwrite=overwrite, folder=True)
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


@contextmanager
def spool_folder(*, beside: Path) -> Iterator[Path]:
    """Give a temporary folder on the disk of the output; for a device or a pipe, among the system's temporary files."""
    keeps_files = beside.is_file() or not beside.exists()
    parent = beside.resolve().parent if keeps_files else None
    with tempfile.TemporaryDirectory(dir=parent, prefix=_prefix(beside), suffix=".spool") as folder:
        yield Path(folder)


def _is_ours(folder: Path) -> bool:
    """Tell whether a folder is empty or described by JSON that isoalign wrote, which begins with its kind."""
    entries = list(folder.iterdir())
    return not entries or any(_names_its_kind(entry) for entry in entries if entry.suffix == ".json")


def _names_its_kind(file: Path) -> bool:
    if not file.is_file():
        return False
    with file.open("rb") as description:
        return _KIND in description.read(64)


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
            old.replace(path)  # should this fail too, the old folder is kept where it is
        aside.rmdir()
        raise
    shutil.rmtree(aside, ignore_errors=True)


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
