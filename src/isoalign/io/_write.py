"""Write vectors in any format, atomically."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from isoalign._core.progress import ProgressLike, as_progress, ignore_progress
from isoalign._core.types import PathName
from isoalign.errors import InvalidValueError
from isoalign.io import _native
from isoalign.io._atomic import replacing_file, replacing_folder, spool_folder
from isoalign.io._formats import Format, format_for_writing
from isoalign.io._pairs import replacing_pair
from isoalign.io._stream import VectorStream, stream_embeddings
from isoalign.vectors import Embeddings

__all__ = ["spooled", "write_vectors"]


def write_vectors(
    vectors: Embeddings | VectorStream,
    path: PathName,
    *,
    format: str | None = None,  # noqa: A002  (the name that users expect)
    overwrite: bool = True,
    progress: ProgressLike = ignore_progress,
) -> None:
    """Write word vectors; float32 values read back bit for bit.

    Parameters
    ----------
    vectors
        An embedding, or a stream from `open_vectors`, which is written with constant memory.
    path
        Output; the suffix chooses the format (``.vec``, ``.txt``, ``.bin``, ``.npy``, none: native folder) and the
        compression (``.gz``, ``.bz2``, ``.xz``, ``.zst``).
    format
        Name of the format; by default, that of the suffix.
    overwrite
        Whether an existing file may be replaced.
    progress
        Progress callback; True draws a bar.
    """
    progress = as_progress(progress)
    path = Path(path)
    entry = format_for_writing(path, format)
    stream = stream_embeddings(vectors) if isinstance(vectors, Embeddings) else vectors
    with _replacing(path, entry, overwrite=overwrite) as temporary, _naming_words(path):
        if entry.needs_count and not (stream.counted and stream.n_rows is not None):
            with spooled(stream, beside=path) as counted:
                entry.write_stream(counted.report(progress, f"writing {path.name}"), *temporary, named=path)
        else:
            entry.write_stream(stream.report(progress, f"writing {path.name}"), *temporary, named=path)


@contextmanager
def _replacing(path: Path, entry: Format, *, overwrite: bool) -> Iterator[tuple[Path, ...]]:
    """Yield the temporary names that a format writes to."""
    if entry.beside is not None:
        with replacing_pair(path, entry.beside, overwrite=overwrite) as both:
            yield both
        return
    with (replacing_folder if entry.is_folder else replacing_file)(path, overwrite=overwrite) as temporary:
        yield (temporary,)


@contextmanager
def _naming_words(path: Path) -> Iterator[None]:
    """Raise an error that names a word with a lone surrogate, which cannot be encoded as UTF-8."""
    try:
        yield
    except UnicodeEncodeError as error:
        raise InvalidValueError(f"{path}: the word {error.object!r} is not Unicode text ({error.reason}).") from None


@contextmanager
def spooled(stream: VectorStream, *, beside: Path) -> Iterator[VectorStream]:
    """Write a stream to a temporary native folder, to count its rows, and read it again."""
    with spool_folder(beside=beside) as folder:
        _native.write_stream(stream, folder, named=beside)
        yield _native.open_stream(folder)
