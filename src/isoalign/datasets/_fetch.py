"""Fetch files by name into the cache, verified by published or recorded checksums."""

import dataclasses
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.types import PathName
from isoalign.datasets._download import download, forget_part
from isoalign.datasets._integrity import check_content
from isoalign.datasets._prefix import RowCounter, prefix_name, write_prefix
from isoalign.datasets._registry import Dataset, find_dataset
from isoalign.datasets._store import Digests, FileRecord, Origin, StoredFile, cache_folder, digest_file, list_stored
from isoalign.errors import ChecksumError, DownloadError, FormatError, MissingFileError, ParameterError
from isoalign.io import replacing_file
from isoalign.io._lock import locked

__all__ = ["fetch", "path", "verify"]


def path(name: str, *, only_first: int | None = None, cache: PathName | None = None) -> Path:
    """Return the path at which `fetch` stores a file, whether or not it exists; see `fetch` for the arguments."""
    dataset = find_dataset(name)
    return cache_folder(cache) / (dataset.name if only_first is None else prefix_name(dataset.name, only_first))


def fetch(
    name: str,
    *,
    only_first: int | None = None,
    cache: PathName | None = None,
    replace: bool = False,
    timeout: float = 30,
    retries: int = 4,
    progress: Progress = ignore_progress,
) -> Path:
    """Return the path of a file in the cache, downloading it if necessary.

    An interrupted download is resumed, also in a later call. A file with a published hash must match it (``verified``);
    for any other file, the hash of the first download is stored (``recorded``) and later downloads must match it.
    Without a published hash, everything that can be checked is checked: the length, the number of rows in the first
    line, the checksum of gzip. Two processes that request the same file download it once.

    Parameters
    ----------
    name
        Name of a file in `list_datasets`.
    only_first
        Stop the download after that many rows of a ``.vec`` file, and store these as a separate file. Published hashes
        are those of whole files, so such a file is always ``recorded``.
    cache
        Folder to use instead of ``ISOALIGN_CACHE`` or the platform's cache.
    replace
        Download the file again and accept it even if it differs from the recorded one; it must still match a published
        hash.
    timeout
        Seconds without data after which a connection counts as broken.
    retries
        Number of consecutive attempts that may fail.
    progress
        Progress callback.

    Raises
    ------
    DownloadError
        If the file cannot be downloaded; the message says where to copy it manually.
    ChecksumError
        If the checksum differs from the published or recorded one.
    """
    dataset = find_dataset(name)
    target = path(name, only_first=only_first, cache=cache)
    with locked(target.with_name(f"{target.name}.lock")):
        if target.exists() and not replace:
            _accept_present(dataset, target, only_first, progress)
        else:
            transfer = partial(download, what=dataset.name, timeout=timeout, retries=retries, progress=progress)
            _bring(dataset, target, only_first, transfer, replace, progress)
    return target


def verify(*names: str, cache: PathName | None = None, progress: Progress = ignore_progress) -> list[StoredFile]:
    """Read files in the cache completely and compare them with their published or recorded checksums.

    Parameters
    ----------
    names
        Names in `list_datasets` or of files in the cache. Without names, all files in the cache are verified.
    cache
        Cache folder, see `fetch`.
    progress
        Progress callback.
    """
    stored = list_stored(cache=cache)
    for name in names:
        if all(name not in (file.name, file.dataset) for file in stored):
            raise MissingFileError(f"{cache_folder(cache) / name}: not fetched yet. Run isoalign data fetch {name}.")
    chosen = [file for file in stored if not names or file.name in names or file.dataset in names]
    return [file if file.status == "missing" else _verify_file(file, progress) for file in chosen]


def _verify_file(file: StoredFile, progress: Progress) -> StoredFile:
    found = digest_file(file.path, what=file.name, progress=progress)
    record = FileRecord.read(file.path)
    published = None if file.rows else _published_difference(find_dataset(file.dataset), found)
    is_changed = record is None or found.sha256 != record.sha256 or published is not None
    return dataclasses.replace(file, status="changed" if is_changed or record is None else record.origin)


