r"""The binary format of word2vec: a line ``n dim``, then per row a word, a space and ``dim`` little-endian float32.

The original program ends a row with ``\n``, others do not; a reader accepts both.
"""

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from isoalign._core.arrays import BLOCK_ROWS
from isoalign._core.compile import compiled
from isoalign._core.types import IntVector
from isoalign.errors import FormatError, InvalidValueError
from isoalign.io._bounds import WORD_BYTES, WORD_CHARACTERS
from isoalign.io._checks import check_dim, convert_blocks, count, decode_words
from isoalign.io._compression import bare_name, compression_of, create_binary, naming_damage, open_binary, read_head
from isoalign.io._stream import Block, VectorStream
from isoalign.vocabulary import Vocabulary

__all__ = ["looks_like", "open_stream", "write_stream"]

_HEADER = re.compile(rb"[ \t]*(\d{1,18})[ \t]+(\d{1,9})[ \t\r]*\n")
_HEADER_BYTES = 64
_BUFFER_BYTES = 1 << 23
_MAX_RATIO = 16  # float32 values are never compressed more, so a header with more rows is not trusted
_SPACE, _NEWLINE = 32, 10


def looks_like(head: bytes, path: Path) -> bool:
    """Return whether the first bytes of a file are those of a word2vec binary file, and not of a text file."""
    header = _HEADER.match(head)
    if header is None:
        return False
    dim = int(header[2])
    rows = head[header.end() :]
    word, space, values = rows.partition(b" ")
    if not space or dim == 0 or len(word) > WORD_BYTES or _is_text_row(rows.partition(b"\n")[0], dim):
        return False
    values = values[: 4 * dim]
    return bare_name(path).lower().endswith(".bin") or not _is_text(values)


def _is_text_row(line: bytes, dim: int) -> bool:
    """Return whether the last ``dim`` fields of a line are written numbers."""
    fields = line.split()[-dim:]
    try:
        return len(fields) == dim and all(float(field) is not None for field in fields)
    except ValueError:
        return False


def _is_text(values: bytes) -> bool:
    """Return whether bytes could be UTF-8 text without control characters."""
    if any(byte < 32 and byte not in b"\t\n\r" for byte in values):
        return False
    try:
        values[:-3].decode()  # the end may cut a character
    except UnicodeDecodeError:
        return False
    return True


def open_stream(path: Path, *, on_bad: str = "error") -> VectorStream:
    """Open a word2vec binary file, compressed or not, as a stream of its rows.

    Invalid UTF-8 in words is replaced and counted in ``metadata["replaced_words"]``.

    Parameters
    ----------
    on_bad
        ``"skip"`` reads the complete rows of a truncated file, and counts the missing ones in
        ``metadata["skipped_rows"]``.
    """
    header = _HEADER.match(head := read_head(path, _HEADER_BYTES))
    if header is None:
        raise FormatError(f"{path}:1: expected a line with the number of words and of values, got {head[:20]!r}.")
    n_rows, dim = int(header[1]), check_dim(int(header[2]), path=path)
    needed = header.end() + n_rows * (4 * dim + 1)
    size, packed = path.stat().st_size, compression_of(path) is not None
    if needed > size and not packed and on_bad == "error":
        raise FormatError(
            f"{path}:1: the header promises {n_rows} rows of {dim} values, at least {needed} bytes, "
            f"but the file has {size}. Is it cut off?"
        )
    metadata: dict[str, Any] = {}
    believed = needed <= size * (_MAX_RATIO if packed else 1)
    reader = _RowSplitter(path, header.end(), n_rows, dim, on_bad, metadata)
    return VectorStream(reader.read(), dim=dim, n_rows=n_rows if believed else None, metadata=metadata)


