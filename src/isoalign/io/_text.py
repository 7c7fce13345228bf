"""Text vectors: word2vec's and fastText's ``.vec`` with a header line, GloVe's without."""

import re
from collections import Counter, deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import chain
from pathlib import Path

import numpy as np

from isoalign._threads import thread_count
from isoalign.errors import FormatError
from isoalign.io._rows import BadRowError, ParsedRows, parse_row, parse_rows, split_row
from isoalign.io._segments import Bytes, segments
from isoalign.io._stream import Block, VectorStream

__all__ = ["has_header", "open_stream"]

_HEADER = re.compile(rb"[ \t]*(\d{1,18})[ \t]+(\d{1,9})[ \t\r]*")
_FIELDS = re.compile(rb"[^ \t\r]+")
_LOOK_LINES = 1000


def has_header(head: bytes) -> bool:
    """Tell whether text begins with a line of two whole numbers, rows and columns."""
    lines = head.removeprefix(b"\xef\xbb\xbf").split(b"\n", 2)
    header = _HEADER.fullmatch(lines[0])
    if not header:
        return False
    # In a file of one column without header, every line looks like a header.
    return int(header[2]) == 1 or len(lines) < 2 or not lines[1] or len(_FIELDS.findall(lines[1])) != 2


def open_stream(path: Path, *, on_bad: str = "error", dtype: str = "float32") -> VectorStream:
    """Stream the rows of a text file, plain or compressed.

    Parameters
    ----------
    on_bad
        ``"error"`` stops at the first bad line; ``"skip"`` leaves bad lines out and counts them in
        ``metadata["skipped_rows"]``.
    """
    pieces = segments(path)
    first = next(pieces, np.empty(0, dtype=np.uint8))
    # `limit` words need no more than the first lines: a segment is cut so that looking at its head is cheap.
    lines = first[: 1 << 20].tobytes().split(b"\n")[:_LOOK_LINES] if len(first) else []
    if not any(line.strip(b" \t\r") for line in lines):
        raise FormatError(f"{path}: empty file. Expected words and their vectors.")
    n_rows, skip_lines = None, 0
    if has_header(b"\n".join(lines[:3])):
        header = _HEADER.fullmatch(lines[0])
        assert header is not None
        n_rows, dim, skip_lines = int(header[1]), int(header[2]), 1
        first = first[len(lines[0]) + 1 :]
        _check_first_row(path, lines[1:2], dim, n_rows)
    else:
        counts = Counter(len(_FIELDS.findall(line)) for line in lines if line)
        dim = counts.most_common(1)[0][0] - 1
        if dim < 1:
            raise FormatError(
                f"{path}:1: expected a word and its values, got {lines[0][:40].decode(errors='replace')!r}."
            )
    reader = _Reader(path, dim, n_rows, on_bad=on_bad, dtype=dtype, n_lines=skip_lines)
    stream = VectorStream(
        reader.blocks(chain([first], pieces)), dim=dim, n_rows=n_rows, counted=n_rows is not None, dtype=dtype
    )
    reader.metadata = stream.metadata
    return stream


def _check_first_row(path: Path, lines: list[bytes], dim: int, n_rows: int) -> None:
    """Refuse a header whose number of columns is beyond the first row, before memory is set aside for it."""
    if dim < 1:
        raise FormatError(f"{path}:1: the header says {dim} values a row. Is it a header?")
    found = len(_FIELDS.findall(lines[0])) - 1 if lines else -1
    if n_rows and found < dim - 1:
        raise FormatError(
            f"{path}:2: expected {dim} values, as the header says, got {max(found, 0)}. Is the header wrong?"
        )


