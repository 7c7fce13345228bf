"""Align embedding spaces: normalise, map, translate and measure, with nothing imported before it is used."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from isoalign import errors as errors
    from isoalign.alignment import RCSLS as RCSLS
    from isoalign.alignment import Aligner as Aligner
    from isoalign.alignment import Alignment as Alignment
    from isoalign.alignment import LeastSquares as LeastSquares
    from isoalign.alignment import Procrustes as Procrustes
    from isoalign.alignment import Refine as Refine
    from isoalign.alignment import VecMap as VecMap
    from isoalign.alignment import align as align
    from isoalign.alignment import seed_lexicon as seed_lexicon
    from isoalign.datasets import load_sample as load_sample
    from isoalign.evaluation import compare as compare
    from isoalign.evaluation import evaluate_bli as evaluate_bli
    from isoalign.evaluation import evaluate_isomorphism as evaluate_isomorphism
    from isoalign.evaluation import evaluate_similarity as evaluate_similarity
    from isoalign.io import open_vectors as open_vectors
    from isoalign.io import read_lexicon as read_lexicon
    from isoalign.io import read_similarity as read_similarity
    from isoalign.io import read_vectors as read_vectors
    from isoalign.io import write_lexicon as write_lexicon
    from isoalign.io import write_vectors as write_vectors
    from isoalign.lexicon import Lexicon as Lexicon
    from isoalign.normalization import Center as Center
    from isoalign.normalization import CenterLength as CenterLength
    from isoalign.normalization import Chain as Chain
    from isoalign.normalization import IterNorm as IterNorm
    from isoalign.normalization import RemoveTop as RemoveTop
    from isoalign.normalization import Unit as Unit
    from isoalign.normalization import Whiten as Whiten
    from isoalign.normalization import make_normalizer as make_normalizer
    from isoalign.normalization import normalize as normalize
    from isoalign.translation import Translation as Translation
    from isoalign.translation import Translator as Translator
    from isoalign.translation import induce_lexicon as induce_lexicon
    from isoalign.translation import most_similar as most_similar
    from isoalign.vectors import Embeddings as Embeddings

__version__ = "0.1.0"

_PUBLIC = {
    "Aligner": "isoalign.alignment",
    "Alignment": "isoalign.alignment",
    "Center": "isoalign.normalization",
    "CenterLength": "isoalign.normalization",
    "Chain": "isoalign.normalization",
    "Embeddings": "isoalign.vectors",
    "IterNorm": "isoalign.normalization",
    "LeastSquares": "isoalign.alignment",
    "Lexicon": "isoalign.lexicon",
    "Procrustes": "isoalign.alignment",
    "RCSLS": "isoalign.alignment",
    "Refine": "isoalign.alignment",
    "RemoveTop": "isoalign.normalization",
    "Translation": "isoalign.translation",
    "Translator": "isoalign.translation",
    "Unit": "isoalign.normalization",
    "VecMap": "isoalign.alignment",
    "Whiten": "isoalign.normalization",
    "align": "isoalign.alignment",
    "compare": "isoalign.evaluation",
    "evaluate_bli": "isoalign.evaluation",
    "evaluate_isomorphism": "isoalign.evaluation",
    "evaluate_similarity": "isoalign.evaluation",
    "induce_lexicon": "isoalign.translation",
    "load_sample": "isoalign.datasets",
    "make_normalizer": "isoalign.normalization",
    "most_similar": "isoalign.translation",
    "normalize": "isoalign.normalization",
    "open_vectors": "isoalign.io",
    "read_lexicon": "isoalign.io",
    "read_similarity": "isoalign.io",
    "read_vectors": "isoalign.io",
    "seed_lexicon": "isoalign.alignment",
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
    return sorted({*globals(), *__all__})
