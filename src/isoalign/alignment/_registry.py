"""The names of all alignment methods and where they live; nothing is imported before it is asked for."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from isoalign._validate import check_choice

if TYPE_CHECKING:
    from isoalign.alignment._base import AbstractAligner

__all__ = ["ALIGNERS", "make_aligner", "name_of"]

_PACKAGE = "isoalign.alignment"

ALIGNERS = {
    "procrustes": f"{_PACKAGE}._procrustes:Procrustes",
    "least_squares": f"{_PACKAGE}._least_squares:LeastSquares",
    "refine": f"{_PACKAGE}._refine:Refine",
    "rcsls": f"{_PACKAGE}._rcsls:RCSLS",
    "vecmap": f"{_PACKAGE}._vecmap:VecMap",
}
"""Every alignment method: name to import path."""


def make_aligner(name: str, **settings: Any) -> "AbstractAligner":
    """Make an unfitted aligner from its name."""
    module, _, attribute = ALIGNERS[check_choice(name, ALIGNERS, name="method")].partition(":")
    aligner: AbstractAligner = getattr(import_module(module), attribute)()
    return aligner.set_params(**settings)


def name_of(aligner: "AbstractAligner") -> str:
    """Return the registered name of an aligner's class, or the class name of a foreign one."""
    path = f"{type(aligner).__module__}:{type(aligner).__qualname__}"
    return next((name for name, registered in ALIGNERS.items() if registered == path), type(aligner).__name__)
