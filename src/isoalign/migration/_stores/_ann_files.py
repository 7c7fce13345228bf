"""Binary files of nearest-neighbour benchmarks: ``.fvecs`` and ``.fbin``."""

from pathlib import Path
from typing import Any

import numpy as np

from isoalign.errors import FormatError
from isoalign.migration._stores._appended import AppendingSink
from isoalign.migration._stores._base import Chunk
from isoalign.migration._stores._numpy import ArraySource

__all__ = ["open_fbin", "open_fvecs", "write_fbin", "write_fvecs"]


def open_fvecs(path: Path, *, column: str | None = None) -> ArraySource:  # noqa: ARG001  (every opener takes it)
    """Map an ``.fvecs`` file: every row is its dimension (int32) and as many float32."""
    size = path.stat().st_size
    words = np.memmap(path, dtype="<i4", mode="r", shape=(size // 4,)) if size >= 8 and not size % 4 else None
    dim = 0 if words is None else int(words[0])
    if words is None or dim < 1 or len(words) % (dim + 1) or (words[:: dim + 1] != dim).any():
        raise FormatError(f"{path}: not an .fvecs file, or cut off.")
    return ArraySource(words.view("<f4").reshape(-1, dim + 1)[:, 1:], name=str(path))


def write_fvecs(path: Path, *, key: str, dim: int, n_rows: int, overwrite: bool, column: str | None) -> AppendingSink:  # noqa: ARG001
    """Write rows to an ``.fvecs`` file."""

    def encode(chunk: Chunk) -> Any:
        rows = np.empty((len(chunk.vectors), dim + 1), dtype="<f4")
        rows[:, :1].view("<i4")[:] = dim
        rows[:, 1:] = chunk.vectors
        return rows.data

    return AppendingSink(path, key=key, header=b"", encode=encode, overwrite=overwrite)


def open_fbin(path: Path, *, column: str | None = None) -> ArraySource:  # noqa: ARG001
    """Map an ``.fbin`` file: number of rows and dimension (uint32), then float32 row by row."""
    size = path.stat().st_size
    header = np.fromfile(path, dtype="<u4", count=2)
    n_rows, dim = (int(value) for value in header) if len(header) == 2 else (0, 0)
    if not n_rows * dim or size != 8 + 4 * n_rows * dim:
        raise FormatError(f"{path}: not an .fbin file, or cut off: {size} bytes for {n_rows} rows of {dim}.")
    return ArraySource(np.memmap(path, dtype="<f4", mode="r", offset=8, shape=(n_rows, dim)), name=str(path))


def write_fbin(path: Path, *, key: str, dim: int, n_rows: int, overwrite: bool, column: str | None) -> AppendingSink:  # noqa: ARG001
    """Write rows to an ``.fbin`` file."""
    header = np.array([n_rows, dim], dtype="<u4").tobytes()
    return AppendingSink(path, key=key, header=header, encode=lambda chunk: chunk.vectors.data, overwrite=overwrite)
