"""Measure alignments: lexicon induction, word similarity, isomorphism, each with its uncertainty."""

from isoalign.evaluation._bli import evaluate_bli
from isoalign.evaluation._compare import compare
from isoalign.evaluation._files import read_results, write_answers, write_disagreements
from isoalign.evaluation._protocols import PROTOCOLS, Protocol
from isoalign.evaluation._results import (
    Answer,
    BliResult,
    Comparison,
    Difference,
    Disagreement,
    Group,
    SimilarityResult,
)
from isoalign.evaluation._similarity import evaluate_similarity

__all__ = [
    "PROTOCOLS",
    "Answer",
    "BliResult",
    "Comparison",
    "Difference",
    "Disagreement",
    "Group",
    "Protocol",
    "SimilarityResult",
    "compare",
    "evaluate_bli",
    "evaluate_similarity",
    "read_results",
    "write_answers",
    "write_disagreements",
]
