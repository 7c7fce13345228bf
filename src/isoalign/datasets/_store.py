"""The cache folder: where a file is, and what was recorded when it was fetched."""

import hashlib
import json
import os
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, Self

import platformdirs

from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.types import PathName
from isoalign.errors import FileAccessError, FormatError
from isoalign.io import replacing_file

__all__ = ["Digests", "FileRecord", "Origin", "StoredFile", "cache_folder", "digest_file", "list_stored"]

_SCHEMA = "isoalign-dataset/1"
_CHUNK_BYTES = 1 << 20

Origin = Literal["verified", "recorded"]
"""Whether a checksum matches a published one, or is that of the first download."""


def cache_folder(folder: PathName | None = None) -> Path:
    """Return the cache folder (given, ``ISOALIGN_CACHE``, or that of the platform), creating it if necessary."""
    path = Path(folder or os.environ.get("ISOALIGN_CACHE") or platformdirs.user_cache_path("isoalign") / "datasets")
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileAccessError(
            f"{path}: cannot create the cache folder: {error.strerror}. Choose another with ISOALIGN_CACHE."
        ) from error
    return path


@dataclass(frozen=True)
class Digests:
    """Checksums and size of a file."""

    sha256: str
    sha1: str
    size: int


def digest_file(path: Path, *, what: str, progress: Progress = ignore_progress) -> Digests:
    """Hash a file; ``progress`` counts bytes."""
    sha256, sha1 = hashlib.sha256(), hashlib.sha1(usedforsecurity=False)
    size, total = 0, path.stat().st_size
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK_BYTES):
            sha256.update(chunk)
            sha1.update(chunk)
            size += len(chunk)
            progress(what, size, total)
    return Digests(sha256.hexdigest(), sha1.hexdigest(), size)


@dataclass(frozen=True)
class FileRecord:
    """Record of a file in the cache, stored next to it as ``….json``, also after the file is deleted.

    Attributes
    ----------
    dataset, rows
        Name in the registry, and number of first rows that the file contains (None for the whole file).
    url, date
        Address and time of the download.
    sha256, origin
        Checksum, and whether it matches a published one.
    size, changed
        Size in bytes and modification time in nanoseconds. While both are unchanged, the checksum is not computed
        again.
    """

    dataset: str
    rows: int | None
    url: str
    date: str
    sha256: str
    origin: Origin
    size: int
    changed: int

    @classmethod
    def of(cls, path: Path, digests: Digests, *, dataset: str, rows: int | None, url: str, origin: Origin) -> Self:
        """Create the record of a file from its checksums."""
        date = datetime.now(UTC).isoformat(timespec="seconds")
        changed = path.stat().st_mtime_ns
        return cls(dataset, rows, url, date, digests.sha256, origin, digests.size, changed)

    @classmethod
    def read(cls, path: Path) -> Self | None:
        """Return the record of a file, or None if there is none."""
        place = _place(path)
        if not place.exists():
            return None
        try:
            content = json.loads(place.read_text("utf-8"))
            if content.pop("schema") == _SCHEMA:
                return cls(**content)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise FormatError(f"{place}: damaged ({error!r}). Delete it to record the file again.") from error
        raise FormatError(f"{place}: not a record of this version of isoalign. Delete it to record the file again.")

    def write(self, path: Path) -> None:
        """Store the record of a file."""
        with replacing_file(_place(path)) as temporary:
            temporary.write_text(json.dumps({"schema": _SCHEMA, **asdict(self)}, indent=2) + "\n", "utf-8")

    def is_unchanged(self, path: Path) -> bool:
        """Return whether size and modification time match the record."""
        found = path.stat()
        return (found.st_size, found.st_mtime_ns) == (self.size, self.changed)


@dataclass(frozen=True)
class StoredFile:
    """A file in the cache.

    Attributes
    ----------
    name, path
        File name and path.
    dataset, rows
        Name in the registry, and number of first rows that the file contains (None for the whole file).
    status
        ``verified``: matches its published checksum; ``recorded``: matches the checksum of the first download;
        ``changed``: does not match; ``missing``: recorded but deleted.
    size, sha256
        Recorded size and checksum.
    """

    name: str
    path: Path
    dataset: str
    rows: int | None
    status: Literal["verified", "recorded", "changed", "missing"]
    size: int
    sha256: str

    @classmethod
    def of(cls, path: Path, record: FileRecord, *, changed: bool) -> Self:
        """Create the description of a file from its record."""
        status = "missing" if not path.exists() else "changed" if changed else record.origin
        return cls(path.name, path, record.dataset, record.rows, status, record.size, record.sha256)


def list_stored(*, cache: PathName | None = None) -> list[StoredFile]:
    """Return the files in the cache by name. Changes are detected by size and time only; `verify` reads the files."""
    found = []
    for place in sorted(cache_folder(cache).glob("*.json")):
        path = place.with_suffix("")
        if path.suffix != ".part" and (record := FileRecord.read(path)):
            changed = path.exists() and not record.is_unchanged(path)
            found.append(StoredFile.of(path, record, changed=changed))
    return found


def _place(path: Path) -> Path:
    return path.with_name(f"{path.name}.json")
