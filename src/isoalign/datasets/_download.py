"""Download one file despite interruptions; bytes that have arrived are not requested twice."""

import json
import logging
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from time import sleep
from typing import IO

from isoalign._core.progress import Progress, ignore_progress
from isoalign.datasets._http import InterruptedTransferError, Transfer, open_transfer
from isoalign.errors import DownloadError, FileAccessError

__all__ = ["Enough", "download", "forget_part"]

_log = logging.getLogger(__name__)
_HEADWAY_BYTES = 1 << 20  # an attempt that downloads less than this counts as a further failure

Enough = Callable[[bytes], bool]
"""Takes all bytes of the file in order; returns True when no more are needed."""


def download(
    url: str,
    part: Path,
    *,
    what: str,
    enough: Callable[[], Enough] | None = None,
    timeout: float = 30,
    retries: int = 4,
    progress: Progress = ignore_progress,
) -> bool:
    """Download into ``part``, resuming an earlier call.

    Parameters
    ----------
    part
        Partial file. The file ``….json`` next to it stores the URL and the version that it belongs to.
    what
        Name for ``progress``, which counts bytes.
    enough
        Returns a function that may end the download early; None downloads everything.
    retries
        Number of consecutive attempts that may fail. The pause between them doubles from one second.

    Returns
    -------
    bool
        Whether the file is known to be complete; False if the server sent no length and closed the connection.
    """
    failures, furthest = 0, 0
    while True:
        try:
            return _attempt(url, part, what, enough, timeout, progress)
        except InterruptedTransferError as trouble:
            size = part.stat().st_size if part.exists() else 0
            failures = 1 if size >= furthest + _HEADWAY_BYTES else failures + 1
            furthest = max(furthest, size)
            if failures > retries:
                raise DownloadError(f"{url}: {trouble}; gave up after {failures} attempts.") from trouble
            pause = trouble.wait or 2 ** (failures - 1)
            _log.warning("%s: %s. Trying again in %d s.", url, trouble, pause)
            sleep(pause)


def forget_part(part: Path) -> None:
    """Delete a partial file and its description."""
    part.unlink(missing_ok=True)
    _notes(part).unlink(missing_ok=True)


def _attempt(
    url: str, part: Path, what: str, enough: Callable[[], Enough] | None, timeout: float, progress: Progress
) -> bool:
    version, total = _read_notes(part, url)
    done = part.stat().st_size if version else 0
    is_enough = enough() if enough else _never
    if done and (done == total or _replay(part, is_enough)):
        return True
    with open_transfer(url, start=done, version=version, timeout=timeout) as transfer:
        if enough is None:
            _check_room(part, transfer)
        elif transfer.start < done:
            is_enough = enough()  # the server sends the file from the beginning
        done = transfer.start
        _write_notes(part, url, transfer)
        with part.open("ab" if done else "wb") as file:
            for chunk in transfer.chunks:
                _write(file, chunk)
                done += len(chunk)
                progress(what, done, transfer.total)
                if is_enough(chunk):
                    return True
            os.fsync(file.fileno())
        if done == 0:
            raise DownloadError(f"{url}: the server sends an empty file.")
        if transfer.total is not None and done < transfer.total:
            raise InterruptedTransferError(f"the connection ended after {done:,} of {transfer.total:,} bytes")
        return transfer.ends


def _never(_chunk: bytes) -> bool:
    return False


def _replay(part: Path, is_enough: Enough) -> bool:
    """Pass the bytes that are already here to the function that may end the download."""
    with part.open("rb") as file:
        return any(is_enough(chunk) for chunk in iter(lambda: file.read(_HEADWAY_BYTES), b""))


def _write(file: IO[bytes], chunk: bytes) -> None:
    try:
        file.write(chunk)
        file.flush()
    except OSError as error:
        raise FileAccessError(
            f"{file.name}: cannot write: {error.strerror}. The partial download is kept: free space and fetch again."
        ) from error


def _check_room(part: Path, transfer: Transfer) -> None:
    free = shutil.disk_usage(part.parent).free
    if transfer.total is not None and transfer.total - transfer.start > free:
        raise FileAccessError(
            f"{part}: the file needs {transfer.total - transfer.start:,} bytes and the disk has {free:,}. "
            "Free some space, or choose another folder with ISOALIGN_CACHE."
        )


def _notes(part: Path) -> Path:
    return part.with_name(f"{part.name}.json")


def _write_notes(part: Path, url: str, transfer: Transfer) -> None:
    notes = {"url": url, "version": transfer.version, "total": transfer.total}
    _notes(part).write_text(json.dumps(notes), "utf-8")


def _read_notes(part: Path, url: str) -> tuple[str | None, int | None]:
    """Return the version and the length of the file that ``part`` belongs to; None if unknown."""
    if not part.exists():
        return None, None
    try:
        notes = json.loads(_notes(part).read_text("utf-8"))
        return (notes["version"], notes["total"]) if notes["url"] == url else (None, None)
    except (OSError, ValueError, KeyError, TypeError):
        return None, None
