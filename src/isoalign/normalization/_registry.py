"""The names of all normalisers and where they live; nothing is imported before it is asked for."""

from typing import TYPE_CHECKING

from isoalign._registry import load_object, registered_name
from isoalign.errors import ParameterError

if TYPE_CHECKING:
    from isoalign.normalization._base import AbstractNormalizer

__all__ = ["ALIASES", "NORMALIZERS", "load_normalizer", "name_of", "resolve_name"]

_PACKAGE = "isoalign.normalization"

NORMALIZERS = {
    "none": f"{_PACKAGE}._steps:Identity",
    "unit": f"{_PACKAGE}._steps:Unit",
    "center": f"{_PACKAGE}._steps:Center",
    "center_length": f"{_PACKAGE}._steps:CenterLength",
    "iternorm": f"{_PACKAGE}._iternorm:IterNorm",
    "whiten": f"{_PACKAGE}._principal:Whiten",
    "remove_top": f"{_PACKAGE}._principal:RemoveTop",
}
"""Every normaliser that is not a chain: name to import path."""

ALIASES = {"renorm": "unit", "c+l": "center_length", "in": "iternorm"}
"""Other words for the same: those of the authors' script and of the paper's tables, in lower case."""


def resolve_name(name: str) -> str:
    """Return the registered name behind a name or alias, in any case and with spaces around."""
    word = name.strip().lower()
    word = ALIASES.get(word, word)
    if word not in NORMALIZERS:
        from isoalign._validate import check_choice

        check_choice(word, [*NORMALIZERS, *ALIASES], name="normalization")
    return word


def load_normalizer(name: str) -> "type[AbstractNormalizer]":
    """Import the class behind a name."""
    loaded: type[AbstractNormalizer] = load_object(NORMALIZERS[resolve_name(name)])
    return loaded


def name_of(normalizer: "AbstractNormalizer") -> str:
    """Return the registered name of a normaliser's class."""
    name = registered_name(type(normalizer), NORMALIZERS)
    if name is None:
        raise ParameterError(f"{type(normalizer).__name__} is not registered. Registered: {', '.join(NORMALIZERS)}.")
    return name
