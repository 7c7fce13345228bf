"""Align embedding spaces: normalise, map, translate and measure. Names are imported when they are first used."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from isoalign._core.version import VERSION

if TYPE_CHECKING:
    from isoalign import errors as errors
    from isoalign._core.registry import register as register
    from isoalign.alignment import RCSLS as RCSLS
    from isoalign.alignment import Aligner as Aligner
    from isoalign.alignment import Alignment as Alignment
    from isoalign.alignment import LeastSquares as LeastSquares
    from isoalign.alignment import Member as Member
    from isoalign.alignment import Problem as Problem
    from isoalign.alignment import Procrustes as Procrustes
    from isoalign.alignment import Refine as Refine
    from isoalign.alignment import VecMap as VecMap
    from isoalign.alignment import align as align
    from isoalign.alignment import check_dictionary as check_dictionary
    from isoalign.alignment import join as join
    from isoalign.alignment import join_into as join_into
    from isoalign.alignment import seed_lexicon as seed_lexicon
    from isoalign.datasets import load_sample as load_sample
    from isoalign.drift import evaluate_drift as evaluate_drift
    from isoalign.drift import measure_drift as measure_drift
    from isoalign.drift import measure_drifts as measure_drifts
    from isoalign.evaluation import calibrate as calibrate
    from isoalign.evaluation import compare as compare
    from isoalign.evaluation import evaluate_bli as evaluate_bli
    from isoalign.evaluation import evaluate_isomorphism as evaluate_isomorphism
    from isoalign.evaluation import evaluate_pairs as evaluate_pairs
    from isoalign.evaluation import evaluate_similarity as evaluate_similarity
    from isoalign.io import open_vectors as open_vectors
    from isoalign.io import read_lexicon as read_lexicon
    from isoalign.io import read_scores as read_scores
    from isoalign.io import read_similarity as read_similarity
    from isoalign.io import read_vectors as read_vectors
    from isoalign.io import write_lexicon as write_lexicon
    from isoalign.io import write_vectors as write_vectors
    from isoalign.lexicon import Lexicon as Lexicon
    from isoalign.migration import Adapter as Adapter
    from isoalign.migration import fit_adapter as fit_adapter
    from isoalign.neighbors import use_device as use_device
    from isoalign.normalization import Center as Center
    from isoalign.normalization import CenterLength as CenterLength
    from isoalign.normalization import Chain as Chain
    from isoalign.normalization import IterNorm as IterNorm
    from isoalign.normalization import RemoveTop as RemoveTop
    from isoalign.normalization import SpecNorm as SpecNorm
    from isoalign.normalization import Unit as Unit
    from isoalign.normalization import Whiten as Whiten
    from isoalign.normalization import make_normalizer as make_normalizer
    from isoalign.normalization import normalize as normalize
    from isoalign.transfer import transfer_file as transfer_file
    from isoalign.transfer import transfer_vocabulary as transfer_vocabulary
    from isoalign.translation import Translation as Translation
    from isoalign.translation import Translator as Translator
    from isoalign.translation import induce_dictionary as induce_dictionary
    from isoalign.translation import induce_lexicon as induce_lexicon
    from isoalign.translation import most_similar as most_similar
    from isoalign.vectors import Embeddings as Embeddings


__version__ = VERSION

_PUBLIC = {
    "Adapter": "isoalign.migration",
    "Aligner": "isoalign.alignment",
    "Alignment": "isoalign.alignment",
    "Center": "isoalign.normalization",
    "CenterLength": "isoalign.normalization",
    "Chain": "isoalign.normalization",
    "Embeddings": "isoalign.vectors",
    "IterNorm": "isoalign.normalization",
    "LeastSquares": "isoalign.alignment",
    "Lexicon": "isoalign.lexicon",
    "Member": "isoalign.alignment",
    "Problem": "isoalign.alignment",
    "Procrustes": "isoalign.alignment",
    "RCSLS": "isoalign.alignment",
    "Refine": "isoalign.alignment",
    "RemoveTop": "isoalign.normalization",
    "SpecNorm": "isoalign.normalization",
    "Translation": "isoalign.translation",
    "Translator": "isoalign.translation",
    "Unit": "isoalign.normalization",
    "VecMap": "isoalign.alignment",
    "Whiten": "isoalign.normalization",
    "align": "isoalign.alignment",
    "calibrate": "isoalign.evaluation",
    "check_dictionary": "isoalign.alignment",
    "compare": "isoalign.evaluation",
    "evaluate_bli": "isoalign.evaluation",
    "evaluate_drift": "isoalign.drift",
    "evaluate_isomorphism": "isoalign.evaluation",
    "evaluate_pairs": "isoalign.evaluation",
    "evaluate_similarity": "isoalign.evaluation",
    "fit_adapter": "isoalign.migration",
    "induce_dictionary": "isoalign.translation",
    "induce_lexicon": "isoalign.translation",
    "join": "isoalign.alignment",
    "join_into": "isoalign.alignment",
    "load_sample": "isoalign.datasets",
    "make_normalizer": "isoalign.normalization",
    "measure_drift": "isoalign.drift",
    "measure_drifts": "isoalign.drift",
    "most_similar": "isoalign.translation",
    "normalize": "isoalign.normalization",
    "open_vectors": "isoalign.io",
    "read_lexicon": "isoalign.io",
    "read_scores": "isoalign.io",
    "read_similarity": "isoalign.io",
    "read_vectors": "isoalign.io",
    "register": "isoalign._core.registry",
    "seed_lexicon": "isoalign.alignment",
    "transfer_file": "isoalign.transfer",
    "transfer_vocabulary": "isoalign.transfer",
    "use_device": "isoalign.neighbors",
    "write_lexicon": "isoalign.io",
    "write_vectors": "isoalign.io",
}

__all__ = ["__version__", "errors", *_PUBLIC]


def __getattr__(name: str) -> Any:
    if name == "errors":
        return import_module("isoalign.errors")
    if name in _PUBLIC:
        return getattr(import_module(_PUBLIC[name]), name)
    raise AttributeError(f"module 'isoalign' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
