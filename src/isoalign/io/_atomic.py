"""Write files and folders so that a reader sees the old one or the new one, never half of one."""

import errno
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

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
_SUFFIXES = {".json", ".safetensors"}  # of all that isoalign writes into its folders
_NO_SYNC = {errno.EINVAL, errno.ENOTSUP, errno.EBADF}  # what file systems say that cannot force names to the disk


def check_place(path: PathName, *, overwrite: bool = True, folder: bool = False) -> int | None:
    """Refuse an output that cannot be written; call it before costly work.

    Parameters
    ----------
    path
        A file, or a folder of isoalign's own if ``folder``.
    overwrite
        Whether what is there may be replaced.
    folder
        Whether ``path`` is a folder.

    Returns
    -------
    int or None
        The mode of what is there, or None where nothing is.
    """
    path = Path(path)
    try:
        recover_folder(path)
        mode = path.stat().st_mode
    except FileNotFoundError:
        if not path.parent.is_dir():
            raise FileAccessError(f"{path}: there is no folder {path.parent}. Make it first.") from None
        if not os.access(path.parent, os.W_OK):
            raise FileAccessError(f"{path}: cannot write into {path.parent}: permission denied.") from None
        return None
    except ValueError:
        raise FileAccessError(f"{str(path)!r}: a name must not hold a NUL character.") from None
    if folder is not stat.S_ISDIR(mode):
        raise FileAccessError(
            f"{path}: is a {'file' if folder else 'folder'}. Name a {'folder' if folder else 'file'}."
        )
    if not overwrite and (folder or stat.S_ISREG(mode)):
        raise OutputExistsError(f"{path}: exists already. Choose another name, or pass overwrite=True.")
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
    """Give a temporary folder beside ``path``; on success it becomes ``path``, on failure it is removed.

    An existing folder is replaced only if it is empty or isoalign wrote all that is in it. Old and new change places
    in one step where the system can; elsewhere the old one is moved aside first, and opening the folder after a
    crash in between restores it.
    """
    path = Path(path)
    with readable_failures(path):
        mode = check_place(path, overwrite=overwrite, folder=True)
        place = path.resolve()
        remove_leftovers(place)
        with make_temporary(place, ".part", folder=True) as temporary:
            try:
                yield temporary
                for entry in temporary.rglob("*"):
                    force_to_disk(entry)
                temporary.chmod(_new_mode(0o777) if mode is None else stat.S_IMODE(mode))
                force_to_disk(temporary)
                _take_place(temporary, place)
            finally:
                shutil.rmtree(temporary, ignore_errors=True)  # what failed, or the old folder
        _sync_parent(place)


@contextmanager
def spool_folder(*, beside: Path) -> Iterator[Path]:
    """Give a temporary folder on the disk of the output; for a device or a pipe, among the system's temporary files."""
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
    """Give a finished folder its name; what was there before is removed."""
    force_to_disk(folder)
    _take_place(folder, place.resolve())
    shutil.rmtree(folder, ignore_errors=True)
    _sync_parent(place)


def _is_ours(folder: Path) -> bool:
    """Tell whether a folder is empty, or described by JSON that isoalign wrote and without files of others."""
    entries = list(folder.rglob("*"))
    described = any(_names_its_kind(entry) for entry in entries if entry.parent == folder and entry.suffix == ".json")
    return not entries or (described and all(entry.suffix in _SUFFIXES or entry.is_dir() for entry in entries))


def _names_its_kind(file: Path) -> bool:
    if not file.is_file():
        return False
    with file.open("rb") as description:
        return _KIND in description.read(64)


def _take_place(new: Path, place: Path) -> None:
    """Put ``new`` in the place of ``place``; what was there has the other name afterwards, or is gone."""
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
                old.replace(place)  # should this fail too, the old folder is kept where it is
            aside.rmdir()
            raise
        shutil.rmtree(aside, ignore_errors=True)


@contextmanager
def readable_failures(path: Path) -> Iterator[None]:
    """Turn the system's errors while writing into one line that names the output."""
    try:
        yield
    except FileAccessError:
        raise
    except OSError as error:
        raise FileAccessError(f"{path}: cannot write: {error.strerror or error}. Nothing was changed.") from error


def _sync_parent(place: Path) -> None:
    """Force a new name to the disk."""
    try:
        force_to_disk(place.parent)
    except OSError as error:
        raise FileAccessError(
            f"{place}: is written, but the disk does not confirm its name: {error.strerror or error}."
        ) from error


def force_to_disk(path: Path) -> None:
    """Force the bytes of a file, or the names in a folder, to the disk."""
    if path.is_dir() and os.name == "nt":  # where a folder cannot be opened
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
