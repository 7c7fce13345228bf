"""Folders of isoalign: one, or a folder of such parts; rows keep their keys."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from isoalign._core.arrays import row_blocks
from isoalign.errors import FormatError
from isoalign.io import Block, VectorStream, is_native, list_parts, open_native, write_vectors
from isoalign.migration._stores._base import CHUNK_ROWS, AbstractSource, Chunk

__all__ = ["NativeSource", "is_native_store", "native_parts", "open_native_store", "write_native_chunks"]


def is_native_store(path: Path) -> bool:
    """Return whether a path is a native folder, or a folder of native parts."""
    return path.is_dir() and bool(native_parts(path))


def native_parts(path: Path) -> list[Path]:
    """Return the native folders of a folder in the order of their names, or the folder itself if it is native."""
    return [path] if is_native(path) else [part for part in list_parts(path) if part.is_dir()]


class NativeSource(AbstractSource):
    """The rows of native folders, memory-mapped, one folder after the other.

    Parameters
    ----------
    path
        A native folder, or a folder of native parts.
    rows
        Which of its rows; None: all.
    """

    def __init__(self, path: Path, rows: slice | None = None) -> None:
        self.name = str(path)
        self._parts = [open_native(part) for part in native_parts(path)]
        first = self._parts[0]
        if any(part.vector_size != first.vector_size for part in self._parts):
            raise FormatError(f"{path}: its parts have different numbers of columns.")
        self.lang, self.metadata, self.has_words = first.lang, first.metadata, first.has_words
        self.dim, self.dtype = first.vector_size, first.vectors.dtype
        self._rows = rows or slice(0, sum(map(len, self._parts)))
        self.n_rows = self._rows.stop - self._rows.start
        if not self.n_rows:
            raise FormatError(f"{path}: holds no rows.")

    def _chunks(self, start: int) -> Iterator[Chunk]:
        """Yield the rows from ``start`` on, with their keys under ``id``; every part begins a new chunk."""
        begin, stop = self._rows.start + start, self._rows.stop
        for part in self._parts:
            for rows in row_blocks(len(part), CHUNK_ROWS):
                some = slice(max(rows.start, begin), min(rows.stop, stop))
                if some.start < some.stop:
                    yield Chunk(part.vectors[some], [{"id": key} for key in part.keys[some]])
            begin, stop = max(begin - len(part), 0), stop - len(part)

    def _ids(self) -> list[Any]:
        return [key for part in self._parts for key in part.keys]


def open_native_store(path: Path, *, column: str | None = None) -> NativeSource:  # noqa: ARG001  (every opener takes it)
    """Open a native folder, or a folder of native parts."""
    return NativeSource(path)


def write_native_chunks(path: Path, chunks: Iterable[Chunk], *, like: NativeSource, dim: int) -> None:
    """Write mapped rows and their keys to a native folder, which is complete or absent."""
    stream = VectorStream(
        (Block([str(item["id"]) for item in chunk.rest], chunk.vectors) for chunk in chunks),
        dim=dim,
        n_rows=like.n_rows,
        lang=like.lang,
        metadata=dict(like.metadata),
        integer_keys=not like.has_words,
    )
    write_vectors(stream, path, format="native")
