"""Streams of word vectors, read or written one block of rows at a time."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, NamedTuple, Self

import numpy as np

from isoalign._core.arrays import BLOCK_ROWS, row_blocks
from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.spill import LARGE_BYTES, RowSpool
from isoalign._core.types import StoredMatrix
from isoalign.subwords import Subwords
from isoalign.vectors import Embeddings

__all__ = ["Block", "VectorStream", "collect", "stream_embeddings", "take_rows"]


class Block(NamedTuple):
    """Some consecutive rows."""

    words: list[str]
    vectors: StoredMatrix


@dataclass
class VectorStream:
    """The rows of one embedding, read block by block with constant memory.

    Attributes
    ----------
    blocks
        The rows in order. The arrays of a block are valid until the next block is requested.
    dim
        Number of columns.
    n_rows
        Number of rows according to the file; None if unknown.
    counted
        Whether the stream yields exactly ``n_rows`` rows; False if some may be skipped.
    dtype
        Type of the blocks' vectors.
    lang, metadata, subwords
        As in `Embeddings`. ``metadata`` may grow while blocks are read (counts of repaired or skipped lines).
    integer_keys
        Whether the keys are integers; formats that distinguish the two preserve this.
    """

    blocks: Iterator[Block]
    dim: int
    n_rows: int | None = None
    counted: bool = True
    dtype: str = "float32"
    lang: str | None = None
    metadata: dict[str, Any] = field(default_factory=dict)
    subwords: Subwords | None = None
    integer_keys: bool = False

    def map(self, change: Callable[[Block], Block]) -> Self:
        """Apply ``change``, which keeps the number of rows, to all following blocks."""
        self.blocks = map(change, self.blocks)
        return self

    def report(self, progress: Progress, what: str) -> Self:
        """Report the number of rows read to ``progress`` after every block."""

        def watched(blocks: Iterator[Block]) -> Iterator[Block]:
            done = 0
            for block in blocks:
                yield block
                done += len(block.words)
                progress(what, done, self.n_rows)

        if progress is not ignore_progress:
            self.blocks = watched(self.blocks)
        return self


def stream_embeddings(embeddings: Embeddings, *, block_rows: int = BLOCK_ROWS) -> VectorStream:
    """Turn an embedding into a stream of its rows."""
    blocks = (
        Block([str(key) for key in embeddings.keys[rows]], embeddings.vectors[rows])
        for rows in row_blocks(len(embeddings), block_rows)
    )
    return VectorStream(
        blocks,
        dim=embeddings.vector_size,
        n_rows=len(embeddings),
        dtype=embeddings.vectors.dtype.name,
        lang=embeddings.lang,
        metadata=dict(embeddings.metadata),
        subwords=embeddings.subwords,
        integer_keys=not embeddings.has_words,
    )


def collect(stream: VectorStream) -> Embeddings:
    """Read a whole stream into one matrix; a large matrix continues in a mapped temporary file."""
    words: list[str] = []
    most = LARGE_BYTES // (stream.dim * np.dtype(stream.dtype).itemsize)
    vectors = np.empty((min(stream.n_rows or 0, most), stream.dim), dtype=stream.dtype)
    spool: RowSpool | None = None
    for block in stream.blocks:
        start = len(words)
        words += block.words
        if spool is None and len(words) > most:
            spool = RowSpool(stream.dim, stream.dtype)
            spool.append(vectors[:start])
        if spool is not None:
            spool.append(block.vectors)
            continue
        if len(words) > len(vectors):
            # realloc moves the pages of a large array, not its bytes; small steps, because numpy fills the new rows.
            vectors.resize((max(len(words), len(vectors) + len(vectors) // 4), stream.dim), refcheck=False)
        vectors[start : len(words)] = block.vectors
    if spool is None:
        vectors.resize((len(words), stream.dim), refcheck=False)
    else:
        vectors = spool.close()
    keys = [int(word) for word in words] if stream.integer_keys else words
    return Embeddings(keys, vectors, lang=stream.lang, metadata=stream.metadata, subwords=stream.subwords)


def take_rows(blocks: Iterator[Block], n: int) -> Iterator[Block]:
    """Yield the first ``n`` rows and read no block beyond them."""
    for block in blocks:
        if len(block.words) >= n:
            yield Block(list(islice(block.words, n)), block.vectors[:n])
            return
        n -= len(block.words)
        yield block
