"""Registry of normalisers, which are imported when first used."""

from typing import TYPE_CHECKING

from isoalign._core.registry import Entry, Registry
from isoalign.errors import ParameterError

if TYPE_CHECKING:
    from isoalign.normalization._base import AbstractNormalizer

__all__ = ["DEFAULT_NORMALIZATION", "NORMALIZERS", "load_normalizer", "name_of"]

_PACKAGE = "isoalign.normalization"

DEFAULT_NORMALIZATION = "iternorm"

NORMALIZERS = Registry(
    "normalization",
    (
        Entry("none", f"{_PACKAGE}._steps:Identity", "none", "Leave vectors unchanged."),
        Entry("unit", f"{_PACKAGE}._steps:Unit", "unit", "Scale every vector to unit length."),
        Entry("center", f"{_PACKAGE}._steps:Center", "center", "Subtract the mean vector."),
        Entry(
            "center_length", f"{_PACKAGE}._steps:CenterLength", "C+L", "Subtract the mean, then scale to unit length."
        ),
        Entry(
            "iternorm", f"{_PACKAGE}._iternorm:IterNorm", "IN", "Iterative Normalization: unit length and zero mean."
        ),
        Entry(
            "spec_norm",
            f"{_PACKAGE}._spec_norm:SpecNorm",
            "SpecNorm",
            "Iterative Normalization that also limits dominant directions.",
        ),
        Entry(
            "whiten", f"{_PACKAGE}._principal:Whiten", "whiten", "Make all directions uncorrelated, with variance 1."
        ),
        Entry("remove_top", f"{_PACKAGE}._principal:RemoveTop", "remove top", "Remove the strongest directions."),
    ),
    group="isoalign.normalizers",
    aliases={"renorm": "unit", "c+l": "center_length", "in": "iternorm"},  # the authors' script, the paper's tables
)
"""All normalisers except chains."""


def load_normalizer(name: str) -> "type[AbstractNormalizer]":
    """Import the class with a name."""
    loaded: type[AbstractNormalizer] = NORMALIZERS.load(name)
    return loaded


def name_of(normalizer: "AbstractNormalizer") -> str:
    """Return the registered name of a normaliser's class."""
    name = NORMALIZERS.name_of(type(normalizer))
    if name is None:
        raise ParameterError(f"{type(normalizer).__name__} is not registered. Registered: {', '.join(NORMALIZERS)}.")
    return name
