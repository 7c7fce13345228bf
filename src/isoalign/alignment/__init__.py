"""Learn maps between embedding spaces, keep them, apply them."""

from isoalign.alignment._base import AbstractAligner, Maps
from isoalign.alignment._criterion import mean_cosine
from isoalign.alignment._dictionary import induce_pairs
from isoalign.alignment._least_squares import LeastSquares
from isoalign.alignment._procrustes import Procrustes, orthogonal_map
from isoalign.alignment._rcsls import RCSLS
from isoalign.alignment._refine import Refine
from isoalign.alignment._vecmap import VecMap

__all__ = [
    "RCSLS",
    "AbstractAligner",
    "LeastSquares",
    "Maps",
    "Procrustes",
    "Refine",
    "VecMap",
    "induce_pairs",
    "mean_cosine",
    "orthogonal_map",
]
