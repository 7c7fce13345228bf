"""Read vectors from files of any supported format."""

import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from isoalign._core.progress import ProgressLike, as_progress, ignore_progress
from isoalign._core.types import Matrix, PathName
from isoalign._core.validate import check_choice, check_count, first_bad_row
from isoalign.errors import FormatError, IsoalignWarning
from isoalign.io._checks import count, name_bad_row
from isoalign.io._formats import FORMATS, detect_format
from isoalign.io._native import is_native, open_native
from isoalign.io._stream import Block, VectorStream, collect
from isoalign.io._words import choose_words
from isoalign.vectors import Embeddings

__all__ = ["open_vectors", "read_vectors"]

_COUNTED = {
    "skipped_rows": "{} bad rows were skipped",
    "replaced_words": "{} words were not UTF-8; their bad bytes were replaced",
    "dropped_duplicates": "{} rows repeat an earlier word and were dropped",
}


def open_vectors(
    path: PathName,
    *,
    format: str | None = None,  # noqa: A002  (the name that users expect)
    limit: int | None = None,
    lower: bool = False,
    unicode: str | None = None,
    duplicates: str = "keep",
    dtype: str = "float32",
    on_bad: str = "error",
    lang: str | None = None,
    progress: ProgressLike = ignore_progress,
) -> VectorStream:
    """Open a vector file as a stream of blocks, for work with constant memory.

    The arguments are those of `read_vectors`, except that duplicates are kept by default.
    """
    progress = as_progress(progress)
    path = Path(path)
    check_choice(on_bad, ("error", "skip"), name="on_bad")
    check_choice(dtype, ("float32", "float16", "float64"), name="dtype")
    entry = FORMATS[check_choice(format, FORMATS, name="format")] if format else detect_format(path)
    is_text = entry.name in ("text", "glove")
    if is_text:
        stream = entry.open_stream(path, on_bad=on_bad, dtype="float64" if dtype == "float64" else "float32")
    else:
        stream = entry.open_stream(path, on_bad=on_bad)
    if not is_text or stream.dtype != dtype:  # text readers check for NaN and infinity themselves and know the line
        stream.map(lambda block: Block(block.words, _convert(block.vectors, dtype)))
        stream.dtype = dtype
        stream.blocks = _checked(stream.blocks, stream.metadata, path, on_bad=on_bad)
    stream.lang = lang or stream.lang
    stream.report(progress, f"reading {path.name}")
    stream = choose_words(stream, name=str(path), limit=limit, lower=lower, unicode=unicode, duplicates=duplicates)
    stream.blocks = _warning(stream.blocks, stream.metadata, path)
    stream.counted &= on_bad == "error" and duplicates == "keep"
    return stream


def read_vectors(
    path: PathName,
    *,
    format: str | None = None,  # noqa: A002  (the name that users expect)
    limit: int | None = None,
    lower: bool = False,
    unicode: str | None = None,
    duplicates: str = "first",
    dtype: str = "float32",
    on_bad: str = "error",
    lang: str | None = None,
    progress: ProgressLike = ignore_progress,
) -> Embeddings:
    """Read word vectors from a file of any known format, recognised by its content.

    A native folder is memory-mapped unless an option changes its words or numbers; it is then not checked for bad rows
    or duplicate words.

    Parameters
    ----------
    path
        Text (``.vec``, GloVe), word2vec binary, fastText ``.bin``/``.ftz``, ``.npy`` with a word list, or a native
        folder; text and word2vec binary may be compressed with gzip, bz2, xz or zstd.
    format
        Name of the format; by default it is detected from the content.
    limit
        Keep only the first ``limit`` words.
    lower
        Lower-case the words; of equal words, the first is kept.
    unicode
        Convert words to the Unicode form ``"NFC"`` or ``"NFKC"``.
    duplicates
        For duplicate words: ``"first"`` keeps the first row, ``"keep"`` all rows, ``"error"`` raises an error.
    dtype
        ``"float32"``, or ``"float16"`` for half the memory, or ``"float64"``.
    on_bad
        ``"error"`` stops at the first bad row and names its line; ``"skip"`` skips bad rows and counts them.
    lang
        Language code.
    progress
        Progress callback; True draws a bar.

    Raises
    ------
    FormatError
        If the file does not follow its format; the message names file and line.
    FileAccessError
        If it cannot be read.

    Examples
    --------
    >>> en = read_vectors("wiki.en.vec", limit=200_000, lang="en")  # doctest: +SKIP
    """
    path = Path(path)
    as_stored = not lower and unicode is None and duplicates == "first" and on_bad == "error"
    if as_stored and format in (None, "native") and is_native(path):
        embeddings = open_native(path)
        if embeddings.vectors.dtype == dtype:
            embeddings.lang = lang or embeddings.lang
            return embeddings if limit is None else embeddings.head(check_count(limit, name="limit"))
    return collect(
        open_vectors(
            path,
            format=format,
            limit=limit,
            lower=lower,
            unicode=unicode,
            duplicates=duplicates,
            dtype=dtype,
            on_bad=on_bad,
            lang=lang,
            progress=progress,
        )
    )


def _checked(blocks: Iterator[Block], counts: dict[str, Any], path: Path, *, on_bad: str) -> Iterator[Block]:
    """Drop rows with NaN or infinity, or raise an error."""
    done = 0
    for words, vectors in blocks:
        row = first_bad_row(vectors)
        if row is None:
            yield Block(words, vectors)
        elif on_bad == "error":
            raise FormatError(f"{name_bad_row(path, done + row, words[row], vectors)} Skip it (--skip-bad)?")
        else:
            good = np.flatnonzero(np.isfinite(vectors).all(axis=1))
            count(counts, "skipped_rows", len(words) - len(good))
            yield Block([words[i] for i in good], vectors[good])
        done += len(words)


def _convert(vectors: Matrix, dtype: str) -> Matrix:
    with np.errstate(
        over="ignore", invalid="ignore"
    ):  # values beyond the range of the type become infinite, and are then reported
        return vectors.astype(dtype, copy=False)


def _warning(blocks: Iterator[Block], counts: dict[str, Any], path: Path) -> Iterator[Block]:
    """Yield the blocks, and warn once at the end about repaired and skipped rows."""
    before = dict(counts)
    yield from blocks
    found = [
        text.format(counts[key] - before.get(key, 0))
        for key, text in _COUNTED.items()
        if counts.get(key) != before.get(key)
    ]
    if found:
        warnings.warn(f"{path}: {'; '.join(found)}.", IsoalignWarning, stacklevel=2)
