"""How settings are called in tables and figures, and in which order they stand."""

from collections.abc import Iterable

__all__ = ["METHOD_NAMES", "NORMALIZATION_NAMES", "in_order", "name_method", "name_normalization"]

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


def in_order(keys: Iterable[str], known: Iterable[str]) -> list[str]:
    """Sort keys as in ``known``; those it does not have come after, in the order they appear."""
    present, known = list(dict.fromkeys(keys)), list(known)
    return [key for key in known if key in present] + [key for key in present if key not in known]
