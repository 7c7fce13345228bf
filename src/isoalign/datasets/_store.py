"""The cache folder: where a file lies, and what was recorded of it when it came."""

import hashlib
import json
import os
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, Self

import platformdirs

from isoalign._progress import Progress, ignore_progress
from isoalign._types import PathName
from isoalign.errors import FileAccessError, FormatError
from isoalign.io import replacing_file

__all__ = ["Digests", "Origin", "Record", "StoredFile", "cache_folder", "digest_file", "list_stored"]

_SCHEMA = "isoalign-dataset/1"
_CHUNK_BYTES = 1 << 20

Origin = Literal["verified", "recorded"]
"""Whether a hash agrees with a published one, or is merely that of the first download."""


def cache_folder(folder: PathName | None = None) -> Path:
    """Return the folder for fetched files, made if need be: the given one, ``ISOALIGN_CACHE``, or the platform's."""
    path = Path(folder or os.environ.get("ISOALIGN_CACHE") or platformdirs.user_cache_path("isoalign") / "datasets")
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileAccessError(
            f"{path}: cannot make the cache folder: {error.strerror}. Choose another with ISOALIGN_CACHE."
        ) from error
    return path


@dataclass(frozen=True)
class Digests:
    """What a file's bytes are."""

    sha256: str
    sha1: str
    size: int


def digest_file(path: Path, *, what: str, progress: Progress = ignore_progress) -> Digests:
    """Hash a file; ``progress`` hears bytes."""
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
class Record:
    """What is known of a file in the cache, kept beside it as ``….json`` even when the file is deleted.

    Attributes
    ----------
    dataset, rows
        Its name in the registry, and how many first rows of it these are (None: the whole file).
    url, date
        Where and when it was fetched.
    sha256, origin
        Its hash, and what that rests on.
    size, changed
        Bytes and time of the last change (nanoseconds): while both stay, the file is not hashed again.
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
        """Describe a file that has just been hashed."""
        date = datetime.now(UTC).isoformat(timespec="seconds")
        changed = path.stat().st_mtime_ns
        return cls(dataset, rows, url, date, digests.sha256, origin, digests.size, changed)

    @classmethod
    def read(cls, path: Path) -> Self | None:
        """Return the record of a file, None if there is none."""
        place = _place(path)
        if not place.exists():
            return None
        try:
            content = json.loads(place.read_text("utf-8"))
            if content.pop("schema") == _SCHEMA:
                return cls(**content)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise FormatError(f"{place}: damaged ({error!r}). Delete it to record the file anew.") from error
        raise FormatError(f"{place}: not a record of this version of isoalign. Delete it to record the file anew.")

    def write(self, path: Path) -> None:
        """Keep this as the record of a file."""
        with replacing_file(_place(path)) as temporary:
            temporary.write_text(json.dumps({"schema": _SCHEMA, **asdict(self)}, indent=2) + "\n", "utf-8")

    def is_unchanged(self, path: Path) -> bool:
        """Tell whether size and time say that the file is the one recorded."""
        found = path.stat()
        return (found.st_size, found.st_mtime_ns) == (self.size, self.changed)


@dataclass(frozen=True)
class StoredFile:
    """A file of the cache.

    Attributes
    ----------
    name, path
        Its file name and place.
    dataset, rows
        Its name in the registry, and how many first rows of it these are (None: the whole file).
    status
        ``verified``: its hash is the published one; ``recorded``: its hash is that of the first download;
        ``changed``: its bytes are others than those; ``missing``: it was here and is gone.
    size, sha256
        As recorded.
    """

    name: str
    path: Path
    dataset: str
    rows: int | None
    status: Literal["verified", "recorded", "changed", "missing"]
    size: int
    sha256: str

    @classmethod
    def of(cls, path: Path, record: Record, *, changed: bool) -> Self:
        """Combine a record with what was found."""
        status = "missing" if not path.exists() else "changed" if changed else record.origin
        return cls(path.name, path, record.dataset, record.rows, status, record.size, record.sha256)


def list_stored(*, cache: PathName | None = None) -> list[StoredFile]:
    """Return what is in the cache by name, judged by size and time alone; `verify` reads every byte."""
    found = []
    for place in sorted(cache_folder(cache).glob("*.json")):
        path = place.with_suffix("")
        if path.suffix != ".part" and (record := Record.read(path)):
            changed = path.exists() and not record.is_unchanged(path)
            found.append(StoredFile.of(path, record, changed=changed))
    return found


def _place(path: Path) -> Path:
    return path.with_name(f"{path.name}.json")
