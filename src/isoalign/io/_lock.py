"""File locks between processes."""

import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

__all__ = ["locked"]

_log = logging.getLogger(__name__)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock of a lock file; wait while another process holds it.

    The system releases the lock when the process ends, however it ends. The file is not removed: otherwise a third
    process could lock a new file of that name while a second still waits for the old one.
    """
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        if not _try_lock(handle):
            _log.info("%s: waiting for another process.", path)
            _wait_for_lock(handle)
        yield
    finally:
        os.close(handle)  # also releases the lock


if sys.platform == "win32":
    import msvcrt

    def _try_lock(handle: int) -> bool:
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def _wait_for_lock(handle: int) -> None:
        while True:
            with suppress(OSError):  # LK_LOCK gives up after ten seconds
                msvcrt.locking(handle, msvcrt.LK_LOCK, 1)
                return

else:
    import fcntl

    def _try_lock(handle: int) -> bool:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _wait_for_lock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX)
