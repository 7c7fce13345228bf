"""Change of meaning: which words moved between two periods, corpora or models, beyond what noise explains."""

from isoalign.drift._distances import MEASURES, cosine_distances, neighborhood_distances
from isoalign.drift._files import read_drift, write_drift
from isoalign.drift._gold import GoldResult, evaluate_drift
from isoalign.drift._measure import measure_drift, measure_drifts
from isoalign.drift._null import DistanceSample, benjamini_hochberg, fisher_transform, standardize
from isoalign.drift._results import Drift, DriftSeries, Movement, WordDrift, list_steps

__all__ = [
    "MEASURES",
    "DistanceSample",
    "Drift",
    "DriftSeries",
    "GoldResult",
    "Movement",
    "WordDrift",
    "benjamini_hochberg",
    "cosine_distances",
    "evaluate_drift",
    "fisher_transform",
    "list_steps",
    "measure_drift",
    "measure_drifts",
    "neighborhood_distances",
    "read_drift",
    "standardize",
    "write_drift",
]
