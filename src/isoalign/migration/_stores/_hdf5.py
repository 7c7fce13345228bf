"""HDF5 files as ann-benchmarks has them: a data set of vectors, ``train`` unless another is named."""

from pathlib import Path
from typing import Any

from isoalign._core.optional import import_extra
from isoalign.errors import FormatError
from isoalign.io import Journal, check_place, partial_path
from isoalign.migration._stores._base import AbstractSink, Chunk
from isoalign.migration._stores._numpy import ArraySource

__all__ = ["Hdf5Sink", "open_hdf5", "write_hdf5"]

_DEFAULT = "train"


def open_hdf5(path: Path, *, column: str | None = None) -> ArraySource:
    """Open a data set of an HDF5 file."""
    h5py = import_extra("h5py", extra="hdf5")
    name = column or _DEFAULT
    file = h5py.File(path, "r")
    if name not in file:
        raise FormatError(f"{path}: has no data set {name!r}. Name one with --column: {', '.join(file)}.")
    return ArraySource(file[name], name=f"{path}:{name}")


class Hdf5Sink(AbstractSink):
    """Fill a data set that has all its rows from the beginning, so that a kill damages no structure."""

    def __init__(self, path: Path, *, key: str, dim: int, n_rows: int, overwrite: bool, column: str | None) -> None:
        check_place(path, overwrite=overwrite)
        h5py = import_extra("h5py", extra="hdf5")
        self._path, self._journal = path, Journal(path, key)
        found = self._journal.read()
        self.done = int(found["rows"]) if found and partial_path(path).is_file() else 0
        self._file: Any = h5py.File(partial_path(path), "r+" if self.done else "w")
        if not self.done:
            self._file.create_dataset(column or _DEFAULT, shape=(n_rows, dim), dtype="f4")
        self._rows = self._file[column or _DEFAULT]

    def write(self, chunk: Chunk) -> None:
        """Fill in the next rows."""
        self._rows[self.done : self.done + len(chunk.vectors)] = chunk.vectors
        self._file.flush()
        self.done += len(chunk.vectors)
        self._journal.write(rows=self.done)

    def finish(self) -> None:
        """Give the file its name."""
        self._file.close()
        partial_path(self._path).replace(self._path)
        self._journal.remove()

    def close(self) -> None:
        """Leave the file for the next attempt."""
        self._file.close()


def write_hdf5(path: Path, **options: Any) -> Hdf5Sink:
    """Write rows to a data set of an HDF5 file."""
    return Hdf5Sink(path, **options)