def _bring(
    dataset: Dataset, target: Path, rows: int | None, transfer: Callable[..., bool], replace: bool, progress: Progress
) -> None:
    """Create ``target`` from the network, or from the whole file if only its first rows are requested."""
    part, whole = target.with_name(f"{target.name}.part"), target.with_name(dataset.name)
    url = _address(dataset)
    known = None if replace else FileRecord.read(target)
    if replace:
        forget_part(part)
    try:
        if rows is None:
            is_whole = _transfer(transfer, url, part, whole)
            record = _check(dataset, part, target, rows, known, progress)
            _check_unpublished(dataset, part, is_whole, progress)
            part.replace(target)
        else:
            if not whole.exists():
                counter = partial(RowCounter, rows, compressed=dataset.name.endswith(".gz"))
                _transfer(partial(transfer, enough=counter), url, part, whole)
            with replacing_file(target) as temporary:
                write_prefix(whole if whole.exists() else part, temporary, rows)
                record = _check(dataset, temporary, target, rows, known, progress)
    except (ChecksumError, FormatError):
        forget_part(part)  # else every later call would find it complete and fail
        raise
    record.write(target)
    forget_part(part)


def _check_unpublished(dataset: Dataset, part: Path, is_whole: bool, progress: Progress) -> None:
    """Check the content of a file without a published hash."""
    if dataset.sha256 or dataset.sha1:
        return
    url = _address(dataset)
    proves_end = check_content(part, name=dataset.name, url=url, progress=progress)
    if not (is_whole or proves_end or dataset.size):
        raise FormatError(
            f"{url}: the server does not send the length of the file, so it is unknown whether it is complete. "
            "Try again, or copy the file manually."
        )


def _transfer(transfer: Callable[..., bool], url: str, part: Path, whole: Path) -> bool:
    try:
        return transfer(url, part)
    except DownloadError as error:
        raise DownloadError(
            f"{error} The partial download is kept. Without a network, copy the file to {whole} and fetch it again."
        ) from error


def _accept_present(dataset: Dataset, target: Path, rows: int | None, progress: Progress) -> None:
    record = FileRecord.read(target)
    if record is None or not record.is_unchanged(target):
        _check(dataset, target, target, rows, record, progress).write(target)


def _check(
    dataset: Dataset, candidate: Path, target: Path, rows: int | None, record: FileRecord | None, progress: Progress
) -> FileRecord:
    """Hash a file that is to become, or is, ``target``, compare it with an earlier record, and return its own."""
    found = digest_file(candidate, what=f"checking {target.name}", progress=progress)
    where = f"{target}: " if candidate == target else f"{_address(dataset)}: "
    advice = f"Delete {target} and fetch again." if candidate == target else "The download was deleted."
    if rows is None and (difference := _published_difference(dataset, found)):
        raise ChecksumError(f"{where}{difference} ({dataset.checksums_from}). {advice}")
    if record is not None and record.sha256 != found.sha256:
        raise ChecksumError(
            f"{where}sha256 is {found.sha256}, but on {record.date} it was {record.sha256}. {advice} "
            "To accept a new version, fetch it with --replace."
        )
    origin: Origin = "verified" if rows is None and (dataset.sha256 or dataset.sha1) else "recorded"
    new = FileRecord.of(candidate, found, dataset=dataset.name, rows=rows, url=_address(dataset), origin=origin)
    return new if record is None else dataclasses.replace(new, date=record.date)


def _published_difference(dataset: Dataset, found: Digests) -> str | None:
    """Describe how a file differs from its published size and checksums; None if it does not."""
    for field in ("size", "sha256", "sha1"):
        expected = getattr(dataset, field)
        if expected not in (None, getattr(found, field)):
            return f"{field} is {getattr(found, field)}, published is {expected}"
    return None


def _address(dataset: Dataset) -> str:
    """Return the URL of a file at its publisher, or at the mirror in ``ISOALIGN_DATA_URL``."""
    mirror = os.environ.get("ISOALIGN_DATA_URL")
    if not mirror:
        return dataset.url
    if not mirror.startswith(("http://", "https://")):
        raise ParameterError(f"ISOALIGN_DATA_URL must begin with http:// or https://. Got {mirror!r}.")
    return f"{mirror.rstrip('/')}/{dataset.name}"
