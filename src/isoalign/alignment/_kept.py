"""Open a saved alignment, or files that are already aligned, without importing what only learning needs."""

from collections.abc import Mapping
from typing import Any

from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.types import PathName
from isoalign.alignment._alignment import Alignment
from isoalign.io import read_vectors

__all__ = ["load_with_files"]


def load_with_files(
    model: PathName | None,
    source: PathName | None = None,
    target: PathName | None = None,
    *,
    members: tuple[str | None, str | None] = (None, None),
    reading: Mapping[str, Any] | None = None,
    progress: Progress = ignore_progress,
) -> Alignment:
    """Open two members of a saved alignment, or two files that are already aligned.

    Parameters
    ----------
    model
        Folder written by `Alignment.save`; None uses both files as they are.
    source, target
        Vector files, used instead of the vectors of the two members in the folder.
    members
        Names of source and target; may be omitted if the folder has two members.
    reading
        Arguments of `read_vectors` for them, such as ``limit``.
    progress
        Progress callback.
    """
    X, Y = (
        None if path is None else read_vectors(path, progress=progress, **(reading or {})) for path in (source, target)
    )
    found = Alignment.from_matrix(None, source=X, target=Y) if model is None else Alignment.load(model)
    names = found.pair(*members).names
    if model is not None and (X is not None or Y is not None):
        given = {name: side for name, side in zip(names, (X, Y), strict=True) if side is not None}
        found = Alignment.load(model, vectors=given)
    return found.select(names)
