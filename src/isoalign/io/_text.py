"""Text vectors: word2vec's and fastText's ``.vec`` with a header line, GloVe's without."""

import re
from collections import Counter, deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import chain
from pathlib import Path

import numpy as np

from isoalign._threads import thread_count
from isoalign._types import Matrix
from isoalign.errors import FormatError
from isoalign.io._rows import BadRowError, ParsedRows, parse_row, parse_rows
from isoalign.io._segments import Bytes, segments
from isoalign.io._stream import Block, VectorStream

__all__ = ["has_header", "open_stream"]

_HEADER = re.compile(rb"[ \t]*(\d{1,18})[ \t]+(\d{1,9})[ \t\r]*")
_FIELDS = re.compile(rb"[^ \t\r]+")
_LOOK_LINES = 1000


def has_header(head: bytes) -> bool:
    """Tell whether text begins with a line of two whole numbers, rows and columns."""
    first_line = head.removeprefix(b"\xef\xbb\xbf").partition(b"\n")[0]
    return _HEADER.fullmatch(first_line) is not None


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
    header = _HEADER.fullmatch(lines[0])
    if header is not None:
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
        self.n_lines = n_lines  # in all segments before the current one
        self.n_read = 0
        self.blank_lines = 0  # at the end of what has been read; only further rows make them an error
        self.metadata: dict[str, int] = {}
        self.failure: FormatError | None = None

    def blocks(self, pieces: Iterator[Bytes]) -> Iterator[Block]:
        """Yield the rows; a bad line is raised only when somebody asks for what follows it."""
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
            self._check_count()
        finally:
            pool.shutdown(cancel_futures=True)

    def _parse(self, piece: Bytes) -> ParsedRows:
        if len(piece) and piece[-1] != 10:
            piece = np.append(piece, np.uint8(10))
        return parse_rows(piece, self.dim, dtype=self.dtype)

    def _finish(self, piece: Bytes, rows: ParsedRows) -> Block:
        """Settle the lines that the fast parser left open, and decode the words."""
        words = rows.words.tobytes().split(b"\n")[:-1]
        vectors = rows.vectors
        dropped: list[int] = []
        added: list[tuple[int, bytes, list[float]]] = []
        stop = len(words)
        for row, line, start, is_parsed in self._open_lines(piece, rows):
            try:
                word, values = parse_row(_line_at(piece, start), self.dim, dtype=self.dtype)
            except BadRowError as error:
                if self._refuse(line, str(error)):
                    stop = row
                    break
                dropped += [row] if is_parsed else []
            else:
                added += [] if is_parsed else [(row, word, values)]
        words, vectors = _merge(words[:stop], vectors[:stop], dropped, added)
        self.n_lines += rows.n_lines
        self.n_read += len(words)
        if self.n_rows is not None and self.n_read > self.n_rows and self.on_bad == "error":
            raise FormatError(f"{self.path}: the header promises {self.n_rows} rows, but more follow.")
        return Block(self._decode(words), vectors)

    def _open_lines(self, piece: Bytes, rows: ParsedRows) -> Iterator[tuple[int, int, int, bool]]:
        """Yield row, line number, start, and whether it is parsed already, for every line to look at, in order.

        Blank lines at the end of a file are nothing; a blank line before a row is a bad line.
        """
        notes = [(*note, True) for note in rows.spaced.tolist()] + [(*note, False) for note in rows.deferred.tolist()]
        notes.sort(key=lambda note: note[1])
        blank = [line for _, line, start, _ in notes if not _line_at(piece, start).strip(b" \t\r")]
        trailing = 0
        while blank and blank[-1] == rows.n_lines - 1 - trailing:
            trailing += 1
            blank.pop()
        if trailing < rows.n_lines and self.blank_lines:
            self._refuse(self.n_lines, f"expected {self.dim} values, got 0")
            self.blank_lines = 0
        self.blank_lines += trailing
        for row, line, start, is_parsed in notes:
            if line < rows.n_lines - trailing:
                yield row, self.n_lines + line + 1, start, is_parsed

    def _refuse(self, line: int, reason: str) -> bool:
        """Count a bad line, or keep its error for later and return True."""
        if self.on_bad == "skip":
            self.metadata["skipped_rows"] = self.metadata.get("skipped_rows", 0) + 1
            return False
        hint = "Is the file cut off?" if reason.startswith("expected") else "Repair or skip that line (--skip-bad)."
        self.failure = self.failure or FormatError(f"{self.path}:{line}: {reason}. {hint}")
        return True

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


def _merge(
    words: list[bytes], vectors: Matrix, dropped: list[int], added: list[tuple[int, bytes, list[float]]]
) -> tuple[list[bytes], Matrix]:
    """Take rows out of parsed ones and put others in, each before the parsed row of its number."""
    if not dropped and not added:
        return words, vectors
    places = [row for row, _, _ in added]
    keep = np.insert(np.isin(np.arange(len(words)), dropped, invert=True), places, True)
    values = np.array([values for _, _, values in added], dtype=vectors.dtype).reshape(-1, vectors.shape[1])
    for row, word, _ in reversed(added):
        words.insert(row, word)
    return [words[row] for row in np.flatnonzero(keep)], np.insert(vectors, places, values, axis=0)[keep]


def _line_at(piece: Bytes, start: int) -> bytes:
    step = 1 << 14
    line = b""
    for position in range(start, len(piece), step):
        head, newline, _ = piece[position : position + step].tobytes().partition(b"\n")
        line += head
        if newline:
            break
    return line
