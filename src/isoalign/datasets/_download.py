"""Bring one file here through whatever happens on the way; what has arrived is never asked for twice."""

import json
import logging
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from time import sleep
from typing import IO

from isoalign._progress import Progress, ignore_progress
from isoalign.datasets._http import InterruptedTransferError, Transfer, open_transfer
from isoalign.errors import DownloadError, FileAccessError

__all__ = ["Enough", "download", "forget_part"]

_log = logging.getLogger(__name__)
_HEADWAY_BYTES = 1 << 20  # an attempt that brings less than this counts as failed again

Enough = Callable[[bytes], bool]
"""Sees all bytes from the file's first one on, in order; says when no more are needed."""


def download(
    url: str,
    part: Path,
    *,
    what: str,
    enough: Callable[[], Enough] | None = None,
    timeout: float = 30,
    retries: int = 4,
    progress: Progress = ignore_progress,
) -> None:
    """Download into ``part``, going on where an earlier call left off.

    Parameters
    ----------
    part
        The growing file. Beside it, ``….json`` remembers which version of which address it is a part of.
    what
        Name for ``progress``, which hears bytes.
    enough
        Makes the judge that may end the download early; None: everything is needed.
    retries
        How many attempts in a row may fail. The pause before the next doubles from one second.
    """
    failures, furthest = 0, 0
    while True:
        try:
            _attempt(url, part, what, enough, timeout, progress)
        except InterruptedTransferError as trouble:
            size = part.stat().st_size if part.exists() else 0
            failures = 1 if size >= furthest + _HEADWAY_BYTES else failures + 1
            furthest = max(furthest, size)
            if failures > retries:
                raise DownloadError(f"{url}: {trouble}; gave up after {failures} attempts.") from trouble
            pause = trouble.wait or 2 ** (failures - 1)
            _log.warning("%s: %s. Trying again in %d s.", url, trouble, pause)
            sleep(pause)
        else:
            return


def forget_part(part: Path) -> None:
    """Remove a part and what is known of it."""
    part.unlink(missing_ok=True)
    _notes(part).unlink(missing_ok=True)


def _attempt(
    url: str, part: Path, what: str, enough: Callable[[], Enough] | None, timeout: float, progress: Progress
) -> None:
    version, total = _read_notes(part, url)
    done = part.stat().st_size if version else 0
    is_enough = enough() if enough else _never
    if done and (done == total or _replay(part, is_enough)):
        return
    with open_transfer(url, start=done, version=version, timeout=timeout) as transfer:
        if enough is None:
            _check_room(part, transfer)
        elif transfer.start < done:
            is_enough = enough()  # the file comes anew
        done = transfer.start
        _write_notes(part, url, transfer)
        with part.open("ab" if done else "wb") as file:
            for chunk in transfer.chunks:
                _write(file, chunk)
                done += len(chunk)
                progress(what, done, transfer.total)
                if is_enough(chunk):
                    return
            os.fsync(file.fileno())
        if transfer.total is not None and done < transfer.total:
            raise InterruptedTransferError(f"the connection ended after {done:,} of {transfer.total:,} bytes")


def _never(_chunk: bytes) -> bool:
    return False


def _replay(part: Path, is_enough: Enough) -> bool:
    """Show the judge what is here already."""
    with part.open("rb") as file:
        return any(is_enough(chunk) for chunk in iter(lambda: file.read(_HEADWAY_BYTES), b""))


def _write(file: IO[bytes], chunk: bytes) -> None:
    try:
        file.write(chunk)
        file.flush()
    except OSError as error:
        raise FileAccessError(
            f"{file.name}: cannot write: {error.strerror}. What has arrived is kept: make room and fetch again."
        ) from error


def _check_room(part: Path, transfer: Transfer) -> None:
    free = shutil.disk_usage(part.parent).free
    if transfer.total is not None and transfer.total - transfer.start > free:
        raise FileAccessError(
            f"{part}: the file needs {transfer.total - transfer.start:,} bytes and the disk has {free:,}. "
            "Make room, or choose another folder with ISOALIGN_CACHE."
        )


def _notes(part: Path) -> Path:
    return part.with_name(f"{part.name}.json")


def _write_notes(part: Path, url: str, transfer: Transfer) -> None:
    notes = {"url": url, "version": transfer.version, "total": transfer.total}
    _notes(part).write_text(json.dumps(notes), "utf-8")


def _read_notes(part: Path, url: str) -> tuple[str | None, int | None]:
    """Return version and length of the file that ``part`` is a part of, None where nothing useful is known."""
    if not part.exists():
        return None, None
    try:
        notes = json.loads(_notes(part).read_text("utf-8"))
        return (notes["version"], notes["total"]) if notes["url"] == url else (None, None)
    except (OSError, ValueError, KeyError, TypeError):
        return None, None
