"""Names for the array types that appear in signatures."""

from os import PathLike
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "DoubleVector",
    "Doubles",
    "FloatVector",
    "IntVector",
    "Key",
    "LinearMap",
    "Matrix",
    "MatrixLike",
    "PathName",
    "RandomState",
    "RowPairs",
    "StoredMatrix",
    "StoredVector",
]

Matrix: TypeAlias = NDArray[np.float32]
"""Rows are words: (n, dim), C-contiguous float32."""

MatrixLike: TypeAlias = NDArray[np.floating[Any]]
"""A matrix as a user may pass it: any float type, any memory layout."""

StoredMatrix: TypeAlias = NDArray[np.float16 | np.float32 | np.float64]
"""Rows of the type in which they are kept: (n, dim), C-contiguous."""

LinearMap: TypeAlias = NDArray[np.float64]
"""(dim_in, dim_out), applied on the right: ``X @ W``."""

FloatVector: TypeAlias = NDArray[np.float32]
StoredVector: TypeAlias = NDArray[np.float16 | np.float32 | np.float64]
DoubleVector: TypeAlias = NDArray[np.float64]
Doubles: TypeAlias = NDArray[np.float64]
"""Values of any shape."""

IntVector: TypeAlias = NDArray[np.int64]
RowPairs: TypeAlias = NDArray[np.int64]
"""Row numbers of a source word and of its translation: (n, 2)."""

Key: TypeAlias = str | int
"""Key of a row: a word, or the id of a document."""

PathName: TypeAlias = str | PathLike[str]
RandomState: TypeAlias = int | np.random.Generator | None
