"""Values of records, as JSON."""

from typing import Any

import numpy as np

from isoalign._core.arrays import column_mean, row_lengths
from isoalign.evaluation import BliResult, SimilarityResult
from isoalign.vectors import Embeddings

__all__ = ["bli_values", "condition_values", "similarity_values"]


def bli_values(result: BliResult) -> dict[str, Any]:
    """Return precision and intervals on a test dictionary, and the word and the rank of each question."""
    return {
        "precision": {str(k): value for k, value in result.precision.items()},
        "ci95": {str(k): list(ends) for k, ends in result.ci95.items()},
        "mrr": result.mrr,
        "mrr_ci95": list(result.mrr_ci95),
        "n": result.n,
        "coverage": result.coverage,
        "words": [answer.word for answer in result.answers],
        "ranks": [answer.rank for answer in result.answers],
    }


def similarity_values(result: SimilarityResult) -> dict[str, Any]:
    """Return the correlations with human judgments."""
    return {
        "spearman": result.spearman,
        "ci95": list(result.spearman_ci95),
        "pearson": result.pearson,
        "n": result.n,
        "coverage": result.coverage,
    }


def condition_values(source: Embeddings, target: Embeddings) -> dict[str, Any]:
    """Measure lengths and means of both sides, to which the conditions of the paper apply."""
    return {"source": _lengths_and_mean(source), "target": _lengths_and_mean(target)}


def _lengths_and_mean(side: Embeddings) -> dict[str, float]:
    lengths = row_lengths(side.vectors)
    return {
        "mean_norm": float(np.linalg.norm(column_mean(side.vectors))),
        "min_length": float(lengths.min()),
        "max_length": float(lengths.max()),
    }