class _RowSplitter:
    """Split a file into rows, one buffer at a time."""

    def __init__(self, path: Path, start: int, n_rows: int, dim: int, on_bad: str, metadata: dict[str, Any]) -> None:
        self.path, self.start, self.n_rows, self.dim = path, start, n_rows, dim
        self.on_bad, self.metadata = on_bad, metadata
        self.damaged = False

    def read(self) -> Iterator[Block]:
        """Yield the rows in blocks, whose arrays are reused."""
        with open_binary(self.path) as file:
            file.read(self.start)
            yield from self._read_rows(file)

    def _read_rows(self, file: IO[bytes]) -> Iterator[Block]:
        row_bytes = 4 * self.dim + 1
        buffer = np.empty(max(_BUFFER_BYTES, 2 * (row_bytes + WORD_BYTES)), dtype=np.uint8)
        block_rows = min(BLOCK_ROWS, len(buffer) // row_bytes)
        vectors = np.empty((block_rows, self.dim), dtype="<f4")
        blob, ends = np.empty(len(buffer), dtype=np.uint8), np.empty(block_rows, dtype=np.int64)
        done, filled, offset = 0, 0, self.start
        while done < self.n_rows:
            filled += self._read_into(file, buffer.data[filled:])
            room = min(block_rows, self.n_rows - done)
            found, used = _split_rows(buffer[:filled], vectors.view(np.uint8)[:room], blob, ends)
            if found == 0:
                self._end_early(done, offset, filled)
                return
            yield Block(decode_words(_cut(blob, ends[:found]), self.metadata), vectors[:found])
            done, filled, offset = done + found, filled - used, offset + used
            buffer[:filled] = buffer[used : used + filled]
        self._check_end(file, buffer[:filled].tobytes(), offset)

    def _read_into(self, file: IO[bytes], room: memoryview) -> int:
        """Fill the buffer to the end of the file, or to the damage if damaged rows are skipped."""
        filled = 0
        while filled < len(room) and not self.damaged:
            try:
                with naming_damage(self.path):
                    # One piece at a time, so that an error does not lose the previous pieces.
                    got: int = file.readinto1(room[filled:])  # type: ignore[attr-defined]
            except FormatError:
                if self.on_bad == "error":
                    raise
                self.damaged = True
                break
            if not got:
                break
            filled += got
        return filled

    def _end_early(self, done: int, offset: int, left: int) -> None:
        """Raise an error that explains why no further row could be read."""
        if self.on_bad == "skip":
            count(self.metadata, "skipped_rows", self.n_rows - done)
            return
        place = f"{self.path}: row {done + 1} of {self.n_rows} at byte {offset}"
        if left > 4 * self.dim + WORD_BYTES:
            raise FormatError(f"{place}: no space ends the word. Is this a word2vec binary file?")
        raise FormatError(f"{place}: the file ends before the row does. Is it cut off?")

    def _check_end(self, file: IO[bytes], rest: bytes, offset: int) -> None:
        """Raise an error for bytes after the last row, other than its newline."""
        if self.on_bad == "skip":
            return
        rest += file.read(2)
        if rest not in (b"", b"\n"):
            raise FormatError(
                f"{self.path}: byte {offset}: the file continues after the {self.n_rows} rows of {self.dim} values "
                "that its header promises. Is the header right?"
            )


def _cut(blob: NDArray[np.uint8], ends: IntVector) -> list[bytes]:
    stops = ends.tolist()
    text = blob[: stops[-1]].tobytes()
    return [text[start:stop] for start, stop in pairwise([0, *stops])]


@compiled()
def _split_rows(
    buffer: NDArray[np.uint8], values: NDArray[np.uint8], blob: NDArray[np.uint8], ends: IntVector
) -> tuple[int, int]:
    """Copy the values of complete rows and concatenate their words; return the number of rows and bytes used."""
    row_bytes = values.shape[1]
    position, end = 0, 0
    for row in range(len(values)):
        start = position
        if start < len(buffer) and buffer[start] == _NEWLINE:
            start += 1
        stop = start
        while stop < len(buffer) and buffer[stop] != _SPACE:
            stop += 1
        if stop - start > WORD_BYTES or stop + 1 + row_bytes > len(buffer):
            return row, position
        for place in range(start, stop):
            blob[end] = buffer[place]
            end += 1
        ends[row] = end
        _copy_bytes(buffer[stop + 1 :], values[row])
        position = stop + 1 + row_bytes
    return len(values), position


@compiled(inline=True)
def _copy_bytes(source: NDArray[np.uint8], target: NDArray[np.uint8]) -> None:
    """Fill the target; a plain loop is compiled to a block copy, unlike a slice assignment."""
    for place in range(len(target)):
        target[place] = source[place]


def write_stream(stream: VectorStream, temporary: Path, *, named: Path) -> None:
    """Write a stream as a word2vec binary file; the stream must know its length."""
    assert stream.n_rows is not None
    with create_binary(temporary, named=named) as file:
        file.write(b"%d %d\n" % (stream.n_rows, stream.dim))
        for words, vectors in convert_blocks(stream, "<f4", named=named):
            for word in words:
                if " " in word or word.startswith("\n") or len(word) > WORD_CHARACTERS:
                    raise InvalidValueError(
                        f"{named}: word2vec binary cannot hold the word {word[:60]!r}: a word must not have "
                        f"spaces or more than {WORD_CHARACTERS} characters. Choose another format, such as .vec."
                    )
            file.write(_join_rows(*Vocabulary(words).to_packed(), vectors.view(np.uint8)).data)


@compiled()
def _join_rows(blob: NDArray[np.uint8], offsets: IntVector, values: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return word, space, values and newline of every row as bytes."""
    n, row_bytes = values.shape
    joined = np.empty(len(blob) + n * (row_bytes + 2), dtype=np.uint8)
    position = 0
    for row in range(n):
        length = offsets[row + 1] - offsets[row]
        _copy_bytes(blob[offsets[row] :], joined[position : position + length])
        position += length
        joined[position] = _SPACE
        _copy_bytes(values[row], joined[position + 1 : position + 1 + row_bytes])
        position += row_bytes + 1
        joined[position] = _NEWLINE
        position += 1
    return joined
