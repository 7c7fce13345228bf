"""Create a folder part by part, in this process or with an executor; interrupted runs can be resumed."""

import hashlib
import json
import shlex
import shutil
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from isoalign._core.executor import Executor, InProcess
from isoalign._core.progress import Progress
from isoalign._core.types import Matrix, StoredMatrix
from isoalign.errors import FileAccessError, IsoalignWarning, ParameterError
from isoalign.io._atomic import check_place, place_folder, readable_failures
from isoalign.io._formats import format_for_writing
from isoalign.io._journal import Journal, partial_path
from isoalign.io._leftovers import lock_folder
from isoalign.io._parts import count_rows, list_parts, open_stream, write_about
from isoalign.io._read import open_vectors
from isoalign.io._stream import Block
from isoalign.io._write import write_vectors

__all__ = ["change_parts", "hold_parts", "make_parts", "require_parts"]

T = TypeVar("T")

_HELD: ContextVar[frozenset[Path]] = ContextVar("_HELD", default=frozenset())
"""Outputs that this thread writes."""


@contextmanager
def hold_parts(output: Path, *, overwrite: bool) -> Iterator[None]:
    """Check the place of an output, and raise an error if another process, or thread, writes it; blocks may be nested.

    Errors in the block that name a hidden file name the output instead.
    """
    place = partial_path(output).absolute()
    check_place(output, overwrite=overwrite, folder=True)
    if place in _HELD.get():
        yield
        return
    with _naming_output(output), ExitStack() as holding:
        with readable_failures(output):
            is_ours = holding.enter_context(lock_folder(place))
        if not is_ours:
            raise FileAccessError(f"{output}: another process is writing it.")
        token = _HELD.set(_HELD.get() | {place})
        try:
            yield
        finally:
            _HELD.reset(token)


@contextmanager
def _naming_output(output: Path) -> Iterator[None]:
    """Let errors about the hidden files of an output name the output, and say that finished parts are kept."""
    hidden = output.with_name(f".{output.name}.")
    try:
        yield
    except FileAccessError as error:
        for prefix in (str(hidden), str(hidden.absolute())):
            if str(error).startswith(prefix):
                reason = str(error)[len(prefix) :].partition(": ")[2].removesuffix(". Nothing was changed.")
                raise FileAccessError(
                    f"{output}: {reason}. Finished parts are kept; the same command continues."
                ) from error
        raise


def require_parts(path: Path, **reading: Any) -> list[Path]:
    """Return the parts of a folder; raise an error for other inputs, and for options that would need all parts."""
    for name, value in reading.items():
        if value not in (None, False, "keep", "error", "skip"):
            raise ParameterError(f"{name} is not supported for parts. Convert the vectors with it first.")
    parts = list_parts(path) if path.is_dir() else []
    if not parts:
        raise ParameterError(
            f"{path}: only a folder of parts can be distributed. Create one: "
            f"isoalign convert {shlex.quote(str(path))} {shlex.quote(f'{path.stem}.parts')}"
        )
    return parts


def make_parts(
    output: Path,
    sizes: Mapping[str, int],
    function: Callable[[T], Iterable[int]],
    make_task: Callable[[str, Path], T],
    *,
    key: str,
    overwrite: bool,
    executor: Executor | None,
    progress: Progress,
    finish: Callable[[Path], None] = lambda _folder: None,
) -> int:
    """Create all parts of a folder, and return the number of rows that existed already.

    Parts are complete or absent, so if a run or a worker is killed, only its current parts are lost. The folder gets
    its name when all parts are complete.

    Parameters
    ----------
    output
        The folder.
    sizes
        Number of rows of each part, by name.
    function
        Creates a part, complete or not at all, and yields its number of rows.
    make_task
        Returns the argument of ``function`` for the name of a part and its path, which is absolute: workers may have
        other working folders.
    key
        Key of the inputs; see `Journal`.
    overwrite
        Whether an existing output may be replaced.
    executor
        Executor; None is this process.
    progress
        Progress callback.
    finish
        Called with the folder when all parts are complete.
    """
    with hold_parts(output, overwrite=overwrite):
        return _make_held(output, sizes, function, make_task, key, executor, progress, finish)


