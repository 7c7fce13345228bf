"""Correlations of paired values, for one sample or for many of its resamples at once."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from isoalign._core.types import RandomState
from isoalign._core.validate import check_count
from isoalign.evaluation._results import Interval
from isoalign.evaluation._statistics import percentile_interval, resample_counts

__all__ = ["CORRELATION_RESAMPLES", "Correlation", "average_ranks", "correlate", "correlations"]

CORRELATION_RESAMPLES = 2_000
"""Each resample takes ten passes over the pairs, so there are fewer than for accuracies."""

Floats = NDArray[np.float64]


class Correlation(NamedTuple):
    """Spearman's and Pearson's correlation of paired values, with 95 % bootstrap intervals over the pairs."""

    spearman: float
    spearman_ci95: Interval
    pearson: float
    pearson_ci95: Interval


def correlate(
    x: Floats, y: Floats, *, n_resamples: int = CORRELATION_RESAMPLES, random_state: RandomState = 0
) -> Correlation:
    """Correlate paired values.

    Parameters
    ----------
    x, y
        (n,) each; neither may be constant.
    n_resamples, random_state
        Number of bootstrap resamples over pairs, and their seed.
    """
    pearson, spearman = correlations(x, y, np.ones((1, len(x))))[0].tolist()
    check_count(n_resamples, name="n_resamples")
    samples = [correlations(x, y, counts) for counts in resample_counts(len(x), n_resamples, random_state)]
    (low_p, low_s), (high_p, high_s) = (end.tolist() for end in percentile_interval(np.concatenate(samples)))
    return Correlation(spearman, (low_s, high_s), pearson, (low_p, high_p))


def average_ranks(values: Floats, counts: Floats) -> Floats:
    """Return the rank of every value within each resample; equal values share their mean rank.

    Parameters
    ----------
    values
        (n,).
    counts
        How often each value occurs in each resample, (b, n). Ones give the ranks of the sample itself.

    Returns
    -------
    ndarray
        (b, n), from 1.
    """
    _, group = np.unique(values, return_inverse=True)
    order = np.argsort(group, kind="stable")
    starts = np.searchsorted(group[order], np.arange(group.max() + 1))
    sizes = np.add.reduceat(counts[:, order], starts, axis=1)
    ranks: Floats = (np.cumsum(sizes, axis=1) - sizes + (sizes + 1) / 2)[:, group]
    return ranks


def correlations(x: Floats, y: Floats, counts: Floats) -> Floats:
    """Return Pearson's and Spearman's correlation for every resample, (b, 2); NaN if one side is constant."""
    ranked = _pearson(average_ranks(x, counts), average_ranks(y, counts), counts)
    return np.stack([_pearson(x, y, counts), ranked], axis=1)


def _pearson(x: Floats, y: Floats, counts: Floats) -> Floats:
    total = counts.sum(axis=1, keepdims=True)
    dx = x - (counts * x).sum(axis=1, keepdims=True) / total
    dy = y - (counts * y).sum(axis=1, keepdims=True) / total
    square = (counts * dx * dx).sum(axis=1) * (counts * dy * dy).sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(square > 0, (counts * dx * dy).sum(axis=1) / np.sqrt(square), np.nan)
