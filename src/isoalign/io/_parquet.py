"""Parquet files: a column of vectors and, optionally, a column of words or ids."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from isoalign._core.arrays import BLOCK_ROWS
from isoalign._core.optional import import_extra
from isoalign._core.types import MatrixLike
from isoalign.errors import FormatError
from isoalign.io._checks import check_dim
from isoalign.io._stream import Block, VectorStream

__all__ = ["count_rows", "decode_lists", "find_keys", "find_vectors", "import_parquet", "looks_like", "open_stream"]

_KEYS = ("word", "key", "id", "_id")
_MAGIC = b"PAR1"


def import_parquet() -> tuple[Any, Any]:
    """Return pyarrow and its module for Parquet."""
    return import_extra("pyarrow", extra="parquet"), import_extra("pyarrow.parquet", extra="parquet")


def count_rows(path: Path) -> int:
    """Return the number of rows of a Parquet file."""
    with _naming_damage(path):
        return int(import_parquet()[1].read_metadata(path).num_rows)


def looks_like(head: bytes, path: Path) -> bool:  # noqa: ARG001  (every format's has both)
    """Return whether the first bytes of a file are those of a Parquet file."""
    return head.startswith(_MAGIC + b"\x15")


def open_stream(path: Path, *, on_bad: str = "error") -> VectorStream:  # noqa: ARG001  (every reader takes it)
    """Open a Parquet file as a stream of its rows; without a column of keys, rows are numbered."""
    pa, pq = import_parquet()
    with _naming_damage(path):
        file = pq.ParquetFile(path)
    vectors, keys = find_vectors(file.schema_arrow, path), find_keys(file.schema_arrow)
    counted = keys is None or pa.types.is_integer(file.schema_arrow.field(keys).type)
    kind = np.dtype(file.schema_arrow.field(vectors).type.value_type.to_pandas_dtype())
    dtype = kind.name if kind.name in ("float16", "float32", "float64") else "float32"

    def blocks() -> Iterator[Block]:
        done = 0
        columns = [vectors, *([keys] if keys else [])]
        batches = file.iter_batches(batch_size=BLOCK_ROWS, columns=columns)
        while True:
            with _naming_damage(path):
                batch = next(batches, None)
            if batch is None:
                return
            names = batch.column(keys).to_pylist() if keys else range(done, done + len(batch))
            rows = decode_lists(batch.column(vectors), vectors, path)
            done += len(batch)
            yield Block([str(name) for name in names], np.ascontiguousarray(rows, dtype=dtype))

    dim = _first_length(file, vectors, path)
    return VectorStream(_equal(blocks(), dim, path), dim, file.metadata.num_rows, dtype=dtype, integer_keys=counted)


def find_vectors(schema: Any, path: Path) -> str:
    """Return the only column of lists."""
    pa, _ = import_parquet()
    lists = [
        field.name
        for field in schema
        if pa.types.is_list(field.type) or pa.types.is_fixed_size_list(field.type) or pa.types.is_large_list(field.type)
    ]
    if len(lists) != 1:
        raise FormatError(f"{path}: name the column of vectors with --column. Columns: {', '.join(schema.names)}.")
    return str(lists[0])


def find_keys(schema: Any) -> str | None:
    """Return the column of keys, if there is one with a usual name."""
    return next((name for name in _KEYS if name in schema.names), None)


def decode_lists(lists: Any, column: str, path: Path) -> MatrixLike:
    """Return a column of lists of equal length, without missing values, as a matrix."""
    flat = lists.flatten()
    dim = len(flat) // max(len(lists), 1)
    if lists.null_count or flat.null_count or dim * len(lists) != len(flat):
        raise FormatError(f"{path}: the lists of column {column!r} must be complete and equally long.")
    matrix: MatrixLike = flat.to_numpy(zero_copy_only=False).reshape(len(lists), dim)
    return matrix


def _first_length(file: Any, column: str, path: Path) -> int:
    with _naming_damage(path):
        first = next(file.iter_batches(batch_size=1, columns=[column]), None)
    if first is None or not len(first):
        raise FormatError(f"{path}: contains no rows.")
    return check_dim(decode_lists(first.column(column), column, path).shape[1], path=path)


def _equal(blocks: Iterator[Block], dim: int, path: Path) -> Iterator[Block]:
    for block in blocks:
        if block.vectors.shape[1] != dim:
            raise FormatError(
                f"{path}: the vectors must be equally long. Got {dim} and {block.vectors.shape[1]} values."
            )
        yield block


@contextmanager
def _naming_damage(path: Path) -> Iterator[None]:
    pa, _ = import_parquet()
    try:
        yield
    except (pa.ArrowException, OSError) as error:
        reason = str(error).partition("\n")[0]
        raise FormatError(f"{path}: cannot be read as Parquet ({reason}). Is it damaged?") from error
