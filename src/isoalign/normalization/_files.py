"""Normalise vector files that may be larger than memory."""

import warnings
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from isoalign._core.executor import Executor
from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.types import Matrix, PathName
from isoalign.errors import IsoalignWarning
from isoalign.io import (
    FORMATS,
    Block,
    VectorStream,
    change_parts,
    check_place,
    count_rows,
    format_for_writing,
    hold_parts,
    open_native,
    open_vectors,
    replacing_file,
    replacing_folder,
    require_parts,
    spool_folder,
    stream_embeddings,
)
from isoalign.normalization._base import AbstractNormalizer
from isoalign.normalization._embeddings import as_normalizer, describe_run, naming_words
from isoalign.normalization._registry import DEFAULT_NORMALIZATION
from isoalign.normalization._row_parts import RowParts

__all__ = ["normalize_file"]


def normalize_file(
    source: PathName,
    target: PathName,
    method: str | AbstractNormalizer = DEFAULT_NORMALIZATION,
    *,
    format: str | None = None,  # noqa: A002  (the name that users expect)
    overwrite: bool = False,
    reading: dict[str, Any] | None = None,
    executor: Executor | None = None,
    progress: Progress = ignore_progress,
    **settings: Any,
) -> AbstractNormalizer:
    """Normalise a vector file and write the result to another file, keeping only words and a few blocks in memory.

    The vectors are first written to a native folder, which is normalised in place through a memory map. This folder is
    the result, or is converted to the format of the result.

    Parameters
    ----------
    source
        Vector file in any format that `open_vectors` reads. The normaliser is fitted to all of its rows.
    target
        Output path; its suffix determines the format.
    method
        Name or normaliser, see `normalize`.
    format
        Format of ``target``. None determines it from the suffix.
    overwrite
        Whether to replace an existing ``target``.
    reading
        Further arguments of `open_vectors`, such as ``limit``.
    executor
        Where to work on the parts of a folder of parts, such as `isoalign.experiments.Dask`; ``target`` is then a
        folder of native parts. None is this process.
    progress
        Progress callback.
    settings
        Settings of the method, such as ``n_iter`` or ``tol``.

    Returns
    -------
    normalizer
        The fitted normaliser.
    """
    target = Path(target)
    normalizer = as_normalizer(method, settings)
    if executor is not None:
        with hold_parts(target, overwrite=overwrite):
            return _normalize_parts(
                Path(source), target, normalizer, executor, overwrite, dict(reading or {}), progress
            )
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
        result = stream_embeddings(open_native(spool))
        entry.write_stream(result.report(progress, f"writing {target.name}"), temporary, named=target)
    return normalizer


def _normalize_parts(
    source: Path,
    target: Path,
    normalizer: AbstractNormalizer,
    executor: Executor,
    overwrite: bool,
    reading: dict[str, Any],
    progress: Progress,
) -> AbstractNormalizer:
    """Fit to sums over the parts, then normalise every part on its own."""
    parts, on_bad = require_parts(source, **reading), reading.get("on_bad", "error")
    check_place(target, overwrite=overwrite, folder=True)
    open_vectors(source)  # raises an error if parts have different dimensions
    rows = RowParts(parts, on_bad=on_bad, executor=executor, progress=progress)
    normalizer.fit_parts(rows)
    run = describe_run(normalizer, n_rows=rows.count() if on_bad == "skip" else sum(map(count_rows, parts)))
    change_parts(
        source,
        target,
        partial(_transform_quietly, normalizer),
        dim=rows.dim,
        about={"normalization": run},
        overwrite=overwrite,
        on_bad=on_bad,
        executor=executor,
        progress=progress,
    )
    return normalizer


def _transform_quietly(normalizer: AbstractNormalizer, X: Matrix) -> Matrix:
    """Transform rows that the normaliser was fitted to, and that it has warned of once."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", IsoalignWarning)
        return normalizer.transform(X)


def _normalize_into(
    folder: Path, stream: VectorStream, normalizer: AbstractNormalizer, *, named: Path, progress: Progress
) -> None:
    stream.blocks = _recording(stream.blocks, stream.metadata, normalizer)
    FORMATS["native"].write_stream(stream, folder, named=named)
    embeddings = open_native(folder, mode="r+")
    with naming_words(embeddings):
        normalizer.fit_transform(embeddings.vectors, copy=False, progress=progress)


def _recording(blocks: Iterator[Block], metadata: dict[str, Any], normalizer: AbstractNormalizer) -> Iterator[Block]:
    """Yield the blocks, then add the method and the number of rows to the metadata."""
    n_rows = 0
    for block in blocks:
        n_rows += len(block.words)
        yield block
    metadata["normalization"] = describe_run(normalizer, n_rows=n_rows)
