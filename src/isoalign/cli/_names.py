"""Registered names for help texts; reading the registries does not import numpy."""

from isoalign.alignment import (
    ALIGNERS,
    DEFAULT_JOINT_METHOD,
    DEFAULT_METHOD,
    DEFAULT_NORMALIZATION,
    JOINT_METHODS,
    RECIPES,
    STARTS,
)
from isoalign.neighbors import RETRIEVERS
from isoalign.normalization import NORMALIZERS

__all__ = ["JOIN_HELP", "METHOD_HELP", "NORMALIZATIONS", "NORMALIZE_HELP", "RETRIEVALS", "START_NAMES"]

NORMALIZATIONS = f"{', '.join(NORMALIZERS)}, or a chain such as unit,center,unit"
RETRIEVALS = ", ".join(RETRIEVERS)
START_NAMES = ", ".join(STARTS)
METHOD_HELP = f"{', '.join(ALIGNERS)}, or a recipe such as {next(iter(RECIPES))}. (default: {DEFAULT_METHOD})"
JOIN_HELP = f"{', '.join(JOINT_METHODS)}. (default: {DEFAULT_JOINT_METHOD})"
NORMALIZE_HELP = f"{NORMALIZATIONS}. (default: {DEFAULT_NORMALIZATION})"
