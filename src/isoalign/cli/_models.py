"""Open what a command measures: a kept alignment, or two files that are aligned already."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from isoalign.errors import ParameterError

if TYPE_CHECKING:
    from isoalign._core.progress import Progress
    from isoalign.alignment import Alignment

__all__ = ["open_model"]


def open_model(
    model: Path | None,
    source: Path | None,
    target: Path | None,
    *,
    members: tuple[str | None, str | None],
    reading: Mapping[str, Any],
    progress: "Progress",
) -> "Alignment":
    """Load two members of an alignment, with other vectors if files are named; without one, take two files as is."""
    from isoalign.alignment import load_with_files

    if model is None and (source is None or target is None):
        raise ParameterError("Name a MODEL, or two aligned files: --source a.vec --target b.vec.")
    if reading["limit"] is not None and source is None and target is None:
        raise ParameterError("--limit cuts files, and a MODEL is measured whole. Give --source and --target too.")
    return load_with_files(model, source, target, members=members, reading=reading, progress=progress)
