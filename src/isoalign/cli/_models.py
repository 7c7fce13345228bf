"""Open what a command measures: a kept alignment, or two files that are aligned already."""

from pathlib import Path
from typing import TYPE_CHECKING

from isoalign.errors import ParameterError

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
    from isoalign.alignment import load_with_files

    if model is None and (source is None or target is None):
        raise ParameterError("Name a MODEL, or two aligned files: --source a.vec --target b.vec.")
    if limit is not None and source is None and target is None:
        raise ParameterError("--limit cuts files, and a MODEL is measured whole. Give --source and --target too.")
    reading = {"limit": limit, "lower": lower, "on_bad": on_bad}
    return load_with_files(model, source, target, reading=reading, progress=progress)