class _Reader:
    """Parse segments on several threads, in order, and keep account of lines and bad rows."""

    def __init__(self, path: Path, dim: int, n_rows: int | None, *, on_bad: str, dtype: str, n_lines: int) -> None:
        self.path, self.dim, self.n_rows, self.on_bad, self.dtype = path, dim, n_rows, on_bad, dtype
        self.n_lines = n_lines
        self.n_read = 0
        self.blank_line: int | None = None
        self.metadata: dict[str, int] = {}

    def blocks(self, pieces: Iterator[Bytes]) -> Iterator[Block]:
        threads = thread_count()
        pool = ThreadPoolExecutor(threads)
        waiting: deque[tuple[Bytes, Future[ParsedRows]]] = deque()
        try:
            for piece in pieces:
                waiting.append((piece, pool.submit(self._parse, piece)))
                if len(waiting) > threads:
                    yield self._finish(*self._result(waiting))
            while waiting:
                yield self._finish(*self._result(waiting))
            self._check_count()
        finally:
            pool.shutdown(cancel_futures=True)

    def _parse(self, piece: Bytes) -> ParsedRows:
        if len(piece) and piece[-1] != 10:
            piece = np.append(piece, np.uint8(10))
        return parse_rows(piece, self.dim, dtype=self.dtype)

    @staticmethod
    def _result(waiting: deque[tuple[Bytes, Future[ParsedRows]]]) -> tuple[Bytes, ParsedRows]:
        piece, future = waiting.popleft()
        return piece, future.result()

    def _finish(self, piece: Bytes, rows: ParsedRows) -> Block:
        """Decode the words and settle the lines that the fast parser left open."""
        words = rows.words.tobytes().split(b"\n")[:-1]
        vectors = rows.vectors
        dropped = [row for row, line, start in rows.spaced.tolist() if self._is_bad(_line_at(piece, start), line)]
        added: list[tuple[int, bytes, list[float]]] = []
        for row, line, start in rows.deferred.tolist():
            parsed = self._parse_slowly(_line_at(piece, start), line)
            if parsed is not None:
                added.append((row, *parsed))
        if dropped or added:
            positions = [row for row, _, _ in added]
            for row, word, _ in reversed(added):
                words.insert(row, word)
            keep = np.ones(len(vectors), dtype=bool)
            keep[dropped] = False
            values = np.array([values for _, _, values in added], dtype=vectors.dtype).reshape(-1, self.dim)
            vectors, keep = np.insert(vectors, positions, values, axis=0), np.insert(keep, positions, True)
            words = [word for word, kept in zip(words, keep.tolist(), strict=True) if kept]
            vectors = vectors[keep]
        if len(words) and self.blank_line is not None:
            self._refuse(self.blank_line, "expected a row, got an empty line")
            self.blank_line = None
        self.n_lines += rows.n_lines
        self.n_read += len(words)
        if self.n_rows is not None and self.n_read > self.n_rows and self.on_bad == "error":
            raise FormatError(f"{self.path}: the header promises {self.n_rows} rows, but more follow.")
        return Block(self._decode(words), vectors)

    def _parse_slowly(self, text: bytes, line: int) -> tuple[bytes, list[float]] | None:
        if not text.strip(b" \t\r"):
            if self.blank_line is None:
                self.blank_line = self.n_lines + line + 1
            return None
        try:
            return parse_row(text, self.dim, dtype=self.dtype)
        except BadRowError as error:
            self._refuse(self.n_lines + line + 1, str(error))
            return None

    def _is_bad(self, text: bytes, line: int) -> bool:
        try:
            split_row(text, self.dim)
        except BadRowError as error:
            self._refuse(self.n_lines + line + 1, str(error))
            return True
        return False

    def _refuse(self, line: int, reason: str) -> None:
        if self.on_bad == "error":
            hint = (
                " Is the file cut off?" if reason.startswith("expected") else " Repair or skip that line (--skip-bad)."
            )
            raise FormatError(f"{self.path}:{line}: {reason}.{hint}")
        self.metadata["skipped_rows"] = self.metadata.get("skipped_rows", 0) + 1

    def _check_count(self) -> None:
        if self.n_rows is not None and self.n_read < self.n_rows and self.on_bad == "error":
            raise FormatError(
                f"{self.path}:{self.n_lines}: the header promises {self.n_rows} rows, the file has {self.n_read}. "
                "Is the file cut off?"
            )
        if self.n_read == 0:
            raise FormatError(f"{self.path}: holds no vectors.")

    def _decode(self, words: list[bytes]) -> list[str]:
        try:
            return b"\n".join(words).decode().split("\n") if words else []
        except UnicodeDecodeError:
            decoded = [word.decode(errors="replace") for word in words]
            replaced = sum(a.encode() != b for a, b in zip(decoded, words, strict=True))
            self.metadata["replaced_words"] = self.metadata.get("replaced_words", 0) + replaced
            return decoded


def _line_at(piece: Bytes, start: int) -> bytes:
    step = 1 << 14
    line = b""
    for position in range(start, len(piece), step):
        head, newline, _ = piece[position : position + step].tobytes().partition(b"\n")
        line += head
        if newline:
            break
    return line