def _make_held(
    output: Path,
    sizes: Mapping[str, int],
    function: Callable[[T], Iterable[int]],
    make_task: Callable[[str, Path], T],
    key: str,
    executor: Executor | None,
    progress: Progress,
    finish: Callable[[Path], None],
) -> int:
    begun, journal = partial_path(output), Journal(output, key)
    with readable_failures(output):
        if journal.read() is None:
            _remove_all(begun, but=())
        journal.write()
    there = {name for name in sizes if (begun / name).exists()}
    resumed = done = sum(sizes[name] for name in there)
    tasks = [make_task(name, begun.absolute() / name) for name in sizes if name not in there]
    for _, made in (executor or InProcess()).run(function, tasks):
        done += sum(made)
        progress("mapping vectors", done, sum(sizes.values()))
    with readable_failures(output):
        _remove_all(begun, but=sizes)  # what killed workers left
        finish(begun)
        place_folder(begun, output)
        journal.remove()
    return resumed


def _remove_all(folder: Path, *, but: Collection[str]) -> None:
    for stray in folder.iterdir():
        if stray.name not in but:
            shutil.rmtree(stray) if stray.is_dir() else stray.unlink()


class _PartToChange(NamedTuple):
    """Task of a worker with access to the same disk: transform one part and write a native folder."""

    source: Path
    output: Path
    change: Callable[[StoredMatrix], Matrix]
    dim: int
    on_bad: str


def change_parts(
    source: Path,
    target: Path,
    change: Callable[[StoredMatrix], Matrix],
    *,
    dim: int,
    about: Any,
    overwrite: bool = False,
    on_bad: str = "error",
    executor: Executor | None = None,
    progress: Progress,
) -> None:
    """Apply a function to the rows of all parts, and write native parts of the same names.

    Parameters
    ----------
    source, target
        Folders of parts.
    change
        Function from rows to the same number of rows with ``dim`` columns; it is sent to the workers.
    about
        Description of the function as JSON values: stored in the metadata, and compared before resuming an output.
    overwrite, on_bad, executor, progress
        As in `make_parts` and `open_vectors`.
    """
    if not format_for_writing(target, None).is_folder:
        raise ParameterError(f"{target}: distributed output is a folder of parts. Name it {target.stem}.parts.")
    parts = {part.stem if part.is_file() else part.name: part for part in list_parts(source)}
    stamps = [(name, part.stat().st_size, part.stat().st_mtime_ns) for name, part in parts.items()]
    key = hashlib.sha256(json.dumps([str(source.resolve()), stamps, about, on_bad]).encode()).hexdigest()
    whole = open_stream(source)
    metadata = {**whole.metadata, **about}
    sizes = {name: count_rows(part) for name, part in parts.items()}
    make_parts(
        target,
        sizes,
        change_part,
        lambda name, place: _PartToChange(parts[name].absolute(), place, change, dim, on_bad),
        key=key,
        overwrite=overwrite,
        executor=executor,
        progress=progress,
        finish=lambda folder: write_about(folder, lang=whole.lang, metadata=metadata),
    )
    skipped = sum(sizes.values()) - sum(map(count_rows, list_parts(target)))
    if skipped:
        warnings.warn(f"{source}: {skipped:,} bad rows were skipped.", IsoalignWarning, stacklevel=3)


def change_part(task: _PartToChange) -> Iterator[int]:
    """Transform one part, and yield its number of rows."""
    stream = open_vectors(task.source, on_bad=task.on_bad)
    stream.map(lambda block: Block(block.words, task.change(block.vectors)))
    stream.dim, n_rows = task.dim, stream.n_rows or 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", IsoalignWarning)  # the calling process counts the bad rows of all parts
        write_vectors(stream, task.output, format="native")
    yield n_rows
