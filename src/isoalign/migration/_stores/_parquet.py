"""Parquet: one file or a folder of parts; the other columns, ids among them, are kept."""

import shutil
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from isoalign.errors import FormatError
from isoalign.io import (
    Journal,
    check_place,
    count_rows,
    decode_lists,
    find_keys,
    find_vectors,
    import_parquet,
    partial_path,
    replacing_file,
)
from isoalign.migration._stores._base import CHUNK_ROWS, AbstractSink, AbstractSource, Chunk

__all__ = [
    "ParquetSink",
    "ParquetSource",
    "open_parquet",
    "part_files",
    "write_chunks",
    "write_parquet",
]

_PART_ROWS = 1 << 16


def part_files(folder: Path) -> list[Path]:
    """Return the Parquet files of a folder in the order of their names."""
    return sorted(folder.glob("*.parquet"))


class ParquetSource(AbstractSource):
    """A column of lists in one file, or in all files of a folder in the order of their names."""

    def __init__(self, path: Path, column: str | None) -> None:
        _, pq = import_parquet()
        self.name = str(path)
        parts = part_files(path) if path.is_dir() else [path]
        self._files = [pq.ParquetFile(part) for part in parts]
        self.n_rows = sum(file.metadata.num_rows for file in self._files)
        if not self.n_rows:
            raise FormatError(f"{path}: holds no rows.")
        self._path = path
        self.column = column or find_vectors(self._files[0].schema_arrow, path)
        if any(self.column not in file.schema_arrow.names for file in self._files):
            raise FormatError(f"{path}: has no column {self.column!r}.")
        self.dtype = np.dtype(self._files[0].schema_arrow.field(self.column).type.value_type.to_pandas_dtype())
        self.dim = next(self.chunks()).vectors.shape[1]

    def _chunks(self, start: int) -> Iterator[Chunk]:
        """Yield the rows from ``start`` on, with their other columns; row groups before it are not read.

        Chunks are counted from the beginning of their row group, so that they are the same after a resume.
        """
        for file in self._files:
            for group in range(file.num_row_groups):
                rows = file.metadata.row_group(group).num_rows
                if start < rows:
                    yield from self._group_chunks(file, group, start)
                start = max(start - rows, 0)

    def _group_chunks(self, file: Any, group: int, start: int) -> Iterator[Chunk]:
        for batch in file.iter_batches(batch_size=CHUNK_ROWS, row_groups=[group]):
            if start < len(batch):
                yield self._decode(batch.slice(start))
            start = max(start - len(batch), 0)

    def _decode(self, batch: Any) -> Chunk:
        vectors = decode_lists(batch.column(self.column), self.column, self._path)
        if vectors.shape[1] != getattr(self, "dim", vectors.shape[1]):
            raise FormatError(f"{self._path}: the lists of column {self.column!r} must be complete and equally long.")
        return Chunk(vectors, batch)

    def _ids(self) -> list[Any] | None:
        """Return the column that names the rows, if there is one of a usual name."""
        name = find_keys(self._files[0].schema_arrow)
        if name is None:
            return None
        return [value for file in self._files for value in file.read([name]).column(name).to_pylist()]


class ParquetSink(AbstractSink):
    """Write parts of equal size into a hidden folder, each atomically; they become a folder or one file at the end."""

    def __init__(self, path: Path, *, key: str, overwrite: bool, column: str | None, **_: Any) -> None:
        self._single = path.suffix.lower() == ".parquet"
        check_place(path, overwrite=overwrite, folder=not self._single)
        self._path, self._column, self._journal = path, column or "embedding", Journal(path, key)
        self._folder = partial_path(path)
        found = self._journal.read()
        if found is None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder.mkdir()
            self._journal.write()
        self._n_parts = len(part_files(self._folder))
        self.done = sum(count_rows(part) for part in part_files(self._folder))
        self._waiting: list[Any] = []

    def write(self, chunk: Chunk) -> None:
        """Keep rows until a part is full."""
        self._waiting.append(_as_table(chunk, self._column))
        self.done += len(chunk.vectors)
        if sum(len(table) for table in self._waiting) >= _PART_ROWS:
            self._write_part()

    def _write_part(self) -> None:
        pa, _ = import_parquet()
        _write_tables(self._folder / f"part-{self._n_parts:06d}.parquet", [pa.concat_tables(self._waiting)])
        self._n_parts += 1
        self._waiting = []

    def finish(self) -> None:
        """Put the parts into their place; for one file, copy them into it, a part at a time."""
        _, pq = import_parquet()
        if self._waiting:
            self._write_part()
        if self._single:
            _write_tables(self._path, (pq.read_table(part) for part in part_files(self._folder)))
            shutil.rmtree(self._folder)
        else:
            self._folder.replace(self._path)
        self._journal.remove()

    def close(self) -> None:
        """Drop rows that fill no part yet; complete parts stay for the next attempt."""
        self._waiting = []


def write_chunks(path: Path, chunks: Iterable[Chunk], column: str) -> None:
    """Write rows to one file, a row group at a time."""
    _write_tables(path, _group(_as_table(chunk, column) for chunk in chunks))


def _group(tables: Iterable[Any]) -> Iterator[Any]:
    """Yield tables of at least ``_PART_ROWS`` rows, but for the last."""
    pa, _ = import_parquet()
    waiting: list[Any] = []
    for table in tables:
        waiting.append(table)
        if sum(map(len, waiting)) >= _PART_ROWS:
            yield pa.concat_tables(waiting)
            waiting = []
    if waiting:
        yield pa.concat_tables(waiting)


def _as_table(chunk: Chunk, column: str) -> Any:
    """Return rows with their other columns."""
    pa, _ = import_parquet()
    values = pa.array(chunk.vectors.flatten())  # a copy, because rows are kept until there are enough of them
    lists = pa.FixedSizeListArray.from_arrays(values, chunk.vectors.shape[1])
    if not isinstance(chunk.rest, pa.RecordBatch):
        ids = [item.get("id") for item in chunk.rest or []]
        return pa.table(({"id": ids} if ids and None not in ids else {}) | {column: lists})
    table = pa.Table.from_batches([chunk.rest])
    return table.set_column(table.column_names.index(column), column, lists)


def _write_tables(path: Path, tables: Iterable[Any]) -> None:
    """Write tables of one schema to a file, which is complete or absent."""
    _, pq = import_parquet()
    remaining = iter(tables)
    first = next(remaining)
    with replacing_file(path) as temporary, pq.ParquetWriter(temporary, first.schema) as file:
        for table in chain([first], remaining):
            file.write_table(table)


def open_parquet(path: Path, *, column: str | None = None) -> ParquetSource:
    """Open a Parquet file or folder."""
    return ParquetSource(path, column)


def write_parquet(path: Path, **options: Any) -> ParquetSink:
    """Write a Parquet file, or a folder of parts if the name has no suffix."""
    return ParquetSink(path, **options)
