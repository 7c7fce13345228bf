"""Find the store that belongs to a name."""

from pathlib import Path
from typing import Any

from isoalign._core.registry import load_object
from isoalign.errors import FormatError, MissingFileError, ParameterError
from isoalign.io import check_readable
from isoalign.migration._stores._base import AbstractSink, AbstractSource, reading

__all__ = ["STORES", "open_sink", "open_source", "source_column"]

_PACKAGE = "isoalign.migration._stores"

STORES = {
    ".npy": ("_numpy:open_npy", "_numpy:write_npy"),
    ".npz": ("_numpy:open_npz", None),
    ".parquet": ("_parquet:open_parquet", "_parquet:write_parquet"),
    "": ("_parquet:open_parquet", "_parquet:write_parquet"),
    ".jsonl": ("_jsonl:open_jsonl", "_jsonl:write_jsonl"),
    ".fvecs": ("_ann_files:open_fvecs", "_ann_files:write_fvecs"),
    ".fbin": ("_ann_files:open_fbin", "_ann_files:write_fbin"),
    ".hdf5": ("_hdf5:open_hdf5", "_hdf5:write_hdf5"),
    ".h5": ("_hdf5:open_hdf5", "_hdf5:write_hdf5"),
}
"""By suffix: what opens a source, and what a sink; a folder that is written has none and holds Parquet."""


def open_source(path: Path, *, column: str | None = None) -> AbstractSource:
    """Open stored vectors; the suffix determines the format; a folder is native or holds parts, native or Parquet."""
    if not path.exists():
        raise MissingFileError(f"{path}: no such file. Check the name.")
    if not path.is_dir():
        check_readable(path)
    opener = _find(path, path.suffix.lower())[0] if path.is_file() else _folder_opener(path)
    with reading(str(path)):
        source: AbstractSource = load_object(f"{_PACKAGE}.{opener}")(path, column=column)
    return source


def _folder_opener(path: Path) -> str:
    from isoalign.migration._stores._native import is_native_store
    from isoalign.migration._stores._parquet import part_files

    if is_native_store(path):
        return "_native:open_native_store"
    if not part_files(path):
        raise FormatError(f"{path}: holds neither native folders nor Parquet files.")
    return "_parquet:open_parquet"


def open_sink(
    path: Path, *, key: str, dim: int, n_rows: int, overwrite: bool = False, column: str | None = None
) -> AbstractSink:
    """Open an output; what an earlier attempt with the same key has written is kept."""
    _, writer = _find(path, path.suffix.lower())
    if writer is None:
        raise ParameterError(f"{path}: this format can only be read. Name a .npy file.")
    options: dict[str, Any] = {"key": key, "dim": dim, "n_rows": n_rows, "overwrite": overwrite, "column": column}
    sink: AbstractSink = load_object(f"{_PACKAGE}.{writer}")(path, **options)
    return sink


def source_column(source: AbstractSource, column: str | None) -> str | None:
    """Return the column that vectors came from, so that they go back to one of that name."""
    found: str | None = getattr(source, "column", column)
    return found


def _find(path: Path, suffix: str) -> tuple[str, str | None]:
    if suffix not in STORES:
        raise ParameterError(f"{path}: no store has the suffix {suffix!r}. Known: {', '.join(filter(None, STORES))}.")
    return STORES[suffix]
