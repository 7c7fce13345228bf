"""Helpers for creating inputs of all formats."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

import isoalign as ia

__all__ = ["Files", "Format", "collect", "discard", "vectors"]

Files = dict[str, bytes]
"""The files of one input by their names within its folder."""


@dataclass(frozen=True)
class Format:
    """One kind of input.

    Attributes
    ----------
    make
        Returns valid inputs.
    use
        Reads the input in a folder and uses it as users do.
    """

    make: Callable[[], list[Files]]
    use: Callable[[Path], None]


@cache
def vectors() -> ia.Embeddings:
    """Return a few words with vectors."""
    return ia.Embeddings([f"w{row}" for row in range(8)], np.random.default_rng(0).standard_normal((8, 3)))


def collect(folder: Path) -> Files:
    """Read all files below a folder."""
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def discard(_result: object) -> None:
    """Ignore the result of a reader; it only matters that it returned."""
