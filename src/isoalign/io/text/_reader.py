"""Text vectors: word2vec's and fastText's ``.vec`` with a header line, GloVe's without."""

import re
from collections import Counter, deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import chain, takewhile
from pathlib import Path
from typing import Any

import numpy as np

from isoalign._core.threads import thread_count
from isoalign._core.types import Matrix, MatrixLike
from isoalign.errors import FormatError
from isoalign.io._bounds import BAD_LINES, row_limit
from isoalign.io._checks import count, decode_words
from isoalign.io._stream import Block, VectorStream
from isoalign.io.text._numbers import is_number
from isoalign.io.text._rows import (
    BLANK_LINE,
    BadRowError,
    ParsedRows,
    decimals_to_tell,
    parse_row,
    parse_rows,
    split_fields,
)
from isoalign.io.text._segments import Bytes, segments

__all__ = ["has_header", "open_glove", "open_stream"]

_HEADER = re.compile(rb"[ \t]*(\d{1,18})[ \t]+(\d{1,9})[ \t\r]*")
_LOOK_LINES = 1000


def has_header(head: bytes) -> bool:
    """Return whether text begins with a line of two integers, rows and columns."""
    first_line = head.removeprefix(b"\xef\xbb\xbf").partition(b"\n")[0]
    return _HEADER.fullmatch(first_line) is not None


def open_stream(path: Path, *, on_bad: str = "error", dtype: str = "float32") -> VectorStream:
    """Stream the rows of a text file that begins with the number of rows and of columns, plain or compressed.

    Parameters
    ----------
    on_bad
        ``"error"`` stops at the first bad line; ``"skip"`` skips bad lines and counts them in
        ``metadata["skipped_rows"]``.
    dtype
        ``"float32"`` or ``"float64"``.
    """
    pieces, lines = _look_into(path)
    header = _HEADER.fullmatch(lines[0])
    if header is None:
        raise FormatError(
            f"{path}:1: expected a header, the number of rows and of columns, got {_show(lines[0])}. Is it GloVe?"
        )
    n_rows, dim = int(header[1]), int(header[2])
    _check_first_row(path, lines[1:] if on_bad == "skip" else lines[1:2], dim, n_rows)
    first = next(pieces)[len(lines[0]) + 1 :]
    reader = _Reader(path, dim, n_rows, on_bad=on_bad, dtype=dtype)
    return reader.stream(chain([first], pieces))


def open_glove(path: Path, *, on_bad: str = "error", dtype: str = "float32") -> VectorStream:
    """Stream the rows of a text file without a header; see `open_stream`."""
    pieces, lines = _look_into(path)
    dim = _find_dim([split_fields(line) for line in lines if line.strip(b" \t\r")])
    if dim < 1:
        raise FormatError(f"{path}:1: expected a word and its values, got {_show(lines[0])}.")
    return _Reader(path, dim, None, on_bad=on_bad, dtype=dtype).stream(pieces)


def _look_into(path: Path) -> tuple[Iterator[Bytes], list[bytes]]:
    """Return all segments of a file, and its first lines."""
    pieces = segments(path)
    first = next(pieces, np.empty(0, dtype=np.uint8))
    lines = first[: 1 << 20].tobytes().split(b"\n")[:_LOOK_LINES]
    if not any(line.strip(b" \t\r") for line in lines):
        raise FormatError(f"{path}: empty file. Expected words and their vectors.")
    return chain([first], pieces), lines


def _find_dim(rows: list[list[bytes]]) -> int:
    """Return the most common number of values: all fields but one or, if words contain spaces, the numbers."""
    n_fields = Counter(map(len, rows)).most_common(1)[0][0]
    usual = next(fields for fields in rows if len(fields) == n_fields)
    if is_number(usual[min(1, n_fields - 1)]):
        return n_fields - 1
    return Counter(len(list(takewhile(is_number, reversed(fields[1:])))) for fields in rows).most_common(1)[0][0]


