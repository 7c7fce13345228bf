"""What a record keeps of a measurement: JSON values, the same wherever they were measured."""

from typing import Any

import numpy as np

from isoalign._arrays import column_mean, row_lengths
from isoalign.evaluation import BliResult, SimilarityResult
from isoalign.vectors import Embeddings

__all__ = ["bli_values", "condition_values", "similarity_values"]


def bli_values(result: BliResult) -> dict[str, Any]:
    """Return precision, intervals and ranks of a test on word pairs."""
    return {
        "precision": {str(k): value for k, value in result.precision.items()},
        "ci95": {str(k): list(ends) for k, ends in result.ci95.items()},
        "n": result.n,
        "coverage": result.coverage,
        "ranks": [answer.rank for answer in result.answers],
    }


def similarity_values(result: SimilarityResult) -> dict[str, Any]:
    """Return the correlation with human judgements."""
    return {
        "spearman": result.spearman,
        "ci95": list(result.spearman_ci95),
        "pearson": result.pearson,
        "n": result.n,
        "coverage": result.coverage,
    }


def condition_values(source: Embeddings, target: Embeddings) -> dict[str, Any]:
    """Measure what the paper asks of both sides: equal lengths, and means of equal length."""
    return {"source": _lengths_and_mean(source), "target": _lengths_and_mean(target)}


def _lengths_and_mean(side: Embeddings) -> dict[str, float]:
    lengths = row_lengths(side.vectors)
    return {
        "mean_norm": float(np.linalg.norm(column_mean(side.vectors))),
        "min_length": float(lengths.min()),
        "max_length": float(lengths.max()),
    }
