"""Normalise a vector file that may be larger than memory."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from isoalign._progress import Progress, ignore_progress
from isoalign._types import PathName
from isoalign.io import (
    Block,
    VectorStream,
    _native,
    format_for_writing,
    open_vectors,
    replacing_file,
    replacing_folder,
    spool_folder,
    stream_embeddings,
)
from isoalign.normalization._base import AbstractNormalizer
from isoalign.normalization._embeddings import as_normalizer, describe_run, naming_words

__all__ = ["normalize_file"]


def normalize_file(
    source: PathName,
    target: PathName,
    method: str | AbstractNormalizer = "iternorm",
    *,
    format: str | None = None,  # noqa: A002  (the name that users expect)
    overwrite: bool = False,
    reading: dict[str, Any] | None = None,
    progress: Progress = ignore_progress,
    **settings: Any,
) -> AbstractNormalizer:
    """Normalise a vector file into another file, with memory for a few blocks and the words.

    The rows are first written to a native folder, which is then changed in place through a memory map. That folder is
    the result, or is rewritten in the format of the result.

    Parameters
    ----------
    source
        A file of any format that `open_vectors` knows. All rows of it count for the statistics.
    target
        Where to write; the name decides the format.
    method
        As in `normalize`.
    format
        Format of ``target``, where its name should not decide.
    overwrite
        Whether an existing ``target`` may be replaced.
    reading
        Further arguments of `open_vectors`, such as ``limit``.
    progress
        Told the rows read and written and the passes done.
    settings
        Those of the method: ``n_iter``, ``tol``, ….

    Returns
    -------
    normalizer
        The fitted normaliser; ``history_`` of `IterNorm` has the residuals.
    """
    target = Path(target)
    normalizer = as_normalizer(method, settings)
    entry = format_for_writing(target, format)
    stream = open_vectors(source, progress=progress, **(reading or {}))
    if entry.is_folder:
        with replacing_folder(target, overwrite=overwrite) as folder:
            _normalize_into(folder, stream, normalizer, named=target, progress=progress)
        return normalizer
    with (
        replacing_file(target, overwrite=overwrite) as temporary,
        spool_folder(beside=target) as spool,
    ):
        _normalize_into(spool, stream, normalizer, named=target, progress=progress)
        result = stream_embeddings(_native.open_native(spool))
        entry.write_stream(result.report(progress, f"writing {target.name}"), temporary, named=target)
    return normalizer


def _normalize_into(
    folder: Path, stream: VectorStream, normalizer: AbstractNormalizer, *, named: Path, progress: Progress
) -> None:
    stream.blocks = _recording(stream.blocks, stream.metadata, normalizer)
    _native.write_stream(stream, folder, named=named)
    embeddings = _native.open_native(folder, mode="r+")
    with naming_words(embeddings):
        normalizer.fit_transform(embeddings.vectors, copy=False, progress=progress)


def _recording(blocks: Iterator[Block], metadata: dict[str, Any], normalizer: AbstractNormalizer) -> Iterator[Block]:
    """Pass the blocks on; after the last, when their rows are counted, add the method to the metadata."""
    n_rows = 0
    for block in blocks:
        n_rows += len(block.words)
        yield block
    metadata["normalization"] = describe_run(normalizer, n_rows=n_rows)
