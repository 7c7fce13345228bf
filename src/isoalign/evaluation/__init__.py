"""Measure alignments: lexicon induction, word similarity, isomorphism, each with its uncertainty."""

from isoalign.evaluation._bli import evaluate_bli
from isoalign.evaluation._compare import compare
from isoalign.evaluation._conditions import Conditions, check_conditions
from isoalign.evaluation._eigenvalues import eigenvector_similarity
from isoalign.evaluation._files import read_results, write_answers, write_disagreements
from isoalign.evaluation._gromov import bottleneck_distance, merge_distances
from isoalign.evaluation._isomorphism import IsomorphismResult, Shape, evaluate_isomorphism
from isoalign.evaluation._modularity import graph_modularity
from isoalign.evaluation._protocols import PROTOCOLS, Protocol
from isoalign.evaluation._relational import relational_similarity
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
from isoalign.evaluation._statistics import N_RESAMPLES, bootstrap_p, mcnemar_exact, percentile_interval
from isoalign.neighbors import Hubness, measure_hubness

__all__ = [
    "N_RESAMPLES",
    "PROTOCOLS",
    "Answer",
    "BliResult",
    "Comparison",
    "Conditions",
    "Difference",
    "Disagreement",
    "Group",
    "Hubness",
    "IsomorphismResult",
    "Protocol",
    "Shape",
    "SimilarityResult",
    "bootstrap_p",
    "bottleneck_distance",
    "check_conditions",
    "compare",
    "eigenvector_similarity",
    "evaluate_bli",
    "evaluate_isomorphism",
    "evaluate_similarity",
    "graph_modularity",
    "mcnemar_exact",
    "measure_hubness",
    "merge_distances",
    "percentile_interval",
    "read_results",
    "relational_similarity",
    "write_answers",
    "write_disagreements",
]
