"""JSON lines, one object per item: ``{"id": …, "embedding": […], …}``; other fields are kept."""

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from isoalign.errors import FormatError
from isoalign.io import LINE_BYTES
from isoalign.migration._stores._appended import AppendingSink
from isoalign.migration._stores._base import AbstractSource, Chunk

__all__ = ["JsonLinesSource", "open_jsonl", "write_jsonl"]

_DEFAULT, _ID = "embedding", "id"
_LINES = 2048


class JsonLinesSource(AbstractSource):
    """Objects with a list of numbers under one name."""

    dtype = np.dtype(np.float32)

    def __init__(self, path: Path, column: str) -> None:
        self.name, self._path, self._column = str(path), path, column
        first = next(self._lines(), None)
        if first is None:
            raise FormatError(f"{path}: is empty.")
        self.dim = len(self._parse(*first)[column])
        self.n_rows = sum(1 for _ in self._lines())

    def _lines(self) -> Iterator[tuple[int, bytes]]:
        """Yield the lines that are not blank, with their numbers."""
        with self._path.open("rb") as file:
            for number, line in enumerate(iter(lambda: file.readline(LINE_BYTES + 1), b""), 1):
                if len(line) > LINE_BYTES:
                    raise FormatError(f"{self._path}:{number}: the line has more than {LINE_BYTES:,} bytes.")
                if line.strip():
                    yield number, line

    def _chunks(self, start: int) -> Iterator[Chunk]:
        """Yield the rows from ``start`` on, with their objects."""
        lines = islice(self._lines(), start, None)
        while batch := [self._parse(number, line) for number, line in islice(lines, _LINES)]:
            with np.errstate(over="ignore"):
                vectors = np.array([item[self._column] for item in batch], dtype=np.float32)
            yield Chunk(vectors, batch)

    def _parse(self, number: int, line: bytes) -> dict[str, Any]:
        place = f"{self._path}:{number}"
        try:
            item = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise FormatError(f"{place}: not JSON ({error}).") from error
        vector = item.get(self._column) if isinstance(item, dict) else None
        if not isinstance(vector, list) or len(vector) != getattr(self, "dim", len(vector)):
            raise FormatError(f"{place}: expected {getattr(self, 'dim', 'some')} numbers under {self._column!r}.")
        return dict(item)

    def _ids(self) -> list[Any] | None:
        """Return the values under ``id``; None if an item has none."""
        found = [item.get(_ID) for chunk in self.chunks() for item in chunk.rest]
        return None if None in found else found


def open_jsonl(path: Path, *, column: str | None = None) -> JsonLinesSource:
    """Open a file of JSON lines."""
    return JsonLinesSource(path, column or _DEFAULT)


def write_jsonl(path: Path, *, key: str, dim: int, n_rows: int, overwrite: bool, column: str | None) -> AppendingSink:  # noqa: ARG001
    """Write JSON lines; the shortest digits that give the same float32."""
    name = column or _DEFAULT

    def encode(chunk: Chunk) -> bytes:
        rest = chunk.rest
        if not isinstance(rest, list):  # columns of Parquet, or nothing
            rest = [{} for _ in chunk.vectors] if rest is None else rest.to_pylist()
        lines = []
        for item, digits in zip(rest, chunk.vectors.astype(str), strict=True):
            others = json.dumps(
                {field: value for field, value in item.items() if field != name}, ensure_ascii=False, default=str
            )
            comma = ", " if len(others) > 2 else ""
            lines.append(f"{others[:-1]}{comma}{json.dumps(name)}: [{', '.join(digits)}]}}\n")
        return "".join(lines).encode()

    return AppendingSink(path, key=key, header=b"", encode=encode, overwrite=overwrite)
