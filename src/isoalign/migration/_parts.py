"""Map the parts of a Parquet folder with an adapter, in this process or with an executor."""

import shutil
from collections.abc import Iterator
from contextlib import closing
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from isoalign._core.executor import Executor
from isoalign._core.progress import Progress
from isoalign.io import check_place, make_parts
from isoalign.migration._adapter import Adapter
from isoalign.migration._stores import mapped_chunks
from isoalign.migration._stores._parquet import count_rows, open_parquet, part_files, write_chunks

__all__ = ["apply_to_parts"]


class Part(NamedTuple):
    """One file in, one file out: all that a worker needs, if it sees the same disk."""

    adapter: Path
    key: str
    source: Path
    output: Path
    column: str


def apply_to_parts(
    adapter: Adapter,
    path: Path,
    output: Path,
    *,
    key: str,
    column: str,
    overwrite: bool,
    executor: Executor | None,
    progress: Progress,
) -> int:
    """Map every Parquet file of a folder to a file of the same name, and return how many rows were there already.

    Parts without rows are left out; see `make_parts`.

    Parameters
    ----------
    adapter
        A fitted adapter; workers read it from a folder beside the output.
    path, output
        Folders.
    key
        What the output is made from; see `Journal`.
    column
        Column of the vectors.
    overwrite
        Whether an existing output may be replaced.
    executor
        Where to work; None is this process.
    progress
        Progress callback.
    """
    saved = output.with_name(f".{output.name}.adapter")
    check_place(output, overwrite=overwrite, folder=True)
    adapter.save(saved, overwrite=True)
    resumed = make_parts(
        output,
        {part.name: rows for part in part_files(path) if (rows := count_rows(part))},
        map_part,
        lambda name, place: Part(saved, key, path / name, place, column),
        key=key,
        overwrite=overwrite,
        executor=executor,
        progress=progress,
    )
    shutil.rmtree(saved)
    return resumed


def map_part(part: Part) -> Iterator[int]:
    """Map one file, and yield its number of rows."""
    source = open_parquet(part.source, column=part.column)
    adapter = _load(part.adapter, part.key)
    with closing(mapped_chunks(adapter.map_, source, name=str(part.source))) as chunks:
        write_chunks(part.output, chunks, part.column)
    yield source.n_rows


@lru_cache(maxsize=1)
def _load(path: Path, key: str) -> Adapter:  # noqa: ARG001  (another adapter may lie there later)
    return Adapter.load(path)
