"""Open files for reading and writing, compressed or not, told apart by their first bytes."""

import bz2
import gzip
import lzma
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, cast

from isoalign._types import PathName
from isoalign.errors import FileAccessError, FormatError, MissingFileError

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

__all__ = ["bare_name", "check_readable", "compression_of", "create_binary", "open_binary"]

_MAGIC = {"gzip": b"\x1f\x8b", "bz2": b"BZh", "xz": b"\xfd7zXZ\x00", "zstd": b"\x28\xb5\x2f\xfd"}
_SUFFIXES = {".gz": "gzip", ".bz2": "bz2", ".xz": "xz", ".zst": "zstd"}
_OPENERS: dict[str, Callable[..., Any]] = {"gzip": gzip.open, "bz2": bz2.open, "xz": lzma.open, "zstd": zstd.open}
_LEVELS: dict[str, dict[str, int]] = {
    "gzip": {"compresslevel": 6},
    "bz2": {},
    "xz": {"preset": 3},
    "zstd": {"level": 6},
}
_DAMAGE = (EOFError, gzip.BadGzipFile, zlib.error, lzma.LZMAError, zstd.ZstdError)


def check_readable(path: PathName) -> Path:
    """Return ``path`` if it is a file that can be opened."""
    path = Path(path)
    if not path.exists():
        raise MissingFileError(f"{path}: no such file. Check the name.")
    if path.is_dir():
        raise FileAccessError(f"{path}: is a folder, not a vector file or a native folder of isoalign. Name a file.")
    try:
        path.open("rb").close()
    except OSError as error:
        raise FileAccessError(f"{path}: cannot read: {error.strerror}. Check its permissions.") from error
    return path


def compression_of(path: PathName) -> str | None:
    """Name the compression of an existing file, from its first bytes."""
    with check_readable(path).open("rb") as file:
        head = file.read(8)
    return next((name for name, magic in _MAGIC.items() if head.startswith(magic)), None)


@contextmanager
def open_binary(path: PathName) -> Iterator[IO[bytes]]:
    """Open a file for reading its decompressed bytes.

    Damage found while reading, such as a stream that is cut off, is raised as `FormatError`.
    """
    path = check_readable(path)
    compression = compression_of(path)
    opener = _OPENERS[compression] if compression else open
    try:
        with opener(path, "rb") as file:
            yield cast(IO[bytes], file)
    except _DAMAGE as error:
        raise FormatError(f"{path}: damaged {compression} file ({error}). Is the file cut off?") from error
    except OSError as error:
        if isinstance(error, FileAccessError):
            raise
        # bz2 reports damage as a plain OSError
        raise FormatError(f"{path}: cannot read: {error.strerror or error}. Is the file damaged?") from error


@contextmanager
def create_binary(temporary: Path, *, named: PathName) -> Iterator[IO[bytes]]:
    """Open a temporary file for writing, compressed as the suffix of the final name ``named`` asks for."""
    compression = _SUFFIXES.get(Path(named).suffix.lower())
    if compression is None:
        with temporary.open("wb") as file:
            yield file
        return
    with _OPENERS[compression](temporary, "wb", **_LEVELS[compression]) as file:
        yield cast(IO[bytes], file)


def bare_name(path: PathName) -> str:
    """Return the file name without a compression suffix."""
    path = Path(path)
    return path.stem if path.suffix.lower() in _SUFFIXES else path.name
