"""Open the input of an evaluation: a saved alignment, or two files that are already aligned."""

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
    """Load two members of an alignment, optionally with other vectors; without an alignment, read two aligned files."""
    from isoalign.alignment import load_with_files

    if model is None and (source is None or target is None):
        raise ParameterError("Give a MODEL, or two aligned files: --source a.vec --target b.vec.")
    if reading["limit"] is not None and source is None and target is None:
        raise ParameterError(
            "--limit applies to files, but a MODEL is evaluated as a whole. Give --source and --target too."
        )
    return load_with_files(model, source, target, members=members, reading=reading, progress=progress)
