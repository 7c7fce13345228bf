"""Evaluate alignments: bilingual lexicon induction, word similarity and isomorphism, with confidence intervals.

Names are imported on first use, so that one measure does not import the others.
"""

from typing import TYPE_CHECKING

from isoalign._core.registry import lazy_attributes

if TYPE_CHECKING:
    from isoalign.evaluation._bli import evaluate_bli as evaluate_bli
    from isoalign.evaluation._calibration import calibrate as calibrate
    from isoalign.evaluation._compare import compare as compare
    from isoalign.evaluation._compare import compare_ranks as compare_ranks
    from isoalign.evaluation._conditions import Conditions as Conditions
    from isoalign.evaluation._conditions import check_conditions as check_conditions
    from isoalign.evaluation._correlation import Correlation as Correlation
    from isoalign.evaluation._correlation import correlate as correlate
    from isoalign.evaluation._eigenvalues import eigenvector_similarity as eigenvector_similarity
    from isoalign.evaluation._files import read_results as read_results
    from isoalign.evaluation._files import write_answers as write_answers
    from isoalign.evaluation._files import write_disagreements as write_disagreements
    from isoalign.evaluation._gromov import bottleneck_distance as bottleneck_distance
    from isoalign.evaluation._gromov import merge_distances as merge_distances
    from isoalign.evaluation._isomorphism import IsomorphismResult as IsomorphismResult
    from isoalign.evaluation._isomorphism import Shape as Shape
    from isoalign.evaluation._isomorphism import evaluate_isomorphism as evaluate_isomorphism
    from isoalign.evaluation._matrix import NamedLexicon as NamedLexicon
    from isoalign.evaluation._matrix import PairScore as PairScore
    from isoalign.evaluation._matrix import ScoreMatrix as ScoreMatrix
    from isoalign.evaluation._matrix import align_pairs as align_pairs
    from isoalign.evaluation._matrix import evaluate_pairs as evaluate_pairs
    from isoalign.evaluation._matrix import triangulate as triangulate
    from isoalign.evaluation._matrix import triangulate_tests as triangulate_tests
    from isoalign.evaluation._modularity import graph_modularity as graph_modularity
    from isoalign.evaluation._protocols import PROTOCOLS as PROTOCOLS
    from isoalign.evaluation._protocols import Protocol as Protocol
    from isoalign.evaluation._relational import relational_similarity as relational_similarity
    from isoalign.evaluation._results import Answer as Answer
    from isoalign.evaluation._results import BliResult as BliResult
    from isoalign.evaluation._results import Comparison as Comparison
    from isoalign.evaluation._results import Difference as Difference
    from isoalign.evaluation._results import Disagreement as Disagreement
    from isoalign.evaluation._results import Group as Group
    from isoalign.evaluation._results import Verdict as Verdict
    from isoalign.evaluation._similarity import SimilarityResult as SimilarityResult
    from isoalign.evaluation._similarity import evaluate_similarity as evaluate_similarity
    from isoalign.evaluation._statistics import N_RESAMPLES as N_RESAMPLES
    from isoalign.evaluation._statistics import bootstrap_p as bootstrap_p
    from isoalign.evaluation._statistics import mcnemar_exact as mcnemar_exact
    from isoalign.evaluation._statistics import percentile_interval as percentile_interval
    from isoalign.evaluation._statistics import resample_ratios as resample_ratios
    from isoalign.neighbors import Hubness as Hubness
    from isoalign.neighbors import measure_hubness as measure_hubness

_PUBLIC = {
    "N_RESAMPLES": "_statistics",
    "PROTOCOLS": "_protocols",
    "Answer": "_results",
    "BliResult": "_results",
    "Comparison": "_results",
    "Conditions": "_conditions",
    "Correlation": "_correlation",
    "Difference": "_results",
    "Disagreement": "_results",
    "Group": "_results",
    "Hubness": "isoalign.neighbors",
    "IsomorphismResult": "_isomorphism",
    "NamedLexicon": "_matrix",
    "PairScore": "_matrix",
    "Protocol": "_protocols",
    "ScoreMatrix": "_matrix",
    "Shape": "_isomorphism",
    "SimilarityResult": "_similarity",
    "Verdict": "_results",
    "align_pairs": "_matrix",
    "bootstrap_p": "_statistics",
    "bottleneck_distance": "_gromov",
    "calibrate": "_calibration",
    "check_conditions": "_conditions",
    "compare": "_compare",
    "compare_ranks": "_compare",
    "correlate": "_correlation",
    "eigenvector_similarity": "_eigenvalues",
    "evaluate_bli": "_bli",
    "evaluate_isomorphism": "_isomorphism",
    "evaluate_pairs": "_matrix",
    "evaluate_similarity": "_similarity",
    "graph_modularity": "_modularity",
    "mcnemar_exact": "_statistics",
    "measure_hubness": "isoalign.neighbors",
    "merge_distances": "_gromov",
    "percentile_interval": "_statistics",
    "read_results": "_files",
    "relational_similarity": "_relational",
    "resample_ratios": "_statistics",
    "triangulate": "_matrix",
    "triangulate_tests": "_matrix",
    "write_answers": "_files",
    "write_disagreements": "_files",
}

__all__ = [*_PUBLIC]


__getattr__ = lazy_attributes(__name__, _PUBLIC)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
