"""Learn, save and apply maps between embedding spaces. Names are imported when they are first used."""

from typing import TYPE_CHECKING

from isoalign._core.registry import lazy_attributes

if TYPE_CHECKING:
    from isoalign.alignment._align import align as align
    from isoalign.alignment._aligner import Aligner as Aligner
    from isoalign.alignment._alignment import Alignment as Alignment
    from isoalign.alignment._application import apply_file as apply_file
    from isoalign.alignment._application import export_spaces as export_spaces
    from isoalign.alignment._base import AbstractAligner as AbstractAligner
    from isoalign.alignment._base import AbstractDirectAligner as AbstractDirectAligner
    from isoalign.alignment._base import AbstractIterativeAligner as AbstractIterativeAligner
    from isoalign.alignment._base import LoopState as LoopState
    from isoalign.alignment._base import Maps as Maps
    from isoalign.alignment._base import Trajectory as Trajectory
    from isoalign.alignment._base import unit_space as unit_space
    from isoalign.alignment._c1 import C1 as C1
    from isoalign.alignment._check_dictionary import DictionaryCheck as DictionaryCheck
    from isoalign.alignment._check_dictionary import Suspect as Suspect
    from isoalign.alignment._check_dictionary import check_dictionary as check_dictionary
    from isoalign.alignment._contrastive import Contrastive as Contrastive
    from isoalign.alignment._cost import Sizes as Sizes
    from isoalign.alignment._criterion import mean_cosine as mean_cosine
    from isoalign.alignment._dictionary import DIRECTIONS as DIRECTIONS
    from isoalign.alignment._dictionary import CslsSpaces as CslsSpaces
    from isoalign.alignment._dictionary import Induced as Induced
    from isoalign.alignment._dictionary import induce_pairs as induce_pairs
    from isoalign.alignment._files import align_files as align_files
    from isoalign.alignment._files import shared_reading as shared_reading
    from isoalign.alignment._geomm import GeoMM as GeoMM
    from isoalign.alignment._join import join as join
    from isoalign.alignment._join import join_into as join_into
    from isoalign.alignment._join_files import export_prefixed as export_prefixed
    from isoalign.alignment._join_files import join_files as join_files
    from isoalign.alignment._kept import load_with_files as load_with_files
    from isoalign.alignment._kernel import Kernel as Kernel
    from isoalign.alignment._learn import Learned as Learned
    from isoalign.alignment._learn import learn as learn
    from isoalign.alignment._least_squares import LeastSquares as LeastSquares
    from isoalign.alignment._member import Member as Member
    from isoalign.alignment._methods import resolve_method as resolve_method
    from isoalign.alignment._middle import MeetingInTheMiddle as MeetingInTheMiddle
    from isoalign.alignment._pair import CslsMeans as CslsMeans
    from isoalign.alignment._pair import Pair as Pair
    from isoalign.alignment._problem import Problem as Problem
    from isoalign.alignment._procrustes import Procrustes as Procrustes
    from isoalign.alignment._procrustes import nearest_rotation as nearest_rotation
    from isoalign.alignment._procrustes import orthogonal_map as orthogonal_map
    from isoalign.alignment._rcsls import RCSLS as RCSLS
    from isoalign.alignment._recipes import RECIPES as RECIPES
    from isoalign.alignment._recipes import Recipe as Recipe
    from isoalign.alignment._refine import Refine as Refine
    from isoalign.alignment._registry import ALIGNERS as ALIGNERS
    from isoalign.alignment._registry import DEFAULT_JOINT_METHOD as DEFAULT_JOINT_METHOD
    from isoalign.alignment._registry import DEFAULT_METHOD as DEFAULT_METHOD
    from isoalign.alignment._registry import DEFAULT_NORMALIZATION as DEFAULT_NORMALIZATION
    from isoalign.alignment._registry import JOINT_METHODS as JOINT_METHODS
    from isoalign.alignment._registry import STARTS as STARTS
    from isoalign.alignment._registry import make_aligner as make_aligner
    from isoalign.alignment._robust import RobustProcrustes as RobustProcrustes
    from isoalign.alignment._selection import CRITERIA as CRITERIA
    from isoalign.alignment._selection import Selection as Selection
    from isoalign.alignment._selection import select_settings as select_settings
    from isoalign.alignment._self_learning import SelfLearning as SelfLearning
    from isoalign.alignment._stack import Stack as Stack
    from isoalign.alignment._unsupervised import guess_pairs as guess_pairs
    from isoalign.alignment._unsupervised import make_start as make_start
    from isoalign.alignment._vecmap import VecMap as VecMap
    from isoalign.alignment._wrapper import AbstractWrapper as AbstractWrapper
    from isoalign.alignment.starts._spelling import seed_lexicon as seed_lexicon

_PUBLIC = {
    "C1": "_c1",
    "AbstractWrapper": "_wrapper",
    "RobustProcrustes": "_robust",
    "SelfLearning": "_self_learning",
    "MeetingInTheMiddle": "_middle",
    "Kernel": "_kernel",
    "GeoMM": "_geomm",
    "Contrastive": "_contrastive",
    "DictionaryCheck": "_check_dictionary",
    "Suspect": "_check_dictionary",
    "check_dictionary": "_check_dictionary",
    "ALIGNERS": "_registry",
    "AbstractAligner": "_base",
    "AbstractDirectAligner": "_base",
    "AbstractIterativeAligner": "_base",
    "Aligner": "_aligner",
    "Alignment": "_alignment",
    "CRITERIA": "_selection",
    "CslsMeans": "_pair",
    "CslsSpaces": "_dictionary",
    "DEFAULT_JOINT_METHOD": "_registry",
    "DEFAULT_METHOD": "_registry",
    "DEFAULT_NORMALIZATION": "_registry",
    "DIRECTIONS": "_dictionary",
    "JOINT_METHODS": "_registry",
    "Learned": "_learn",
    "LeastSquares": "_least_squares",
    "LoopState": "_base",
    "Maps": "_base",
    "Member": "_member",
    "Pair": "_pair",
    "Problem": "_problem",
    "Procrustes": "_procrustes",
    "RCSLS": "_rcsls",
    "RECIPES": "_recipes",
    "Recipe": "_recipes",
    "Refine": "_refine",
    "STARTS": "_registry",
    "Stack": "_stack",
    "Selection": "_selection",
    "Sizes": "_cost",
    "Trajectory": "_base",
    "VecMap": "_vecmap",
    "align": "_align",
    "align_files": "_files",
    "apply_file": "_application",
    "export_prefixed": "_join_files",
    "export_spaces": "_application",
    "Induced": "_dictionary",
    "guess_pairs": "_unsupervised",
    "induce_pairs": "_dictionary",
    "make_start": "_unsupervised",
    "join": "_join",
    "join_files": "_join_files",
    "join_into": "_join",
    "learn": "_learn",
    "load_with_files": "_kept",
    "make_aligner": "_registry",
    "mean_cosine": "_criterion",
    "nearest_rotation": "_procrustes",
    "orthogonal_map": "_procrustes",
    "resolve_method": "_methods",
    "shared_reading": "_files",
    "seed_lexicon": "starts._spelling",
    "select_settings": "_selection",
    "unit_space": "_base",
}

__all__ = [*_PUBLIC]


__getattr__ = lazy_attributes(__name__, _PUBLIC)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
