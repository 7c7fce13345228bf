"""Write text vectors, printed in compiled code on several threads so that they read back bit for bit."""

from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import numpy as np

from isoalign._arrays import row_blocks
from isoalign._compile import compiled
from isoalign._threads import thread_count
from isoalign._types import Matrix
from isoalign._validate import first_bad_row
from isoalign.errors import InvalidValueError
from isoalign.io._compression import create_binary
from isoalign.io._numbers import NUMBER_BYTES, format_number
from isoalign.io._segments import Bytes
from isoalign.io._stream import Block, VectorStream
from isoalign.vocabulary import Vocabulary

__all__ = ["write_glove", "write_stream"]

_ROWS = 1024  # printed at once by one thread
_1 = np.uint64(1)


def write_stream(stream: VectorStream, temporary: Path, *, named: Path) -> None:
    """Write a header line with rows and columns, then one line per word; the stream must know its length."""
    assert stream.n_rows is not None
    with create_binary(temporary, named=named) as file:
        file.write(b"%d %d\n" % (stream.n_rows, stream.dim))
        for text in _print_blocks(stream):
            file.write(text.data)


def write_glove(stream: VectorStream, temporary: Path, *, named: Path) -> None:
    """Write one line per word and no header."""
    with create_binary(temporary, named=named) as file:
        for text in _print_blocks(stream):
            file.write(text.data)


def _print_blocks(stream: VectorStream) -> Iterator[Bytes]:
    """Print the rows of a stream on several threads, in order."""
    threads = thread_count()
    pool = ThreadPoolExecutor(threads)
    waiting: deque[Future[Bytes]] = deque()
    try:
        for block in stream.blocks:
            _check_block(block)
            for rows in row_blocks(len(block.words), _ROWS):
                waiting.append(pool.submit(_print_rows, block.words[rows], block.vectors[rows]))
                if len(waiting) > 2 * threads:
                    yield waiting.popleft().result()
            # The block's arrays are the reader's again when the next one is asked for.
            while waiting:
                yield waiting.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)


def _check_block(block: Block) -> None:
    row = first_bad_row(block.vectors)
    if row is not None:
        raise InvalidValueError(f"The vector of {block.words[row]!r} holds NaN or infinity. Text cannot keep that.")
    for word in block.words:
        if "\n" in word or word.endswith((" ", "\t")):
            raise InvalidValueError(
                f"Text cannot keep the word {word!r}: it holds a line end or ends in a space. Write a native folder."
            )


def _print_rows(words: list[str], vectors: Matrix) -> Bytes:
    blob, offsets = Vocabulary(words).to_packed()
    vectors = vectors.astype(np.float32, copy=False)
    text = np.empty(len(blob) + len(words) + vectors.size * (NUMBER_BYTES + 1), dtype=np.uint8)
    return text[: _print_lines(blob, offsets, vectors, text)]


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
