"""Open files for reading and writing; compression is detected from the first bytes."""

import bz2
import gzip
import io
import lzma
import re
import stat
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from isoalign._core.types import PathName
from isoalign.errors import FileAccessError, FormatError, MissingFileError
from isoalign.io._bounds import COMPRESSION_RATIO, TRUSTED_BYTES
from isoalign.io._signatures import refuse_foreign
from isoalign.io._zip import inner_name, open_member

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

__all__ = [
    "bare_name",
    "check_readable",
    "compression_of",
    "create_binary",
    "map_bytes",
    "naming_damage",
    "open_binary",
    "read_head",
]

_MAGIC = {
    "gzip": rb"\x1f\x8b\x08",
    # "BZh" alone could begin a word: it must be followed by the level and the mark of a block or of the end.
    "bz2": rb"BZh[1-9](?:1AY&SY|\x17\x72\x45\x38\x50\x90)",
    "xz": rb"\xfd7zXZ\x00",
    "zstd": rb"\x28\xb5\x2f\xfd",
    "zip": rb"PK(?:\x03\x04|\x05\x06|\x07\x08)",
}
_SUFFIXES = {".gz": "gzip", ".bz2": "bz2", ".xz": "xz", ".zst": "zstd"}
_OPENERS: dict[str, Callable[..., Any]] = {"gzip": gzip.open, "bz2": bz2.open, "xz": lzma.open, "zstd": zstd.open}
_LEVELS: dict[str, dict[str, int]] = {
    "gzip": {"compresslevel": 6},
    "bz2": {},
    "xz": {"preset": 3},
    "zstd": {"level": 6},
}
_DAMAGE = (EOFError, gzip.BadGzipFile, zlib.error, lzma.LZMAError, zstd.ZstdError, zipfile.BadZipFile)


def check_readable(path: PathName) -> Path:
    """Return ``path`` if it is a file that can be opened more than once."""
    path = Path(path)
    try:
        if _is_passing(path.stat().st_mode):
            raise FileAccessError(
                f"{path}: is a pipe or a device, which can be read only once. Copy it to a file first."
            )
        path.open("rb").close()
    except FileNotFoundError:
        raise MissingFileError(f"{path}: no such file. Check the name.") from None
    except ValueError:
        raise MissingFileError(f"{str(path)!r}: a name must not contain a NUL character.") from None
    except IsADirectoryError:
        if (path / "alignment.json").is_file():
            raise FileAccessError(
                f"{path}: is an alignment, not a vector file. Write its vectors with isoalign export, or use it with "
                "isoalign translate, evaluate or serve."
            ) from None
        raise FileAccessError(
            f"{path}: is a folder, not a vector file or a native folder of isoalign. Give a file."
        ) from None
    except FileAccessError:
        raise
    except OSError as error:
        raise FileAccessError(f"{path}: cannot read: {error.strerror}. Check its permissions.") from error
    return path


def _is_passing(mode: int) -> bool:
    return stat.S_ISFIFO(mode) or stat.S_ISCHR(mode) or stat.S_ISSOCK(mode)


def compression_of(path: PathName) -> str | None:
    """Return the compression of an existing file, from its first bytes; files of other programs are errors."""
    path = check_readable(path)
    with path.open("rb") as file:
        head = file.read(16)
    compression = next((name for name, magic in _MAGIC.items() if re.match(magic, head)), None)
    if compression is None:
        refuse_foreign(head, path)
    return compression


@contextmanager
def open_binary(path: PathName) -> Iterator[IO[bytes]]:
    """Open a file for reading its decompressed bytes.

    Damage found while reading, such as a truncated stream, raises `FormatError`, and so does a file that unpacks to
    more than `COMPRESSION_RATIO` times its size.
    """
    path = check_readable(path)
    compression = compression_of(path)
    with naming_damage(path), path.open("rb") as packed:
        if compression is None:
            yield packed
            return
        with (
            _open_packed(compression, path, packed) as unpacked,
            io.BufferedReader(_Unpacked(path, packed, unpacked)) as f,
        ):
            yield cast(IO[bytes], f)


