"""Temporary files next to an output, locked while their process runs, else removed by the next run."""

import os
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

__all__ = ["lock_folder", "make_temporary", "recover_folder", "remove_leftovers", "settle_leftovers"]

_RANDOM = "[a-z0-9_]{8}"  # the random part of a temporary name


def _prefix(place: Path) -> str:
    """Return the prefix of a temporary name: hidden, and short enough for any file system."""
    return f".{place.name[:32]}."


@contextmanager
def make_temporary(place: Path, suffix: str, *, folder: bool) -> Iterator[Path]:
    """Create a hidden file or folder next to an output, locked until the block ends; the caller removes it."""
    while True:
        if folder:
            path = Path(tempfile.mkdtemp(suffix, _prefix(place), place.parent))
        else:
            handle, name = tempfile.mkstemp(suffix, _prefix(place), place.parent)
            os.close(handle)
            path = Path(name)
        lock = _try_lock(path)
        if lock is not None:  # else another process removed it as a left-over before it was locked
            break
    try:
        yield path
    finally:
        if lock >= 0:
            os.close(lock)


@contextmanager
def lock_folder(path: Path) -> Iterator[bool]:
    """Create a folder if necessary, and yield whether no other process holds it; it is held until the block ends.

    The system releases the lock when the process ends, however it ends. A folder that is still empty is removed.
    """
    path.mkdir(exist_ok=True)
    lock = _try_lock(path)
    try:
        yield lock is not None
    finally:
        if lock is not None:
            with suppress(OSError):  # it has contents, or is the output now
                if lock < 0 or os.path.samestat(os.fstat(lock), path.stat()):
                    path.rmdir()
            if lock >= 0:
                os.close(lock)


def remove_leftovers(place: Path) -> None:
    """Remove temporary files of killed processes, and restore a folder that one of them had moved aside."""
    settle_leftovers(place, ".part|.spool", _remove)
    settle_leftovers(place, ".old", _put_back)


def recover_folder(path: Path) -> None:
    """Restore a folder that a process moved aside but, being killed, did not replace."""
    if not path.exists():
        settle_leftovers(path.absolute(), ".old", _put_back)


def settle_leftovers(place: Path, suffixes: str, settle: Callable[[Path], object]) -> None:
    """Call a function with each temporary file that killed processes left next to an output.

    Parameters
    ----------
    place
        The output.
    suffixes
        Suffixes of the left-overs, separated by ``|``.
    settle
        Function that removes a left-over.
    """
    for path in _find(place, suffixes):
        with suppress(OSError):  # it belongs to another user, or no longer exists
            lock = _try_lock(path)
            if lock is None or lock < 0:
                continue
            try:
                settle(path)
            finally:
                os.close(lock)


def _find(place: Path, suffixes: str) -> list[Path]:
    kinds = "|".join(map(re.escape, suffixes.split("|")))
    pattern = re.compile(rf"{re.escape(_prefix(place))}{_RANDOM}(?:{kinds})")
    try:
        return [place.parent / name for name in os.listdir(place.parent) if pattern.fullmatch(name)]  # noqa: PTH208
    except OSError:
        return []


def _put_back(aside: Path) -> None:
    for old in aside.iterdir():
        if not (aside.parent / old.name).exists():
            old.rename(aside.parent / old.name)
    _remove(aside)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink()


if sys.platform == "win32":

    def _try_lock(path: Path) -> int | None:  # noqa: ARG001
        """Return -1: an open file could not be renamed here, so nothing is locked and no left-over is removed."""
        return -1

else:
    import fcntl

    def _try_lock(path: Path) -> int | None:
        """Return an open, locked handle; -1 if the file system has no locks, None if another process holds it."""
        try:
            handle = os.open(path, os.O_RDONLY)
        except FileNotFoundError:
            return None
        except OSError:
            return -1
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.path.samestat(os.fstat(handle), os.stat(path)):  # noqa: PTH116
                return handle
        except (BlockingIOError, FileNotFoundError):
            pass
        except OSError:
            os.close(handle)
            return -1
        os.close(handle)
        return None
