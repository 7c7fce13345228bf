"""Evaluate alignments: bilingual lexicon induction, word similarity and isomorphism, with confidence intervals."""

from isoalign.evaluation._bli import evaluate_bli
from isoalign.evaluation._calibration import calibrate
from isoalign.evaluation._compare import compare, compare_ranks
from isoalign.evaluation._conditions import Conditions, check_conditions
from isoalign.evaluation._correlation import Correlation, correlate
from isoalign.evaluation._eigenvalues import eigenvector_similarity
from isoalign.evaluation._files import read_results, write_answers, write_disagreements
from isoalign.evaluation._gromov import bottleneck_distance, merge_distances
from isoalign.evaluation._isomorphism import IsomorphismResult, Shape, evaluate_isomorphism
from isoalign.evaluation._matrix import (
    NamedLexicon,
    PairScore,
    ScoreMatrix,
    align_pairs,
    evaluate_pairs,
    triangulate,
    triangulate_tests,
)
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
    Verdict,
)
from isoalign.evaluation._similarity import SimilarityResult, evaluate_similarity
from isoalign.evaluation._statistics import (
    N_RESAMPLES,
    bootstrap_p,
    mcnemar_exact,
    percentile_interval,
    resample_ratios,
)
from isoalign.neighbors import Hubness, measure_hubness

__all__ = [
    "N_RESAMPLES",
    "PROTOCOLS",
    "Answer",
    "BliResult",
    "Comparison",
    "Conditions",
    "Correlation",
    "Difference",
    "Disagreement",
    "Group",
    "Hubness",
    "IsomorphismResult",
    "NamedLexicon",
    "PairScore",
    "Protocol",
    "ScoreMatrix",
    "Shape",
    "SimilarityResult",
    "Verdict",
    "align_pairs",
    "bootstrap_p",
    "bottleneck_distance",
    "calibrate",
    "check_conditions",
    "compare",
    "compare_ranks",
    "correlate",
    "eigenvector_similarity",
    "evaluate_bli",
    "evaluate_isomorphism",
    "evaluate_pairs",
    "evaluate_similarity",
    "graph_modularity",
    "mcnemar_exact",
    "measure_hubness",
    "merge_distances",
    "percentile_interval",
    "read_results",
    "relational_similarity",
    "resample_ratios",
    "triangulate",
    "triangulate_tests",
    "write_answers",
    "write_disagreements",
]
