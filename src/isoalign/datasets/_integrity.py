"""Check a file without a published hash: whether it is complete and of the expected kind."""

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
    """Raise an error if a download is damaged, truncated or not the kind of file that its name suggests.

    Parameters
    ----------
    path
        The downloaded file.
    name
        Name in the registry, whose suffixes determine the expected kind.
    url
        Its URL, for messages.
    progress
        Progress callback.

    Returns
    -------
    bool
        Whether the content proves that the file is complete: the checksum of gzip, the directory of a zip archive,
        the number of rows in the first line of a ``.vec`` file.
    """
    with path.open("rb") as file:
        head = file.read(16)
    if not head:
        raise FormatError(f"{url}: received an empty file.")
    if head.lstrip().lower().startswith(_PAGES):
        raise FormatError(f"{url}: received a web page instead of the file. Does the network require a login?")
    if name.endswith(".zip"):
        if not zipfile.is_zipfile(path):
            raise FormatError(f"{url}: the download is not a zip archive, or is cut off.")
        return True
    refuse_foreign(head, path)
    packed = name.endswith((".gz", ".tgz"))
    if (compression_of(path) == "gzip") is not packed:
        raise FormatError(
            f"{url}: the download is {'not ' if packed else ''}compressed with gzip, contrary to its name."
        )
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
            raise FormatError(f"{url}: the download does not begin with the numbers of rows and columns.")
        expected, lines, size, last = int(first[0]), 0, 0, b"\n"
        while chunk := file.read(_CHUNK_BYTES):
            lines, size, last = lines + chunk.count(b"\n"), size + len(chunk), chunk[-1:]
            progress(f"checking {name}", size, None)
    rows = lines + (last != b"\n")
    if rows != expected:
        raise FormatError(f"{url}: the first line promises {expected:,} rows, but {rows:,} arrived.")


def _read_through(path: Path, name: str, progress: Progress) -> None:
    """Decompress a file without storing it, which verifies its checksum."""
    size = 0
    with open_binary(path) as file:
        while chunk := file.read(_CHUNK_BYTES):
            size += len(chunk)
            progress(f"checking {name}", size, None)
