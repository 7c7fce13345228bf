"""Find the files of a sweep, download missing ones if allowed, and compute their checksums."""

import hashlib
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from isoalign._core.progress import Progress, ignore_progress
from isoalign.datasets import fetch, list_datasets, load_sample
from isoalign.datasets import path as cached_path
from isoalign.errors import MissingFileError
from isoalign.experiments._config import SweepConfig
from isoalign.io import read_vectors
from isoalign.vectors import Embeddings

__all__ = ["DataFile", "digest", "find_file", "is_sample", "locate", "read_language"]

_SAMPLE = {"en": "en.safetensors", "ja": "ja.safetensors", "train": "train.txt", "test": "test.txt"}


@dataclass(frozen=True)
class DataFile:
    """A file of a sweep.

    Attributes
    ----------
    name
        Name used in the sweep.
    path
        Path of the file.
    sha256
        Checksum of the file; for a folder, of the names and contents of all its files.
    """

    name: str
    path: Path
    sha256: str


def is_sample(name: str) -> bool:
    """Return whether a name is a part of the sample inside the package."""
    return name.startswith("sample:")


def locate(config: SweepConfig, name: str, *, limit: int | None = None) -> Path | None:
    """Return the path of a file, or None if it is neither a path nor downloaded."""
    if is_sample(name):
        part = name.partition(":")[2]
        if part not in _SAMPLE:
            raise MissingFileError(f"{name}: the sample has {', '.join(f'sample:{known}' for known in _SAMPLE)}.")
        return Path(str(files("isoalign.datasets") / "sample" / _SAMPLE[part]))
    path = config.folder / name
    if path.exists():
        return path
    cached = cached_path(name, only_first=limit) if list_datasets(name) else path
    return cached if cached.exists() else None


def find_file(
    config: SweepConfig, name: str, *, limit: int | None = None, progress: Progress = ignore_progress
) -> DataFile:
    """Return a file with its checksum, downloading it first if it is missing and the sweep allows it.

    Parameters
    ----------
    config
        The sweep.
    name
        The name that the sweep uses.
    limit
        Download only the first rows of a vector file.
    progress
        Progress callback.
    """
    path = locate(config, name, limit=limit)
    if path is None:
        is_known = bool(list_datasets(name))
        if not (is_known and config.data.fetch):
            advice = (
                f"Run isoalign data fetch {name}, or set fetch = true in [data]." if is_known else "Check its path."
            )
            raise MissingFileError(f"{config.folder / name}: there is no such file. {advice}")
        path = fetch(name, only_first=limit, progress=progress)
    return DataFile(name, path, digest(path))


def digest(path: Path) -> str:
    """Return the SHA-256 of a file, or of all files of a folder."""
    if path.is_dir():
        parts = [f"{part.relative_to(path)} {digest(part)}\n" for part in sorted(path.rglob("*")) if part.is_file()]
        return hashlib.sha256("".join(parts).encode()).hexdigest()
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def read_language(
    config: SweepConfig, file: DataFile, lang: str, *, progress: Progress = ignore_progress
) -> Embeddings:
    """Read the vectors of one language, up to the limit of the sweep."""
    data = config.data
    if is_sample(file.name):
        sample = load_sample()
        embeddings = sample.source if file.name == "sample:en" else sample.target
        return embeddings if data.limit is None else embeddings.head(data.limit)
    return read_vectors(file.path, limit=data.limit, lower=data.lower, lang=lang, progress=progress)
