"""Temporary files beside an output: locked while their process lives, removed by the next one on the same output."""

import os
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

__all__ = ["make_temporary", "recover_folder", "remove_leftovers", "settle_leftovers"]

_RANDOM = "[a-z0-9_]{8}"  # what tempfile puts into a name


def _prefix(place: Path) -> str:
    """Begin a temporary name: hidden, and short enough for any file system."""
    return f".{place.name[:32]}."


@contextmanager
def make_temporary(place: Path, suffix: str, *, folder: bool) -> Iterator[Path]:
    """Make a hidden file or folder beside an output, locked until the block ends; removing it is up to the caller."""
    while True:
        if folder:
            path = Path(tempfile.mkdtemp(suffix, _prefix(place), place.parent))
        else:
            handle, name = tempfile.mkstemp(suffix, _prefix(place), place.parent)
            os.close(handle)
            path = Path(name)
        lock = _try_lock(path)
        if lock is not None:  # else another process took it for a left-over before it was locked
            break
    try:
        yield path
    finally:
        if lock >= 0:
            os.close(lock)


def remove_leftovers(place: Path) -> None:
    """Remove what killed processes left beside an output, and put a folder back that one had moved aside."""
    settle_leftovers(place, ".part|.spool", _remove)
    settle_leftovers(place, ".old", _put_back)


def recover_folder(path: Path) -> None:
    """Put a folder back that a process had moved aside to replace it, and was killed before it could."""
    if not path.exists():
        settle_leftovers(path.absolute(), ".old", _put_back)


def settle_leftovers(place: Path, suffixes: str, settle: Callable[[Path], object]) -> None:
    """Call a function with everything that killed processes left beside an output.

    Parameters
    ----------
    place
        The output.
    suffixes
        Of the left-overs; several are separated by ``|``.
    settle
        Removes what it is given.
    """
    for path in _find(place, suffixes):
        with suppress(OSError):  # it belongs to another user, or is gone
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
        """Return an open, locked handle; -1 where the file system has no locks, None where another process has it."""
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
