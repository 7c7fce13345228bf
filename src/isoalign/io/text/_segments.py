"""Split a text file, plain or compressed, into runs of whole lines."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from isoalign.errors import FormatError
from isoalign.io._bounds import LINE_BYTES
from isoalign.io._compression import compression_of, open_binary

__all__ = ["Bytes", "segments"]

Bytes = NDArray[np.uint8]

_SEGMENT_BYTES = 4 << 20  # parsed at once by one thread
_NEWLINE = 10
_BOM = np.frombuffer(b"\xef\xbb\xbf", dtype=np.uint8)


def segments(path: Path) -> Iterator[Bytes]:
    """Yield the bytes of a file in order, split only after line ends; a byte order mark is dropped.

    A plain file is memory-mapped: its pages belong to the system's cache and not to this process. A line of more than
    `LINE_BYTES` ends the segments with an error.
    """
    pieces = _mapped(path) if compression_of(path) is None else _decompressed(path)
    for number, piece in enumerate(pieces):
        yield piece[3:] if number == 0 and np.array_equal(piece[:3], _BOM) else piece


def _mapped(path: Path) -> Iterator[Bytes]:
    if path.stat().st_size == 0:
        return
    data = np.memmap(path, dtype=np.uint8, mode="r").view(np.ndarray)
    start = 0
    while start < len(data):
        stop = _line_end(path, data, min(start + _SEGMENT_BYTES, len(data)))
        yield data[start:stop]
        start = stop


def _line_end(path: Path, data: Bytes, position: int) -> int:
    """Return the first position at or after ``position`` that follows a line end, or the end of the data."""
    step = 1 << 16
    last = position + LINE_BYTES
    while position < len(data):
        if position > last:
            raise _endless(path)
        if data[position - 1] == _NEWLINE:
            return position
        found = np.flatnonzero(data[position : position + step] == _NEWLINE)
        if len(found):
            return position + int(found[0]) + 1
        position += step
    return len(data)


def _decompressed(path: Path) -> Iterator[Bytes]:
    """Yield the lines that can be decompressed before the error of a damaged file."""
    with open_binary(path) as file:
        waiting = bytearray()
        try:
            while piece := file.read1(_SEGMENT_BYTES):  # type: ignore[attr-defined]
                waiting += piece
                if len(waiting) >= _SEGMENT_BYTES and _NEWLINE in piece:
                    yield _take_lines(waiting)
                elif len(waiting) > LINE_BYTES + _SEGMENT_BYTES:
                    raise _endless(path)
        except Exception:
            if _NEWLINE in waiting:
                yield _take_lines(waiting)
            raise
        if waiting:
            yield np.frombuffer(bytes(waiting), dtype=np.uint8)


def _take_lines(waiting: bytearray) -> Bytes:
    """Remove and return the whole lines from bytes with at least one line end."""
    stop = waiting.rindex(_NEWLINE) + 1
    lines = np.frombuffer(bytes(waiting[:stop]), dtype=np.uint8)
    del waiting[:stop]
    return lines


def _endless(path: Path) -> FormatError:
    return FormatError(f"{path}: a line does not end within {LINE_BYTES:,} bytes. Is it a text file of vectors?")
