"""Rows that lie in a file: any process that sees the same disk can open them, so that they need not travel."""

from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from isoalign._core.types import Matrix
from isoalign.errors import FileAccessError

__all__ = ["MappedRows", "SharedRows", "open_rows", "share_rows"]


class MappedRows(NamedTuple):
    """Where float32 rows lie: a file, and the place of the first value in it."""

    path: str
    offset: int
    shape: tuple[int, int]


SharedRows: TypeAlias = MappedRows | Matrix
"""Rows as another process gets them: by name if they lie in a file, else as they are."""


def share_rows(X: Matrix) -> SharedRows:
    """Return where the rows of a mapped matrix lie, or the matrix itself if it is in memory or its file has no name."""
    owner: Any = X
    while isinstance(owner, np.ndarray) and not isinstance(owner, np.memmap):
        owner = owner.base
    if owner is None or not isinstance(owner, np.memmap) or not X.size or not X.flags.c_contiguous:
        return X
    while isinstance(owner.base, np.memmap):  # only the first of several views knows its offset for sure
        owner = owner.base
    if owner.filename is None or not Path(owner.filename).is_file() or X.dtype != np.float32:
        return X
    return MappedRows(str(owner.filename), int(owner.offset) + _address(X) - _address(owner), (len(X), X.shape[1]))


def open_rows(shared: SharedRows) -> Matrix:
    """Return the rows, mapped if they were shared by name."""
    if not isinstance(shared, MappedRows):
        return shared
    path, offset, shape = shared
    try:
        return np.memmap(path, dtype=np.float32, mode="r", offset=offset, shape=shape).view(np.ndarray)
    except (OSError, ValueError) as error:
        raise FileAccessError(
            f"{path}: cannot be opened here ({error}). Keep vectors on a disk that all workers see under the same name."
        ) from error


def _address(array: NDArray[Any]) -> int:
    return int(array.__array_interface__["data"][0])
