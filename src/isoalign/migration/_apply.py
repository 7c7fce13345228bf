"""Map stored vectors with an adapter, chunk by chunk: constant memory, resumable."""

import hashlib
import json
import logging
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from isoalign._core.executor import Executor
from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.types import PathName
from isoalign.errors import ParameterError
from isoalign.migration._adapter import Adapter
from isoalign.migration._parts import apply_to_parts
from isoalign.migration._stores import (
    AbstractSource,
    mapped_chunks,
    open_sink,
    open_source,
    source_column,
    widen,
)

__all__ = ["ALLOW", "Applied", "adapter_key", "apply_adapter"]

ALLOW = "Pass allow_mismatch=True to continue anyway."
FOLDERS = ("", ".parts")
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Applied:
    """Result: the number of rows, the number of rows from an earlier attempt, and the type that was widened."""

    rows: int
    resumed: int
    widened: str | None


def apply_adapter(
    adapter: Adapter,
    path: PathName,
    output: PathName,
    *,
    column: str | None = None,
    allow_mismatch: bool = False,
    overwrite: bool = False,
    executor: Executor | None = None,
    progress: Progress = ignore_progress,
) -> Applied:
    """Map all stored vectors and write them to a new store.

    Parameters
    ----------
    adapter
        A fitted adapter.
    path
        ``.npy``, ``.npz``, ``.jsonl``, ``.fvecs``, ``.fbin``, ``.hdf5``, ``.parquet``, a native folder, or a folder of
        Parquet files or of native folders.
    output
        Output; the suffix determines the format. A name without a suffix, or ending in ``.parts``, is a folder: of the
        parts of the input if that is a folder, else of Parquet files. The output appears when it is complete. After an
        interruption, the same call resumes.
    column
        Column, field, data set or array of the vectors, if there are several.
    allow_mismatch
        Accept vectors that seem to come from another model; the dimension must match in any case.
    overwrite
        Whether an existing output may be replaced.
    executor
        Where to map the parts of a folder to those of another one, such as `isoalign.experiments.Dask`; None is this
        process.
    progress
        Progress callback.
    """
    path, output = Path(path), Path(output)
    source = open_source(path, column=column)
    _check_first(adapter, source, str(path), allow_mismatch=allow_mismatch)
    stamps = [(str(one.relative_to(path)), one.stat().st_size, one.stat().st_mtime_ns) for one in _files(path)]
    key = adapter_key(adapter, str(path.resolve()), stamps, column)
    found = source_column(source, column)
    widened = None if source.dtype == "float32" else source.dtype.name
    if path.is_dir() and output.suffix in FOLDERS:
        resumed = apply_to_parts(
            adapter, path, output, key=key, column=found, overwrite=overwrite, executor=executor, progress=progress
        )
        return Applied(source.n_rows, resumed, widened)
    if executor is not None:
        raise ParameterError(f"{path}: only a folder of parts can be distributed, to another folder.")
    options: dict[str, Any] = {"key": key, "overwrite": overwrite, "column": found}
    sink = open_sink(output, dim=adapter.map_.dim_out, n_rows=source.n_rows, **options)
    resumed = sink.done
    if resumed:
        _log.info("%s: %d of %d rows are there already.", output, resumed, source.n_rows)
    try:
        with closing(mapped_chunks(adapter.map_, source, resumed, name=str(path))) as chunks:
            for chunk in chunks:
                sink.write(chunk)
                progress("mapping vectors", sink.done, source.n_rows)
        sink.finish()
    finally:
        sink.close()
    return Applied(source.n_rows, resumed, widened)


def _files(path: Path) -> list[Path]:
    """Return the files that hold the vectors."""
    return [path] if path.is_file() else sorted([*path.glob("*.parquet"), *path.rglob("*.safetensors")])


def adapter_key(adapter: Adapter, *about: object) -> str:
    """Return a hash of an adapter and of what it is applied to."""
    digest = hashlib.sha256(json.dumps([adapter.record_, *about], sort_keys=True).encode())
    for _, array in sorted(adapter.map_.get_state().items()):
        digest.update(array.tobytes())
    return digest.hexdigest()


def _check_first(adapter: Adapter, source: AbstractSource, name: str, *, allow_mismatch: bool) -> None:
    first = widen(next(source.chunks()).vectors, name=name)
    if not allow_mismatch or first.shape[1] != adapter.n_features_in_:
        adapter.check(first, name=name, advice=ALLOW)
