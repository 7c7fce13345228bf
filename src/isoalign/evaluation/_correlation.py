"""Correlations of paired values, for one sample or for many of its resamples at once."""

import numpy as np
from numpy.typing import NDArray

__all__ = ["average_ranks", "correlations"]

Floats = NDArray[np.float64]


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
