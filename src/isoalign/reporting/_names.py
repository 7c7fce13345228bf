"""How settings are called in tables and figures, and in which order they stand."""

from collections.abc import Iterable
from typing import TypeAlias

from isoalign.experiments import Cell

__all__ = ["NORMALIZATION_NAMES", "Key", "axes_of", "in_order", "key_of", "name_method", "name_normalization"]

Key: TypeAlias = tuple[str, str, str]
"""Languages, such as ``en–ja``, method and normalisation: where an accuracy stands."""

NORMALIZATION_NAMES = {"none": "none", "unit": "unit", "center_length": "C+L", "iternorm": "IN"}
METHOD_NAMES = {
    "least_squares": "Least squares",
    "procrustes": "Procrustes",
    "refine": "Refine",
    "rcsls": "RCSLS",
    "vecmap": "VecMap",
}


def name_normalization(normalize: str) -> str:
    """Return the paper's short name of a normalisation, or the chain as it was given."""
    return NORMALIZATION_NAMES.get(normalize, normalize)


def name_method(method: str | None) -> str:
    """Return the usual spelling of a method."""
    return METHOD_NAMES.get(method or "", method or "")


def key_of(cell: Cell) -> Key:
    """Return where the accuracy of a cell stands; of several retrievals and seeds all stand at one place."""
    return f"{cell.source}–{cell.target}", cell.method or "", cell.normalize


def axes_of(keys: Iterable[Key]) -> tuple[list[str], list[str], list[str]]:
    """Return the different languages, methods and normalisations of some places, each in the order of tables."""
    keys = list(keys)
    return (
        sorted({pair for pair, _, _ in keys}),
        in_order((method for _, method, _ in keys), METHOD_NAMES),
        in_order((name for *_, name in keys), NORMALIZATION_NAMES),
    )


def in_order(keys: Iterable[str], known: Iterable[str]) -> list[str]:
    """Sort keys as in ``known``; those it does not have come after, in the order they appear."""
    present, known = list(dict.fromkeys(keys)), list(known)
    return [key for key in known if key in present] + [key for key in present if key not in known]
