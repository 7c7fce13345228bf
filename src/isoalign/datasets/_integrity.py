"""Check a file without a published hash: whether it is complete, and what its name says."""

import zipfile
from pathlib import Path

from isoalign._core.progress import Progress, ignore_progress
from isoalign.errors import FormatError
from isoalign.io import open_binary
from isoalign.io._compression import compression_of
from isoalign.io._signatures import refuse_foreign

__all__ = ["check_content"]

_CHUNK_BYTES = 1 << 20
_PAGES = (b"<!doctype", b"<html", b"<?xml")


def check_content(path: Path, *, name: str, url: str, progress: Progress = ignore_progress) -> bool:
    """Refuse a download that is damaged, cut off or another kind of file than its name says.

    Parameters
    ----------
    path
        What arrived.
    name
        Name in the registry, whose suffixes say what it should be.
    url
        Where it came from, for messages.
    progress
        Progress callback.

    Returns
    -------
    bool
        Whether the content itself proves that its end arrived: the checksum of gzip, the directory of a zip archive,
        the number of rows in the first line of a ``.vec`` file.
    """
    with path.open("rb") as file:
        head = file.read(16)
    if not head:
        raise FormatError(f"{url}: an empty file arrived.")
    if head.lstrip().lower().startswith(_PAGES):
        raise FormatError(f"{url}: a web page arrived instead of the file. Does the network ask for a login?")
    if name.endswith(".zip"):
        if not zipfile.is_zipfile(path):
            raise FormatError(f"{url}: what arrived is not a zip archive, or is cut off.")
        return True
    refuse_foreign(head, path)
    packed = name.endswith((".gz", ".tgz"))
    if (compression_of(path) == "gzip") is not packed:
        raise FormatError(f"{url}: what arrived is {'not ' if packed else ''}packed by gzip, against its name.")
    if ".vec" in name:
        _check_rows(path, name, url, progress)
    elif packed:
        _read_through(path, name, progress)
    return packed or ".vec" in name


def _check_rows(path: Path, name: str, url: str, progress: Progress) -> None:
    """Compare the lines of a ``.vec`` file with the number in the first."""
    with open_binary(path) as file:
        first = file.readline(1 << 10).split()
        if len(first) != 2 or not all(field.isdigit() for field in first):
            raise FormatError(f"{url}: what arrived does not begin with the numbers of rows and columns.")
        expected, lines, size, last = int(first[0]), 0, 0, b"\n"
        while chunk := file.read(_CHUNK_BYTES):
            lines, size, last = lines + chunk.count(b"\n"), size + len(chunk), chunk[-1:]
            progress(f"checking {name}", size, None)
    rows = lines + (last != b"\n")
    if rows != expected:
        raise FormatError(f"{url}: the first line promises {expected:,} rows, but {rows:,} arrived.")


def _read_through(path: Path, name: str, progress: Progress) -> None:
    """Unpack a file to nowhere, which compares it with its checksum."""
    size = 0
    with open_binary(path) as file:
        while chunk := file.read(_CHUNK_BYTES):
            size += len(chunk)
            progress(f"checking {name}", size, None)
