"""Tensors of a language model in a safetensors file: any type, copied byte for byte, rows as float32.

numpy has no bfloat16. Its values are the upper halves of float32 values, so conversion in both directions is a bit
shift.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isoalign._core.types import Matrix, PathName
from isoalign.errors import FormatError, InvalidValueError
from isoalign.io._atomic import replacing_file
from isoalign.io._safetensors import check_span, encode_header, read_header, readable_tensors

__all__ = ["FLOAT_TYPES", "ModelTensors", "StoredTensor", "read_model_tensors", "write_model_tensors"]

FLOAT_TYPES = ("F64", "F32", "F16", "BF16")
"""Types whose values can be read and written."""

_BYTES = {
    **dict.fromkeys(("F64", "I64", "U64"), 8),
    **dict.fromkeys(("F32", "I32", "U32"), 4),
    **dict.fromkeys(("F16", "BF16", "I16", "U16"), 2),
    **dict.fromkeys(("I8", "U8", "BOOL", "F8_E4M3", "F8_E5M2", "F8_E8M0"), 1),
}
_PLAIN = {"F64": np.float64, "F32": np.float32, "F16": np.float16}
_PIECE_BYTES = 1 << 24


@dataclass(frozen=True)
class StoredTensor:
    """A tensor in the type of its file.

    Attributes
    ----------
    dtype
        Name of the type in the format, such as ``"BF16"``.
    shape
        Shape of the tensor.
    data
        Its bytes, in memory or mapped from a file.
    """

    dtype: str
    shape: tuple[int, ...]
    data: NDArray[np.uint8] = field(repr=False)

    def to_float32(self) -> Matrix:
        """Return the values as float32, in new memory."""
        if self.dtype == "BF16":
            wide = self.data.view("<u2").astype(np.uint32)
            wide <<= 16
            return wide.view(np.float32).reshape(self.shape)
        if self.dtype not in _PLAIN:
            raise FormatError(f"Tensors of type {self.dtype} are not plain numbers. Use {', '.join(FLOAT_TYPES)}.")
        plain = np.dtype(_PLAIN[self.dtype]).newbyteorder("<")
        with np.errstate(over="ignore"):  # float64 may overflow; callers check for finite values
            return self.data.view(plain).astype(np.float32).reshape(self.shape)

    @classmethod
    def from_values(cls, values: NDArray[np.floating[Any]], dtype: str) -> "StoredTensor":
        """Round values to a type, each to the nearest number of that type, ties to even."""
        rounded: NDArray[Any]
        if dtype == "BF16":
            bits = np.ascontiguousarray(values, dtype="<f4").view("<u4")
            rounded = ((bits + np.uint32(0x7FFF) + ((bits >> 16) & np.uint32(1))) >> 16).astype("<u2")
        else:
            with np.errstate(over="ignore"):  # reported below
                rounded = np.ascontiguousarray(values, dtype=np.dtype(_PLAIN[dtype]).newbyteorder("<"))
        stored = cls(dtype, values.shape, rounded.reshape(-1).view(np.uint8))
        if not np.isfinite(stored.to_float32()).all():
            raise InvalidValueError(f"Values must be finite and within the range of {dtype}. Store them as F32.")
        return stored


@dataclass(frozen=True)
class ModelTensors:
    """All tensors of a safetensors file by name, and the metadata of its header."""

    tensors: dict[str, StoredTensor]
    metadata: dict[str, str]


def read_model_tensors(path: PathName) -> ModelTensors:
    """Map every tensor of a safetensors file, of whatever type."""
    path = Path(path)
    with readable_tensors(path):
        base, _, header = read_header(path)
        metadata = header.pop("__metadata__", {})
        if not isinstance(metadata, dict):
            raise FormatError(f"{path}: its safetensors header is damaged (__metadata__ is not a JSON object).")
        data = np.memmap(path, dtype=np.uint8, mode="r").view(np.ndarray)[base:]
        return ModelTensors({name: _map_one(path, name, entry, data) for name, entry in header.items()}, metadata)


def _map_one(path: Path, name: str, entry: Any, data: NDArray[np.uint8]) -> StoredTensor:
    try:
        dtype, shape = str(entry["dtype"]), tuple(int(length) for length in entry["shape"])
        start, stop = (int(offset) for offset in entry["data_offsets"])
        itemsize = _BYTES[dtype]
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise FormatError(f"{path}: tensor {name!r} is described wrongly ({error!r}).") from error
    check_span(path, name, shape, itemsize, (start, stop), len(data))
    return StoredTensor(dtype, shape, data[start:stop])


def write_model_tensors(
    path: PathName, tensors: Mapping[str, StoredTensor], metadata: Mapping[str, str], *, overwrite: bool = False
) -> None:
    """Write tensors atomically, the widest type first so that each is aligned."""
    ordered = sorted(tensors.items(), key=lambda item: -_BYTES[item[1].dtype])
    header: dict[str, Any] = {"__metadata__": dict(metadata)} if metadata else {}
    position = 0
    for name, tensor in ordered:
        stop = position + len(tensor.data)
        header[name] = {"dtype": tensor.dtype, "shape": list(tensor.shape), "data_offsets": [position, stop]}
        position = stop
    with replacing_file(path, overwrite=overwrite) as temporary, temporary.open("wb") as file:
        file.write(encode_header(header))
        for _, tensor in ordered:
            for start in range(0, len(tensor.data), _PIECE_BYTES):
                file.write(tensor.data[start : start + _PIECE_BYTES].data)