def _check_first_row(path: Path, lines: list[bytes], dim: int, n_rows: int) -> None:
    """Raise an error if the header has more columns than the first row, before memory is allocated."""
    if dim < 1:
        raise FormatError(f"{path}:1: the header says {dim} values per row. Is it a header?")
    found = max((len(split_fields(line)) - 1 for line in lines), default=0)
    if n_rows and found < dim - 1:
        raise FormatError(f"{path}:2: expected {dim} values, as the header says, got {found}. Is the header wrong?")


def _show(line: bytes) -> str:
    return repr(line[:40].decode(errors="replace"))


class _Reader:
    """Parse segments on several threads, in order, and count lines and bad rows."""

    def __init__(self, path: Path, dim: int, n_rows: int | None, *, on_bad: str, dtype: str) -> None:
        self.path, self.dim, self.n_rows, self.on_bad, self.dtype = path, dim, n_rows, on_bad, dtype
        self.n_lines = 0 if n_rows is None else 1  # in all segments before the current one
        self.n_read = 0
        self.blank_lines = 0  # at the end of what has been read; only further rows make them an error
        self.metadata: dict[str, Any] = {}
        self.failure: FormatError | None = None  # in a line
        self.damage: FormatError | None = None  # in the file

    def stream(self, pieces: Iterator[Bytes]) -> VectorStream:
        """Return the rows as a stream."""
        return VectorStream(
            self.blocks(self._until_damage(pieces)),
            dim=self.dim,
            n_rows=self.n_rows,
            counted=self.n_rows is not None,
            dtype=self.dtype,
            metadata=self.metadata,
        )

    def _until_damage(self, pieces: Iterator[Bytes]) -> Iterator[Bytes]:
        """Yield the segments; an error that ends them is raised later, after the lines before it have been counted."""
        try:
            yield from pieces
        except FormatError as error:
            self.damage = error

    def blocks(self, pieces: Iterator[Bytes]) -> Iterator[Block]:
        """Yield the rows; a bad line raises only when the block after it is requested."""
        threads = thread_count()
        pool = ThreadPoolExecutor(threads)
        waiting: deque[tuple[Bytes, Future[ParsedRows]]] = deque()
        try:
            for piece in chain(pieces, [None] * threads):
                if piece is not None:
                    waiting.append((piece, pool.submit(self._parse, piece)))
                if len(waiting) > threads or (piece is None and waiting):
                    text, future = waiting.popleft()
                    yield self._finish(text, future.result())
                    if self.failure is not None:
                        raise self.failure
            self._check_end()
        finally:
            pool.shutdown(cancel_futures=True)

    def _parse(self, piece: Bytes) -> ParsedRows:
        if len(piece) and piece[-1] != 10:
            piece = np.append(piece, np.uint8(10))
        return parse_rows(piece, self.dim, dtype=self.dtype)

    def _finish(self, piece: Bytes, rows: ParsedRows) -> Block:
        """Parse the lines that the fast parser deferred, and decode the words."""
        words = rows.words.tobytes().split(b"\n")[:-1]
        vectors = rows.vectors
        dropped: list[int] = []
        added: list[tuple[int, bytes, MatrixLike]] = []
        stop = len(words)
        for row, line, start, is_parsed in self._open_lines(piece, rows):
            if is_parsed and not decimals_to_tell(words[row]):
                continue
            try:
                word, values = parse_row(self._line_at(piece, start), self.dim, dtype=self.dtype)
            except BadRowError as error:
                if self._refuse(line, str(error)):
                    stop = row
                    break
                dropped += [row] if is_parsed else []
            else:
                added += [] if is_parsed else [(row, word, values)]
        words, vectors = _merge(words[:stop], vectors[:stop], dropped, added)
        if not rows.is_whole and self.failure is None:
            self.failure = FormatError(
                f"{self.path}: more than {BAD_LINES:,} lines of {len(piece):,} bytes are blank or bad. "
                "Is it a text file of vectors?"
            )
        self.n_lines += rows.n_lines
        if self.n_rows is not None and self.n_read + len(words) > self.n_rows and self.on_bad == "error":
            self._refuse(self.n_rows + 2, f"the header promises {self.n_rows} rows, but more follow. Is it wrong?")
            words, vectors = words[: self.n_rows - self.n_read], vectors[: self.n_rows - self.n_read]
        self.n_read += len(words)
        return Block(decode_words(words, self.metadata), vectors)

    def _line_at(self, piece: Bytes, start: int) -> bytes:
        """Return a line without its end; a line that is too long for a row is truncated."""
        step = 1 << 14
        heads: list[bytes] = []
        for position in range(start, min(len(piece), start + row_limit(self.dim) + step), step):
            head, newline, _ = piece[position : position + step].tobytes().partition(b"\n")
            heads.append(head)
            if newline:
                break
        return b"".join(heads)

    def _open_lines(self, piece: Bytes, rows: ParsedRows) -> Iterator[tuple[int, int, int, bool]]:
        """Yield row, line number, start, and whether it is parsed, for every line that needs further checks, in order.

        Blank lines at the end of a file are ignored; a blank line before a row is a bad line.
        """
        notes = [(*note, True) for note in rows.spaced.tolist()] + [(*note, False) for note in rows.deferred.tolist()]
        notes.sort(key=lambda note: note[1])
        blank = [line for _, line, start, _ in notes if not self._line_at(piece, start).strip(b" \t\r")]
        trailing = 0
        while blank and blank[-1] == rows.n_lines - 1 - trailing:
            trailing += 1
            blank.pop()
        if trailing < rows.n_lines and self.blank_lines:
            for line in range(self.n_lines - self.blank_lines, self.n_lines):
                self._refuse(line + 1, f"expected {self.dim} values, {BLANK_LINE}")
            self.blank_lines = 0
        self.blank_lines += trailing
        for row, line, start, is_parsed in notes:
            if line < rows.n_lines - trailing:
                yield row, self.n_lines + line + 1, start, is_parsed

    def _refuse(self, line: int, reason: str) -> bool:
        """Count a bad line, or store its error for later and return True."""
        if self.on_bad == "skip":
            count(self.metadata, "skipped_rows", 1)
            return False
        self.failure = self.failure or FormatError(f"{self.path}:{line}: {reason}")
        return True

    def _check_end(self) -> None:
        """Raise an error if the file ends too early, or count the missing rows."""
        if self.on_bad == "skip":
            missing = (self.n_rows or 0) - self.n_read - self.metadata.get("skipped_rows", 0)
            count(self.metadata, "skipped_rows", max(missing, int(self.damage is not None)))
        elif self.damage is not None:
            raise FormatError(str(self.damage).replace(f"{self.path}:", f"{self.path}:{self.n_lines + 1}:", 1))
        elif self.n_rows is not None and self.n_read < self.n_rows:
            raise FormatError(
                f"{self.path}:{self.n_lines}: the header promises {self.n_rows} rows, the file has {self.n_read}. "
                "Is the file cut off?"
            )
        if self.n_read == 0:
            raise FormatError(f"{self.path}: contains no vectors.")


def _merge(
    words: list[bytes], vectors: Matrix, dropped: list[int], added: list[tuple[int, bytes, MatrixLike]]
) -> tuple[list[bytes], Matrix]:
    """Remove some parsed rows and insert others, each before the parsed row of its number."""
    if not dropped and not added:
        return words, vectors
    places = [row for row, _, _ in added]
    keep = np.insert(np.isin(np.arange(len(words)), dropped, invert=True), places, True)
    values = np.array([values for _, _, values in added], dtype=vectors.dtype).reshape(-1, vectors.shape[1])
    for row, word, _ in reversed(added):
        words.insert(row, word)
    return [words[row] for row in np.flatnonzero(keep)], np.insert(vectors, places, values, axis=0)[keep]
