"""Names of methods and normalisations in tables and figures, and their order, which is that of the registries."""

from collections.abc import Iterable
from typing import TypeAlias

from isoalign.alignment import ALIGNERS, STARTS
from isoalign.experiments import Cell
from isoalign.normalization import NORMALIZERS

__all__ = ["CellKey", "axes_of", "in_order", "key_of", "name_method", "name_normalization"]

CellKey: TypeAlias = tuple[str, str, str]
"""Languages, such as ``en–ja`` or ``en–fr, 5k``, method and normalisation of an accuracy."""


def name_normalization(normalize: str) -> str:
    """Return the paper's short name of a normalisation, or the chain as it was given."""
    return NORMALIZERS.label(normalize)


def name_method(method: str | None) -> str:
    """Return the usual spelling of a method, and of the start that it learned from: see `Cell.system`."""
    name, of, start = (method or "").partition(" from ")
    return ALIGNERS.label(name) + of + (STARTS.label(start) if start else "")


def key_of(cell: Cell) -> CellKey:
    """Return the position of a cell in tables; cells that differ only in retrieval or seed share it."""
    size = "" if cell.size is None else f", {cell.size}"
    return f"{cell.source}–{cell.target}{size}", cell.system, cell.normalize


def axes_of(keys: Iterable[CellKey]) -> tuple[list[str], list[str], list[str]]:
    """Return the distinct languages, methods and normalisations, each in the order of tables."""
    keys = list(keys)
    return (
        sorted({pair for pair, _, _ in keys}),
        in_order((method for _, method, _ in keys), ALIGNERS),
        in_order((name for *_, name in keys), NORMALIZERS),
    )


def in_order(keys: Iterable[str], known: Iterable[str]) -> list[str]:
    """Return distinct keys in the order of ``known``, followed by the others in order of appearance."""
    present, known = list(dict.fromkeys(keys)), list(known)
    return [key for key in known if key in present] + [key for key in present if key not in known]
