"""Write files and folders atomically, so that a reader sees the old or the new one, never an incomplete one."""

import errno
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from isoalign._core.threads import map_threads
from isoalign._core.types import PathName
from isoalign.errors import FileAccessError, OutputExistsError
from isoalign.io._exchange import exchange
from isoalign.io._leftovers import make_temporary, recover_folder, remove_leftovers

__all__ = [
    "check_place",
    "force_to_disk",
    "place_folder",
    "readable_failures",
    "replacing_file",
    "replacing_folder",
    "spool_folder",
]

_KIND = b'"kind": "isoalign-'
_SUFFIXES = {".json", ".safetensors"}  # of all files that isoalign writes into its folders
_NO_SYNC = {errno.EINVAL, errno.ENOTSUP, errno.EBADF}  # errors of file systems that cannot flush names to disk


def check_place(path: PathName, *, overwrite: bool = True, folder: bool = False) -> int | None:
    """Raise an error if an output cannot be written; call this before expensive work.

    Parameters
    ----------
    path
        A file, or a folder of isoalign if ``folder``.
    overwrite
        Whether an existing output may be replaced.
    folder
        Whether ``path`` is a folder.

    Returns
    -------
    int or None
        The mode of the existing output, or None if there is none.
    """
    path = Path(path)
    try:
        recover_folder(path)
        mode = path.stat().st_mode
    except FileNotFoundError:
        if not path.parent.is_dir():
            raise FileAccessError(f"{path}: there is no folder {path.parent}. Create it first.") from None
        if not os.access(path.parent, os.W_OK):
            raise FileAccessError(f"{path}: cannot write into {path.parent}: permission denied.") from None
        return None
    except ValueError:
        raise FileAccessError(f"{str(path)!r}: a name must not contain a NUL character.") from None
    if folder is not stat.S_ISDIR(mode):
        raise FileAccessError(
            f"{path}: is a {'file' if folder else 'folder'}. Give a {'folder' if folder else 'file'}."
        )
    if not overwrite and (folder or stat.S_ISREG(mode)):
        raise OutputExistsError(f"{path}: exists already. Choose another name, or pass overwrite=True.")
    if folder and not _is_ours(path):
        raise OutputExistsError(
            f"{path}: contains files that isoalign did not write, which would be lost. Choose another folder."
        )
    return mode


@contextmanager
def replacing_file(path: PathName, *, overwrite: bool = True) -> Iterator[Path]:
    """Yield a temporary name next to ``path``; on success it becomes ``path``, on failure it is removed.

    If ``path`` is a link, the file it points to is replaced. A device or a pipe is written directly.
    """
    path = Path(path)
    with readable_failures(path):
        mode = check_place(path, overwrite=overwrite)
        if mode is not None and not stat.S_ISREG(mode):
            yield path
            return
        place = path.resolve()
        remove_leftovers(place)
        with make_temporary(place, ".part", folder=False) as temporary:
            try:
                yield temporary
                force_to_disk(temporary)
                temporary.chmod(_new_mode(0o666) if mode is None else stat.S_IMODE(mode))
                temporary.replace(place)
            except BaseException:
                temporary.unlink(missing_ok=True)
                raise
        _sync_parent(place)


@contextmanager
def replacing_folder(path: PathName, *, overwrite: bool = True) -> Iterator[Path]:
    """Yield a temporary folder next to ``path``; on success it becomes ``path``, on failure it is removed.

    An existing folder is replaced only if it is empty or isoalign wrote all its files. The old and the new folder are
    exchanged atomically if the system supports it; otherwise the old one is moved aside first, and if the process
    crashes in between, it is restored when the folder is next opened.
    """
    path = Path(path)
    with readable_failures(path):
        mode = check_place(path, overwrite=overwrite, folder=True)
        place = path.resolve()
        remove_leftovers(place)
        with make_temporary(place, ".part", folder=True) as temporary:
            try:
                yield temporary
                map_threads(force_to_disk, temporary.rglob("*"))
                temporary.chmod(_new_mode(0o777) if mode is None else stat.S_IMODE(mode))
                force_to_disk(temporary)
                _take_place(temporary, place)
            finally:
                shutil.rmtree(temporary, ignore_errors=True)  # the failed output, or the old folder
        _sync_parent(place)


@contextmanager
def spool_folder(*, beside: Path) -> Iterator[Path]:
    """Yield a temporary folder on the disk of the output; for a device or a pipe, in the system's temporary folder."""
    if beside.exists() and not beside.is_file():
        with tempfile.TemporaryDirectory(suffix=".spool") as folder:
            yield Path(folder)
        return
    place = beside.resolve()
    remove_leftovers(place)
    with make_temporary(place, ".spool", folder=True) as spool:
        try:
            yield spool
        finally:
            shutil.rmtree(spool, ignore_errors=True)


def place_folder(folder: Path, place: Path) -> None:
    """Give a finished folder its name and remove the previous one."""
    force_to_disk(folder)
    _take_place(folder, place.resolve())
    shutil.rmtree(folder, ignore_errors=True)
    _sync_parent(place)


def _is_ours(folder: Path) -> bool:
    """Return whether a folder is empty, or has a description by isoalign and no unrelated files."""
    entries = list(folder.rglob("*"))
    described = any(_names_its_kind(entry) for entry in entries if entry.parent == folder and entry.suffix == ".json")
    return not entries or (described and all(entry.suffix in _SUFFIXES or entry.is_dir() for entry in entries))


def _names_its_kind(file: Path) -> bool:
    if not file.is_file():
        return False
    with file.open("rb") as description:
        return _KIND in description.read(64)


def _take_place(new: Path, place: Path) -> None:
    """Move ``new`` to ``place``; the previous folder then has the other name, or is gone."""
    if not place.exists():
        new.replace(place)
    elif not exchange(new, place):
        _swap_folders(new, place)


def _swap_folders(new: Path, place: Path) -> None:
    """Move the folder at ``place`` aside, then ``new`` to its place."""
    with make_temporary(place, ".old", folder=True) as aside:
        old = aside / place.name
        try:
            place.replace(old)
            new.replace(place)
        except BaseException:
            if old.exists():
                old.replace(place)  # if this fails too, the old folder stays where it is
            aside.rmdir()
            raise
        shutil.rmtree(aside, ignore_errors=True)


@contextmanager
def readable_failures(path: Path) -> Iterator[None]:
    """Convert system errors while writing to one line that names the output."""
    try:
        yield
    except FileAccessError:
        raise
    except OSError as error:
        raise FileAccessError(f"{path}: cannot write: {error.strerror or error}. Nothing was changed.") from error


def _sync_parent(place: Path) -> None:
    """Flush a new name to disk."""
    try:
        force_to_disk(place.parent)
    except OSError as error:
        raise FileAccessError(
            f"{place}: was written, but its name could not be flushed to disk: {error.strerror or error}."
        ) from error


def force_to_disk(path: Path) -> None:
    """Flush the contents of a file, or the names in a folder, to disk."""
    if path.is_dir() and os.name == "nt":  # where folders cannot be opened
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in _NO_SYNC or not path.is_dir():
            raise
    finally:
        os.close(handle)


def _new_mode(mode: int) -> int:
    """Return the permissions that ``open`` and ``mkdir`` would have given."""
    mask = os.umask(0)
    os.umask(mask)
    return mode & ~mask
