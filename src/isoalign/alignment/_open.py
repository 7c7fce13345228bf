"""Open settings: those that are None and still to be chosen."""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

from isoalign.alignment._base import AbstractAligner

__all__ = ["open_choices"]


def open_choices(aligner: AbstractAligner, grids: Mapping[str, Sequence[Any]]) -> list[dict[str, Any]]:
    """Return every combination of the settings that an aligner leaves open; a single empty one if none is open.

    Parameters
    ----------
    aligner
        Settings that are None are open.
    grids
        Values to try by setting.
    """
    is_open = {name: grid for name, grid in grids.items() if getattr(aligner, name) is None}
    return [dict(zip(is_open, values, strict=True)) for values in product(*is_open.values())]
