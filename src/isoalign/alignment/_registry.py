"""Registries of alignment methods and starts, which are imported when first used."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from isoalign._core.registry import Entry, Registry
from isoalign.alignment._recipes import RECIPES
from isoalign.normalization import DEFAULT_NORMALIZATION

if TYPE_CHECKING:
    from isoalign.alignment._base import AbstractAligner

__all__ = [
    "ALIGNERS",
    "DEFAULT_JOINT_METHOD",
    "DEFAULT_METHOD",
    "DEFAULT_METHOD_AFTER_SELF_LEARNING",
    "DEFAULT_METHOD_OF_FEW_PAIRS",
    "DEFAULT_METHOD_OF_SMALL_DICTIONARIES",
    "DEFAULT_NORMALIZATION",
    "JOINT_METHODS",
    "STARTS",
    "as_aligner",
    "make_aligner",
    "name_of",
]

_PACKAGE = "isoalign.alignment"

DEFAULT_METHOD = "contrast-kernel"
DEFAULT_METHOD_OF_SMALL_DICTIONARIES = "geomm"
DEFAULT_METHOD_OF_FEW_PAIRS = "self_learning"  # also with starts, which find only rough pairs
DEFAULT_METHOD_AFTER_SELF_LEARNING = "geomm"  # learned from the pairs that it found
DEFAULT_JOINT_METHOD = "procrustes"

ALIGNERS = Registry(
    "method",
    (
        Entry("procrustes", f"{_PACKAGE}._procrustes:Procrustes", "Procrustes", "The best rotation."),
        Entry("least_squares", f"{_PACKAGE}._least_squares:LeastSquares", "Least squares", "The best linear map."),
        Entry(
            "refine", f"{_PACKAGE}._refine:Refine", "Refine", "Procrustes on dictionaries that it induces repeatedly."
        ),
        Entry("rcsls", f"{_PACKAGE}._rcsls:RCSLS", "RCSLS", "A linear map that maximises the CSLS of the dictionary."),
        Entry("vecmap", f"{_PACKAGE}._vecmap:VecMap", "VecMap", "Whitening, rotation and re-weighting of both sides."),
        Entry("geomm", f"{_PACKAGE}._geomm:GeoMM", "GeoMM", "Two rotations and a common metric, in closed form."),
        Entry(
            "contrastive",
            f"{_PACKAGE}._contrastive:Contrastive",
            "Contrast",
            "Another map, adjusted to separate translations from their nearest rivals.",
        ),
        Entry("contrastive_c1", f"{_PACKAGE}._c1:C1", "C1", "Long contrastive learning in rounds that add pairs."),
        Entry(
            "kernel",
            f"{_PACKAGE}._kernel:Kernel",
            "Kernel",
            "Another map with a nonlinear correction of queries.",
        ),
        Entry(
            "middle",
            f"{_PACKAGE}._middle:MeetingInTheMiddle",
            "Middle",
            "Another map, then both sides moved to the means of pairs.",
        ),
        Entry(
            "self_learning",
            f"{_PACKAGE}._self_learning:SelfLearning",
            "Self-learning",
            "Extend a tiny or rough dictionary step by step.",
        ),
        Entry("stack", f"{_PACKAGE}._stack:Stack", "Stack", "Several models, whose cosines are averaged."),
        Entry("robust", f"{_PACKAGE}._robust:RobustProcrustes", "Robust", "A rotation that is robust to wrong pairs."),
    ),
    group="isoalign.methods",
)
"""All alignment methods."""

JOINT_METHODS = Registry(
    "method",
    (
        Entry(
            "procrustes",
            f"{_PACKAGE}._joint_maps:rotate_jointly",
            "Procrustes",
            "Members of the same dimension are rotated jointly, others mapped by least squares.",
        ),
        Entry(
            "least_squares",
            f"{_PACKAGE}._joint_maps:map_from_the_pivot",
            "Least squares",
            "Every member is mapped by least squares, from the pivot outwards.",
        ),
    ),
    group="isoalign.joins",
)
"""All methods that map many spaces into one: functions of a `JointProblem`."""

STARTS = Registry(
    "start",
    (
        Entry("identical", f"{_PACKAGE}.starts._spelling:Identical", "identical", "Words with the same spelling."),
        Entry(
            "numerals", f"{_PACKAGE}.starts._spelling:Numerals", "numerals", "Numbers written with the digits 0 to 9."
        ),
        Entry(
            "similarity",
            f"{_PACKAGE}.starts._similarity:Similarity",
            "similarity",
            "Words with similar distributions of similarities within their own language.",
        ),
        Entry(
            "gromov_wasserstein",
            f"{_PACKAGE}.starts._gromov_wasserstein:GromovWasserstein",
            "Gromov–Wasserstein",
            "A transport plan that preserves distances; needs the extra ot.",
        ),
        Entry(
            "wasserstein",
            f"{_PACKAGE}.starts._wasserstein:Wasserstein",
            "Wasserstein",
            "The rotation with the lowest transport cost; needs the extra ot.",
        ),
        Entry("icp", f"{_PACKAGE}.starts._icp:ICP", "ICP", "Iterative closest points from many random starts."),
        Entry(
            "adversarial",
            f"{_PACKAGE}.starts._adversarial:Adversarial",
            "adversarial",
            "A rotation that misleads a discriminator; slow, and the least reliable start.",
        ),
        Entry(
            "clusters",
            f"{_PACKAGE}.starts._clusters:Clusters",
            "clusters",
            "Matched clusters, for rows that are not sorted by frequency.",
        ),
    ),
    group="isoalign.starts",
)
"""All methods that find a first dictionary."""


def make_aligner(name: str, settings: Mapping[str, Any] | None = None) -> "AbstractAligner":
    """Create an unfitted aligner from its name and settings."""
    aligner: AbstractAligner = ALIGNERS.make(name, settings)
    return aligner


def as_aligner(aligner: "AbstractAligner | str | None", *, default: str) -> "AbstractAligner":
    """Return an unfitted copy of an aligner, or the one that a method or recipe names; None is the default."""
    if aligner is None or isinstance(aligner, str):
        recipe = RECIPES.get(aligner or default)
        return make_aligner(aligner or default) if recipe is None else make_aligner(recipe.method, recipe.settings)
    return aligner.unfitted_copy()


def name_of(aligner: "AbstractAligner") -> str:
    """Return the registered name of an aligner's class, or the class name of one that is not registered."""
    return ALIGNERS.name_of(type(aligner)) or type(aligner).__name__
