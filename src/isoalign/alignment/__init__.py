"""Learn maps between embedding spaces, keep them, apply them; nothing is imported before it is used."""

from typing import TYPE_CHECKING

from isoalign._registry import lazy_attributes

if TYPE_CHECKING:
    from isoalign.alignment._align import align as align
    from isoalign.alignment._align import resolve_method as resolve_method
    from isoalign.alignment._aligner import Aligner as Aligner
    from isoalign.alignment._alignment import SIDES as SIDES
    from isoalign.alignment._alignment import Alignment as Alignment
    from isoalign.alignment._alignment import CslsMeans as CslsMeans
    from isoalign.alignment._base import AbstractAligner as AbstractAligner
    from isoalign.alignment._base import Maps as Maps
    from isoalign.alignment._base import Trajectory as Trajectory
    from isoalign.alignment._base import apply_map as apply_map
    from isoalign.alignment._criterion import mean_cosine as mean_cosine
    from isoalign.alignment._dictionary import DIRECTIONS as DIRECTIONS
    from isoalign.alignment._dictionary import induce_pairs as induce_pairs
    from isoalign.alignment._files import align_files as align_files
    from isoalign.alignment._files import apply_file as apply_file
    from isoalign.alignment._files import export_spaces as export_spaces
    from isoalign.alignment._files import load_with_files as load_with_files
    from isoalign.alignment._least_squares import LeastSquares as LeastSquares
    from isoalign.alignment._procrustes import Procrustes as Procrustes
    from isoalign.alignment._procrustes import orthogonal_map as orthogonal_map
    from isoalign.alignment._rcsls import RCSLS as RCSLS
    from isoalign.alignment._recipes import RECIPES as RECIPES
    from isoalign.alignment._recipes import Recipe as Recipe
    from isoalign.alignment._refine import Refine as Refine
    from isoalign.alignment._registry import ALIGNERS as ALIGNERS
    from isoalign.alignment._registry import make_aligner as make_aligner
    from isoalign.alignment._seeds import SEEDS as SEEDS
    from isoalign.alignment._seeds import seed_lexicon as seed_lexicon
    from isoalign.alignment._selection import CRITERIA as CRITERIA
    from isoalign.alignment._selection import Selection as Selection
    from isoalign.alignment._selection import select_settings as select_settings
    from isoalign.alignment._vecmap import VecMap as VecMap

_PUBLIC = {
    "ALIGNERS": "_registry",
    "AbstractAligner": "_base",
    "Aligner": "_aligner",
    "Alignment": "_alignment",
    "CRITERIA": "_selection",
    "CslsMeans": "_alignment",
    "DIRECTIONS": "_dictionary",
    "LeastSquares": "_least_squares",
    "Maps": "_base",
    "Procrustes": "_procrustes",
    "RCSLS": "_rcsls",
    "RECIPES": "_recipes",
    "Recipe": "_recipes",
    "Refine": "_refine",
    "SEEDS": "_seeds",
    "SIDES": "_alignment",
    "Selection": "_selection",
    "Trajectory": "_base",
    "VecMap": "_vecmap",
    "align": "_align",
    "align_files": "_files",
    "apply_file": "_files",
    "apply_map": "_base",
    "export_spaces": "_files",
    "induce_pairs": "_dictionary",
    "load_with_files": "_files",
    "make_aligner": "_registry",
    "mean_cosine": "_criterion",
    "orthogonal_map": "_procrustes",
    "resolve_method": "_align",
    "seed_lexicon": "_seeds",
    "select_settings": "_selection",
}

__all__ = [*_PUBLIC]


__getattr__ = lazy_attributes(__name__, _PUBLIC)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
