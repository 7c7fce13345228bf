"""Rows stored in a file: processes with access to the same disk open them by name instead of receiving them."""

from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from isoalign._core.types import Matrix
from isoalign.errors import FileAccessError

__all__ = ["MappedRows", "SharedRows", "open_rows", "share_rows"]


class MappedRows(NamedTuple):
    """Location of float32 rows: a file, and the offset of the first value."""

    path: str
    offset: int
    shape: tuple[int, int]


SharedRows: TypeAlias = MappedRows | Matrix
"""Rows as sent to another process: a location if they are stored in a file, else the array."""


def share_rows(X: Matrix) -> SharedRows:
    """Return the location of a mapped matrix, or the matrix itself if it is in memory or its file has no name."""
    owner: Any = X
    while isinstance(owner, np.ndarray) and not isinstance(owner, np.memmap):
        owner = owner.base
    if owner is None or not isinstance(owner, np.memmap) or not X.size or not X.flags.c_contiguous:
        return X
    while isinstance(owner.base, np.memmap):  # only the first of several views has a reliable offset
        owner = owner.base
    if owner.filename is None or not Path(owner.filename).is_file() or X.dtype != np.float32:
        return X
    return MappedRows(str(owner.filename), int(owner.offset) + _address(X) - _address(owner), (len(X), X.shape[1]))


def open_rows(shared: SharedRows) -> Matrix:
    """Return the rows, memory-mapped if they were shared by location."""
    if not isinstance(shared, MappedRows):
        return shared
    path, offset, shape = shared
    try:
        return np.memmap(path, dtype=np.float32, mode="r", offset=offset, shape=shape).view(np.ndarray)
    except (OSError, ValueError) as error:
        raise FileAccessError(
            f"{path}: cannot be opened here ({error}). "
            "Store vectors on a disk that all workers can access under the same path."
        ) from error


def _address(array: NDArray[Any]) -> int:
    return int(array.__array_interface__["data"][0])
