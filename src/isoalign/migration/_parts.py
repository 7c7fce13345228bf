"""Map the parts of a folder with an adapter, in this process or with an executor."""

import shutil
from collections.abc import Iterator
from contextlib import closing
from functools import lru_cache, partial
from pathlib import Path
from typing import NamedTuple

from isoalign._core.arrays import row_blocks
from isoalign._core.executor import Executor
from isoalign._core.progress import Progress
from isoalign.io import PART_ROWS, count_rows, hold_parts, make_parts, open_native, write_about
from isoalign.migration._adapter import Adapter
from isoalign.migration._stores import mapped_chunks
from isoalign.migration._stores._native import NativeSource, native_parts, write_native_chunks
from isoalign.migration._stores._parquet import ParquetSource, open_parquet, part_files, write_chunks

__all__ = ["apply_to_parts"]


class Cut(NamedTuple):
    """Where the rows of a part come from: a file or folder, which of its rows (None: all), and their number."""

    source: Path
    rows: slice | None
    n_rows: int


class Part(NamedTuple):
    """One part in, one part out: all that a worker needs, if it sees the same disk."""

    adapter: Path
    key: str
    source: Path
    rows: slice | None
    output: Path
    column: str | None


def apply_to_parts(
    adapter: Adapter,
    path: Path,
    output: Path,
    *,
    key: str,
    column: str | None,
    overwrite: bool,
    executor: Executor | None,
    progress: Progress,
) -> int:
    """Map every part of a folder to a part of the same name and kind, and return how many rows were there already.

    Parts without rows are left out; see `make_parts`. A native folder that is no folder of parts becomes one.

    Parameters
    ----------
    adapter
        A fitted adapter; workers read it from a folder beside the output.
    path, output
        Folders.
    key
        What the output is made from; see `Journal`.
    column
        Column of the vectors; None for native parts.
    overwrite
        Whether an existing output may be replaced.
    executor
        Where to work; None is this process.
    progress
        Progress callback.
    """
    saved = output.with_name(f".{output.name}.adapter").absolute()  # workers may have other working folders
    with hold_parts(output, overwrite=overwrite):
        adapter.save(saved, overwrite=True)
        cut = cut_native(path) if column is None else cut_parquet(path)
        made_from = {end: adapter.record_[end] for end in ("source", "target")}
        resumed = make_parts(
            output,
            {name: n_rows for name, (_, _, n_rows) in cut.items()},
            map_part,
            lambda name, place: Part(saved, key, cut[name].source.absolute(), cut[name].rows, place, column),
            key=key,
            overwrite=overwrite,
            executor=executor,
            progress=progress,
            finish=(lambda _: None)
            if column is not None
            else partial(write_about, lang=None, metadata={"adapter": made_from}),
        )
        shutil.rmtree(saved)
    return resumed


def cut_parquet(path: Path) -> dict[str, Cut]:
    """Return the Parquet files that have rows, by name."""
    return {part.name: Cut(part, None, rows) for part in part_files(path) if (rows := count_rows(part))}


def cut_native(path: Path) -> dict[str, Cut]:
    """Return the native parts that have rows, by name; a single native folder is cut into parts."""
    parts = native_parts(path)
    if parts != [path]:
        return {part.name: Cut(part, None, rows) for part in parts if (rows := len(open_native(part)))}
    blocks = row_blocks(len(open_native(path)), PART_ROWS)
    return {f"part-{number:05d}": Cut(path, rows, rows.stop - rows.start) for number, rows in enumerate(blocks)}


def map_part(part: Part) -> Iterator[int]:
    """Map one part, and yield its number of rows."""
    adapter = _load(part.adapter, part.key)
    source: NativeSource | ParquetSource
    if part.column is None:
        source = NativeSource(part.source, part.rows)
    else:
        source = open_parquet(part.source, column=part.column)
    with closing(mapped_chunks(adapter.map_, source, name=str(part.source))) as chunks:
        if isinstance(source, NativeSource):
            write_native_chunks(part.output, chunks, like=source, dim=adapter.map_.dim_out)
        else:
            write_chunks(part.output, chunks, source.column)
    yield source.n_rows


@lru_cache(maxsize=1)
def _load(path: Path, key: str) -> Adapter:  # noqa: ARG001  (another adapter may lie there later)
    return Adapter.load(path)
