"""Open what a command measures: a kept alignment, or two files that are aligned already."""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from isoalign._progress import Progress
    from isoalign.alignment import Alignment

__all__ = ["open_model"]


def open_model(
    model: Path | None,
    source: Path | None,
    target: Path | None,
    *,
    limit: int | None = None,
    lower: bool = False,
    on_bad: str = "error",
    progress: "Progress",
) -> "Alignment":
    """Load an alignment, with other vectors if files are named; without a model, take two files as they are."""
    from isoalign.alignment import Alignment
    from isoalign.errors import ParameterError
    from isoalign.io import read_vectors

    if model is None and (source is None or target is None):
        raise ParameterError("Name a MODEL, or two aligned files: --source a.vec --target b.vec.")
    sides = [
        None if file is None else read_vectors(file, limit=limit, lower=lower, on_bad=on_bad, progress=progress)
        for file in (source, target)
    ]
    if model is None:
        return Alignment.from_matrix(None, source=sides[0], target=sides[1])
    return Alignment.load(model, source=sides[0], target=sides[1])
