"""A folder of parts: native folders or Parquet files that together form one embedding, in the order of their names.

Several machines can work on different parts; for one machine the folder is a vector file like any other.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Any

from isoalign.errors import FileAccessError, FormatError
from isoalign.io import _native, _parquet
from isoalign.io._description import read_description
from isoalign.io._stream import Block, VectorStream

__all__ = [
    "PART_ROWS",
    "count_rows",
    "is_parts",
    "list_parts",
    "open_stream",
    "write_about",
    "write_stream",
]

PART_ROWS = 1 << 17
"""Rows per written part: 160 MB at 300 columns."""

_ABOUT, _KIND, _VERSION = "parts.json", "isoalign-parts", 1


def list_parts(folder: Path) -> list[Path]:
    """Return the parts that have rows, in the order of their names: all native folders, or all Parquet files.

    Raises
    ------
    FormatError
        If a part is missing or damaged, or if there are both kinds.
    """
    try:
        entries = sorted(entry for entry in folder.iterdir() if not entry.name.startswith("."))
    except OSError as error:
        raise FileAccessError(f"{folder}: cannot read: {error.strerror or error}.") from error
    folders = [entry for entry in entries if entry.is_dir()]
    native, files = [entry for entry in folders if _native.is_native(entry)], [*folder.glob("[!.]*.parquet")]
    if not (folder / _ABOUT).is_file() and not native:
        parts = sorted(files)
    else:
        _check_native_parts(folder, folders, native, files)
        parts = native
    filled = [part for part in parts if count_rows(part)]
    if parts and not filled:
        raise FormatError(f"{folder}: contains no rows.")
    return filled


def _check_native_parts(folder: Path, folders: list[Path], native: list[Path], files: list[Path]) -> None:
    """Raise an error if a part would be overlooked."""
    if files:
        raise FormatError(f"{folder}: contains native parts and Parquet files. Keep one kind of them.")
    names = _read_about(folder).get("parts", [])
    missing = next((name for name in names if name not in {entry.name for entry in folders}), None)
    if missing is not None:
        raise FormatError(f"{folder / missing}: this part is missing. Restore it, or write the folder again.")
    damaged = next((entry for entry in folders if entry not in native and _is_part(entry, names)), None)
    if damaged is not None:
        raise FormatError(f"{damaged}: a damaged part, without its vectors or its metadata. Write the folder again.")


def _is_part(folder: Path, names: Sequence[str]) -> bool:
    return folder.name in names or _native.is_incomplete(folder)


def count_rows(part: Path) -> int:
    """Return the number of rows of a part."""
    return _parquet.count_rows(part) if part.suffix == ".parquet" else len(_native.open_native(part))


def is_parts(path: Path) -> bool:
    """Return whether a path is a folder of parts."""
    return path.is_dir() and bool(list_parts(path))


def _open_part(part: Path) -> VectorStream:
    """Open one part."""
    return _parquet.open_stream(part) if part.suffix == ".parquet" else _native.open_stream(part)


def open_stream(path: Path, *, on_bad: str = "error") -> VectorStream:  # noqa: ARG001  (every reader takes it)
    """Stream the rows of all parts."""
    parts = list_parts(path)
    if not parts:
        raise FormatError(f"{path}: contains no parts, neither native folders nor Parquet files.")
    streams = [_open_part(part) for part in parts]
    first = streams[0]
    for part, stream in zip(parts, streams, strict=True):
        if (stream.dim, stream.integer_keys) != (first.dim, first.integer_keys):
            raise FormatError(f"{part}: {stream.dim} columns, but {parts[0].name} has {first.dim}, or keys differ.")
    about = _read_about(path)
    return replace(
        first,
        blocks=(block for stream in streams for block in stream.blocks),
        n_rows=sum(stream.n_rows or 0 for stream in streams),
        dtype=max((stream.dtype for stream in streams), key=("float16", "float32", "float64").index),
        lang=about.get("lang", first.lang),
        metadata=dict(about.get("metadata", first.metadata)),
    )


def write_stream(stream: VectorStream, folder: Path, *, named: Path) -> None:
    """Write native parts of :data:`PART_ROWS` rows into an existing, empty folder."""
    for number, blocks in groupby(_cut(stream.blocks), key=lambda item: item[0]):
        place = folder / f"part-{number:05d}"
        place.mkdir()
        _native.write_stream(replace(stream, blocks=(block for _, block in blocks)), place, named=named)
    write_about(folder, lang=stream.lang, metadata=stream.metadata)


def _cut(blocks: Iterator[Block]) -> Iterator[tuple[int, Block]]:
    """Yield blocks with the number of their part; no block belongs to two parts."""
    done = 0
    for words, vectors in blocks:
        start = 0
        while start < len(words) or not len(words):
            stop = min(len(words), start + PART_ROWS - done % PART_ROWS)
            yield done // PART_ROWS, Block(words[start:stop], vectors[start:stop])
            done += stop - start
            start = stop
            if not len(words):
                break


def write_about(folder: Path, *, lang: str | None, metadata: dict[str, Any]) -> None:
    """Write the description of all parts, which also marks the folder as one that isoalign may replace."""
    parts = sorted(entry.name for entry in folder.iterdir() if entry.is_dir() and not entry.name.startswith("."))
    about = {"kind": _KIND, "version": _VERSION, "lang": lang, "metadata": metadata, "parts": parts}
    (folder / _ABOUT).write_text(json.dumps(about, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def _read_about(folder: Path) -> dict[str, Any]:
    file = folder / _ABOUT
    if not file.is_file():
        return {}
    return read_description(file, kind=_KIND, version=_VERSION, what="a folder of parts")
