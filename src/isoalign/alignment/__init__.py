"""Learn maps between embedding spaces, keep them, apply them."""

from isoalign.alignment._align import align, resolve_method
from isoalign.alignment._aligner import Aligner
from isoalign.alignment._alignment import SIDES, Alignment, CslsMeans
from isoalign.alignment._base import AbstractAligner, Maps, Trajectory
from isoalign.alignment._criterion import mean_cosine
from isoalign.alignment._dictionary import DIRECTIONS, induce_pairs
from isoalign.alignment._files import align_files, apply_file, export_spaces
from isoalign.alignment._least_squares import LeastSquares
from isoalign.alignment._procrustes import Procrustes, orthogonal_map
from isoalign.alignment._rcsls import RCSLS
from isoalign.alignment._recipes import RECIPES, Recipe
from isoalign.alignment._refine import Refine
from isoalign.alignment._registry import ALIGNERS, make_aligner
from isoalign.alignment._seeds import SEEDS, seed_lexicon
from isoalign.alignment._selection import CRITERIA, Selection
from isoalign.alignment._vecmap import VecMap

__all__ = [
    "ALIGNERS",
    "CRITERIA",
    "DIRECTIONS",
    "RCSLS",
    "RECIPES",
    "SEEDS",
    "SIDES",
    "AbstractAligner",
    "Aligner",
    "Alignment",
    "CslsMeans",
    "LeastSquares",
    "Maps",
    "Procrustes",
    "Recipe",
    "Refine",
    "Selection",
    "Trajectory",
    "VecMap",
    "align",
    "align_files",
    "apply_file",
    "export_spaces",
    "induce_pairs",
    "make_aligner",
    "mean_cosine",
    "orthogonal_map",
    "resolve_method",
    "seed_lexicon",
]
