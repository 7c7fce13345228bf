"""The names of all alignment methods and where they live; nothing is imported before it is asked for."""

from typing import TYPE_CHECKING, Any

from isoalign._registry import load_object, registered_name

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
    from isoalign._validate import check_choice

    aligner: AbstractAligner = load_object(ALIGNERS[check_choice(name, ALIGNERS, name="method")])()
    return aligner.set_params(**settings)


def name_of(aligner: "AbstractAligner") -> str:
    """Return the registered name of an aligner's class, or the class name of a foreign one."""
    return registered_name(type(aligner), ALIGNERS) or type(aligner).__name__