def _open_packed(compression: str, path: Path, packed: IO[bytes]) -> Any:
    return open_member(path, packed) if compression == "zip" else _OPENERS[compression](packed, "rb")


class _Unpacked(io.RawIOBase):
    """The decompressed bytes of a file, as long as their number is plausible."""

    def __init__(self, path: Path, packed: IO[bytes], unpacked: Any) -> None:
        self._path, self._packed, self._unpacked = path, packed, unpacked
        self._size = 0

    def readable(self) -> bool:
        """Say yes."""
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        """Read the next bytes."""
        got: int = self._unpacked.readinto1(buffer)
        self._size += got
        if self._size > max(TRUSTED_BYTES, COMPRESSION_RATIO * self._packed.tell()):
            raise FormatError(
                f"{self._path}: unpacks to more than {COMPRESSION_RATIO} times its size, which no vector file does. "
                "Decompress it yourself if you trust it."
            )
        return got


@contextmanager
def naming_damage(path: Path) -> Iterator[None]:
    """Convert errors of decompressors to `FormatError`."""
    try:
        yield
    except _DAMAGE as error:
        raise FormatError(f"{path}: damaged {compression_of(path)} file ({error}). Is the file cut off?") from error
    except FileAccessError:
        raise
    except OSError as error:
        if error.errno is None:  # bz2 reports damage in this way
            raise FormatError(f"{path}: damaged {compression_of(path)} file ({error}).") from error
        raise FileAccessError(f"{path}: cannot read: {error.strerror}.") from error


def read_head(path: PathName, size: int) -> bytes:
    """Return the first decompressed bytes of a file; if it is damaged, those before the damage."""
    head = b""
    try:
        with open_binary(path) as file:
            while len(head) < size and (piece := file.read1(size - len(head))):  # type: ignore[attr-defined]
                head += piece
    except FormatError:
        if not head:
            raise
    return head


def map_bytes(path: PathName) -> NDArray[np.uint8]:
    """Map the decompressed bytes of a file, (size,).

    A compressed file is first unpacked into an unnamed temporary file, so that memory use is constant.
    """
    path = check_readable(path)
    if compression_of(path) is None:
        return _map_file(path)
    with tempfile.TemporaryFile() as unpacked:
        with open_binary(path) as packed:
            while chunk := packed.read(1 << 20):
                try:
                    unpacked.write(chunk)
                except OSError as error:
                    raise FileAccessError(
                        f"{path}: cannot unpack into {tempfile.gettempdir()}: {error.strerror}. Decompress it yourself."
                    ) from error
        unpacked.flush()
        return _map_file(unpacked)


def _map_file(file: Path | IO[bytes]) -> NDArray[np.uint8]:
    try:
        return np.memmap(file, dtype=np.uint8, mode="r").view(np.ndarray)
    except ValueError:  # an empty file cannot be mapped
        return np.empty(0, dtype=np.uint8)


@contextmanager
def create_binary(temporary: Path, *, named: PathName) -> Iterator[IO[bytes]]:
    """Open a temporary file for writing, compressed according to the suffix of the final name ``named``."""
    suffix = Path(named).suffix.lower()
    if suffix == ".zip":
        raise FormatError(f"{named}: zip archives can be read, but not written. Choose .gz, .bz2, .xz or .zst.")
    compression = _SUFFIXES.get(suffix)
    if compression is None:
        with temporary.open("wb") as file:
            yield file
        return
    with temporary.open("wb") as raw, _compressor(compression, raw) as file:
        yield cast(IO[bytes], file)


def _compressor(compression: str, raw: IO[bytes]) -> Any:
    if compression == "gzip":
        # Neither the temporary name nor the time belongs in the file: the same vectors give the same bytes.
        return gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0, **_LEVELS[compression])
    return _OPENERS[compression](raw, "wb", **_LEVELS[compression])


def bare_name(path: PathName) -> str:
    """Return the file name without a compression suffix; for an existing zip archive, the name of the file inside."""
    path = Path(path)
    if path.suffix.lower() == ".zip":
        with naming_damage(path):
            return inner_name(path) if path.is_file() else path.stem
    return path.stem if path.suffix.lower() in _SUFFIXES else path.name
