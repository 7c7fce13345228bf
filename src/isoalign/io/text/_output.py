"""Write text vectors, printed by compiled code on several threads, that read back bit for bit."""

from codecs import BOM_UTF8
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import numpy as np

from isoalign._core.arrays import row_blocks
from isoalign._core.compile import compiled
from isoalign._core.threads import thread_count
from isoalign._core.types import StoredMatrix
from isoalign.errors import InvalidValueError
from isoalign.io._bounds import WORD_CHARACTERS
from isoalign.io._checks import convert_blocks
from isoalign.io._compression import create_binary
from isoalign.io._stream import VectorStream
from isoalign.io.text._digits import NUMBER_BYTES, format_number
from isoalign.io.text._reader import has_header
from isoalign.io.text._rows import decimals_to_tell
from isoalign.vocabulary import Vocabulary

__all__ = ["write_glove", "write_stream"]

_ROWS = 1024  # printed at once by one thread
_1 = np.uint64(1)


def write_stream(stream: VectorStream, temporary: Path, *, named: Path) -> None:
    """Write a header line with rows and columns, then one line per word; the stream must know its length."""
    assert stream.n_rows is not None
    with create_binary(temporary, named=named) as file:
        file.write(b"%d %d\n" % (stream.n_rows, stream.dim))
        for text in _print_blocks(stream, named):
            file.write(text)


def write_glove(stream: VectorStream, temporary: Path, *, named: Path) -> None:
    """Write one line per word and no header."""
    with create_binary(temporary, named=named) as file:
        for number, text in enumerate(_print_blocks(stream, named)):
            file.write(text if number else _as_beginning(bytes(text)))


def _as_beginning(text: bytes) -> bytes:
    """Return the first rows of a file, such that they are not read as a header or a byte order mark.

    A reader drops one byte order mark, and a header has no decimals.
    """
    if text.startswith(BOM_UTF8):
        return BOM_UTF8 + text
    first, newline, rest = text.partition(b"\n")
    return first + b".0" + newline + rest if has_header(first) else text


def _print_blocks(stream: VectorStream, named: Path) -> Iterator[memoryview | bytes]:
    """Print the rows of a stream on several threads, in order."""
    threads = thread_count()
    pool = ThreadPoolExecutor(threads)
    waiting: deque[Future[memoryview | bytes]] = deque()
    try:
        for block in convert_blocks(stream, "float32", named=named):
            _check_words(block.words, named)
            for rows in row_blocks(len(block.words), _ROWS):
                waiting.append(pool.submit(_print_rows, block.words[rows], block.vectors[rows]))
                if len(waiting) > 2 * threads:
                    yield waiting.popleft().result()
            # The arrays of the block are reused when the next one is requested.
            while waiting:
                yield waiting.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)


def _check_words(words: list[str], named: Path) -> None:
    for word in words:
        if "\n" in word or word.endswith((" ", "\t")) or len(word) > WORD_CHARACTERS:
            raise InvalidValueError(
                f"{named}: text cannot contain the word {word[:60]!r}: it has a line end, ends in a space or has more "
                f"than {WORD_CHARACTERS} characters. Write a native folder."
            )


def _print_rows(words: list[str], vectors: StoredMatrix) -> memoryview | bytes:
    blob, offsets = Vocabulary(words).to_packed()
    buffer = np.empty(len(blob) + len(words) + vectors.size * (NUMBER_BYTES + 1), dtype=np.uint8)
    text = buffer[: _print_lines(blob, offsets, vectors, buffer)].data
    spaced = [row for row, word in enumerate(words) if " " in word or "\t" in word]
    decimals = {row: decimals_to_tell(words[row].encode()) for row in spaced}
    return _with_decimals(bytes(text), words, decimals) if any(decimals.values()) else text


def _with_decimals(text: bytes, words: list[str], decimals: dict[int, int]) -> bytes:
    """Give the numbers of some rows enough decimals to distinguish them from a number at the end of the word."""
    lines = text.split(b"\n")
    for row, least in decimals.items():
        word = words[row].encode()
        numbers = [_pad(number, least) for number in lines[row][len(word) + 1 :].split(b" ")]
        lines[row] = b" ".join([word, *numbers])
    return b"\n".join(lines)


def _pad(number: bytes, decimals: int) -> bytes:
    digits, e, exponent = number.partition(b"e")
    whole, _, behind = digits.partition(b".")
    return (whole + b"." + behind.ljust(decimals, b"0") if decimals else digits) + e + exponent


@compiled()
def _print_lines(blob, offsets, vectors, text):  # type: ignore[no-untyped-def]
    scratch = np.empty(1, dtype=np.float32)
    bits = (scratch, scratch.view(np.int32))
    at = np.uint64(0)
    for row in range(np.uint64(len(vectors))):
        for byte in range(np.uint64(offsets[row]), np.uint64(offsets[row + _1])):
            text[at] = blob[byte]
            at += _1
        for column in range(np.uint64(vectors.shape[1])):
            text[at] = 32
            at = format_number(vectors[row, column], text, at + _1, bits)
        text[at] = 10
        at += _1
    return at
