"""NumPy files: ``.npy``, and ``.npz`` for reading; memory-mapped where they are not compressed."""

import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from isoalign._core.arrays import row_blocks
from isoalign.errors import FormatError
from isoalign.io import COMPRESSION_RATIO, TRUSTED_BYTES, encode_npy_header
from isoalign.migration._stores._appended import AppendingSink
from isoalign.migration._stores._base import CHUNK_ROWS, AbstractSource, Chunk

__all__ = ["ArraySource", "open_npy", "open_npz", "write_npy"]


class ArraySource(AbstractSource):
    """Rows of an array, which may be memory-mapped."""

    def __init__(self, array: Any, *, name: str) -> None:
        if array.ndim != 2 or array.dtype.kind not in "fiu" or not array.size:
            raise FormatError(f"{name}: expected a matrix of real numbers, got {array.dtype} of shape {array.shape}.")
        self.name, self._array = name, array
        self.n_rows, self.dim = array.shape
        self.dtype = array.dtype

    def _chunks(self, start: int) -> Iterator[Chunk]:
        for rows in row_blocks(self.n_rows - start, CHUNK_ROWS):
            yield Chunk(self._array[start + rows.start : start + rows.stop])


def open_npy(path: Path, *, column: str | None = None) -> ArraySource:  # noqa: ARG001  (every opener takes it)
    """Map a ``.npy`` file."""
    return ArraySource(np.load(path, mmap_mode="r", allow_pickle=False), name=str(path))


def open_npz(path: Path, *, column: str | None = None) -> ArraySource:
    """Map a member of an ``.npz`` file; a compressed one is read whole.

    Parameters
    ----------
    path
        The file.
    column
        Name of the member; not needed if there is only one.
    """
    with zipfile.ZipFile(path) as archive:
        names = [name.removesuffix(".npy") for name in archive.namelist()]
        name = names[0] if column is None and len(names) == 1 else column
        if name not in names:
            raise FormatError(f"{path}: name one of its arrays with --column: {', '.join(names)}.")
        member = archive.getinfo(f"{name}.npy")
    if member.file_size > max(TRUSTED_BYTES, COMPRESSION_RATIO * member.compress_size):
        raise FormatError(f"{path}: {member.compress_size:,} bytes would become {member.file_size:,}. Is it a bomb?")
    mapped = _map_member(path, member) if member.compress_type == zipfile.ZIP_STORED else None
    if mapped is None:
        with np.load(path, allow_pickle=False) as arrays:
            mapped = arrays[name]
    return ArraySource(mapped, name=f"{path}:{name}")


def _map_member(path: Path, member: zipfile.ZipInfo) -> NDArray[Any] | None:
    """Map an uncompressed member; None if its header is not one that can be mapped."""
    with path.open("rb") as file:
        file.seek(member.header_offset + 26)  # lengths of name and extra field in the local header
        lengths = file.read(4)
        file.seek(int.from_bytes(lengths[:2], "little") + int.from_bytes(lengths[2:], "little"), 1)
        if npy.read_magic(file) != (1, 0):
            return None
        shape, fortran, dtype = npy.read_array_header_1_0(file)
        if fortran or dtype.hasobject:
            return None
        return np.memmap(path, dtype=dtype, mode="r", offset=file.tell(), shape=shape).view(np.ndarray)


def write_npy(path: Path, *, key: str, dim: int, n_rows: int, overwrite: bool, column: str | None) -> AppendingSink:  # noqa: ARG001
    """Write rows to a ``.npy`` file of float32."""
    header = encode_npy_header("<f4", (n_rows, dim))
    return AppendingSink(path, key=key, header=header, encode=lambda chunk: chunk.vectors.data, overwrite=overwrite)
