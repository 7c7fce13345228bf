"""Memory-map the tensors of a safetensors file, and write a matrix row block by row block.

The safetensors package reads into new memory and writes from complete arrays. The format itself is simple: eight
bytes with the length of a JSON header, the header, then the tensors' bytes.
"""

import json
import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from isoalign.errors import FileAccessError, FormatError
from isoalign.io._bounds import HEADER_BYTES
from isoalign.io._compression import check_readable

__all__ = [
    "RowWriter",
    "check_span",
    "encode_header",
    "map_tensors",
    "read_header",
    "read_tensors",
    "readable_tensors",
    "write_tensors",
]

_DTYPES = {
    "F16": np.float16,
    "F32": np.float32,
    "F64": np.float64,
    "I8": np.int8,
    "I32": np.int32,
    "I64": np.int64,
    "U8": np.uint8,
}
_NAMES = {np.dtype(dtype): name for name, dtype in _DTYPES.items()}
_RESERVED_BYTES = 4096  # reserved by RowWriter for the header and filled with spaces, as the format allows


def map_tensors(path: Path, *, mode: Literal["r", "r+"] = "r") -> dict[str, NDArray[Any]]:
    """Memory-map every tensor of a safetensors file.

    Parameters
    ----------
    mode
        ``"r+"`` lets the caller change the file through the arrays.
    """
    with readable_tensors(path):
        base, size, header = read_header(path)
        header.pop("__metadata__", None)
        return {name: _map_tensor(path, base, size, name, entry, mode) for name, entry in header.items()}


def read_tensors(path: Path) -> dict[str, NDArray[Any]]:
    """Read every tensor of a safetensors file into memory."""
    return {name: np.array(tensor) for name, tensor in map_tensors(path).items()}


@contextmanager
def readable_tensors(path: Path) -> Iterator[None]:
    """Convert system errors while reading to one line that names the file."""
    try:
        check_readable(path)
        yield
    except FileAccessError:
        raise
    except OSError as error:
        raise FileAccessError(f"{path}: cannot read: {error.strerror or error}.") from error


def read_header(path: Path) -> tuple[int, int, dict[str, Any]]:
    """Return the start of the tensor data, the size of the file, and its header, including ``__metadata__``."""
    with path.open("rb") as file:
        size = file.seek(0, 2)
        file.seek(0)
        length = int.from_bytes(file.read(8), "little")
        if not 2 <= length <= size - 8:
            raise FormatError(f"{path}: not a safetensors file, or cut off.")
        if length > HEADER_BYTES:
            raise FormatError(
                f"{path}: its safetensors header takes {length:,} bytes. At most {HEADER_BYTES:,} are allowed."
            )
        text = file.read(length)
    try:
        header = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{path}: its safetensors header is damaged ({error}).") from error
    if not isinstance(header, dict):
        raise FormatError(f"{path}: its safetensors header is damaged (not a JSON object).")
    return 8 + length, size, header


def _map_tensor(path: Path, base: int, size: int, name: str, entry: Any, mode: Literal["r", "r+"]) -> NDArray[Any]:
    try:
        dtype = np.dtype(_DTYPES[entry["dtype"]])
        shape = tuple(int(length) for length in entry["shape"])
        start, stop = (int(offset) for offset in entry["data_offsets"])
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise FormatError(f"{path}: tensor {name!r} is described wrongly ({error!r}).") from error
    check_span(path, name, shape, dtype.itemsize, (start, stop), size - base)
    if stop == start:
        return np.empty(shape, dtype=dtype)
    if (base + start) % dtype.itemsize:
        raise FormatError(f"{path}: tensor {name!r} is not aligned to its {dtype.itemsize}-byte values.")
    return np.memmap(path, dtype=dtype, mode=mode, offset=base + start, shape=shape).view(np.ndarray)


def check_span(
    path: Path, name: str, shape: tuple[int, ...], itemsize: int, span: tuple[int, int], available: int
) -> None:
    """Raise an error for a tensor whose shape does not match its bytes, or whose bytes exceed the file."""
    start, stop = span
    # A single length beyond 2**63 passes the test of the product if another one is 0.
    if not all(0 <= length < 1 << 62 for length in shape) or start < 0 or stop - start != math.prod(shape) * itemsize:
        raise FormatError(f"{path}: tensor {name!r} of shape {shape} does not fit its bytes. Is the file damaged?")
    if stop > available:
        raise FormatError(f"{path}: tensor {name!r} does not fit into the file. Is it cut off?")


def write_tensors(path: Path, tensors: Mapping[str, NDArray[Any]]) -> None:
    """Write complete arrays, each aligned to eight bytes."""
    header: dict[str, Any] = {}
    position = 0
    ordered = sorted(tensors.items(), key=lambda item: -item[1].dtype.itemsize)  # keeps every tensor aligned
    for name, tensor in ordered:
        header[name] = _describe(tensor.dtype, tensor.shape, position)
        position += tensor.nbytes
    with path.open("wb") as file:
        file.write(encode_header(header))
        for _, tensor in ordered:
            np.ascontiguousarray(tensor).tofile(file)


class RowWriter:
    """Write one matrix to a safetensors file, block by block, without knowing the number of rows in advance."""

    def __init__(self, path: Path, *, name: str, dim: int, dtype: Any = np.float32) -> None:
        self._name, self._dim, self._dtype = name, dim, np.dtype(dtype)
        self._file: IO[bytes] = path.open("wb")
        self._file.seek(8 + _RESERVED_BYTES)
        self.n_rows = 0

    def append(self, rows: NDArray[Any]) -> None:
        """Append rows."""
        rows = np.ascontiguousarray(rows, dtype=self._dtype)
        self._file.write(rows.data)
        self.n_rows += len(rows)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failure: object) -> None:
        with self._file:
            if failure[0] is None:
                self._file.seek(0)
                header = {self._name: _describe(self._dtype, (self.n_rows, self._dim), 0)}
                self._file.write(encode_header(header, size=_RESERVED_BYTES))


def _describe(dtype: np.dtype[Any], shape: tuple[int, ...], start: int) -> dict[str, Any]:
    stop = start + int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
    return {"dtype": _NAMES[dtype], "shape": list(shape), "data_offsets": [start, stop]}


def encode_header(header: dict[str, Any], *, size: int | None = None) -> bytes:
    """Return the bytes before the tensors, filled with spaces up to ``size`` or to a multiple of eight."""
    text = json.dumps(header, separators=(",", ":")).encode()
    size = size or -(-len(text) // 8) * 8
    return size.to_bytes(8, "little") + text.ljust(size)
