"""Hubness: whether a few words are neighbours of everything."""

from dataclasses import dataclass

import numpy as np

from isoalign._progress import Progress, ignore_progress
from isoalign._types import IntVector, Matrix
from isoalign.neighbors._search import top_k

__all__ = ["Hubness", "count_occurrences", "describe_occurrences", "measure_hubness"]


@dataclass(frozen=True)
class Hubness:
    """How unevenly targets are chosen as neighbours.

    Attributes
    ----------
    skewness
        Of the k-occurrence counts: 0 where they spread evenly around their mean, large where hubs exist.
    anti_hubs
        Share of the targets that are nobody's neighbour.
    largest, largest_row
        How many sources chose the largest hub, and its row; of equals the lower row.
    """

    skewness: float
    anti_hubs: float
    largest: int
    largest_row: int


def measure_hubness(X: Matrix, Y: Matrix, *, k: int = 10, progress: Progress = ignore_progress) -> Hubness:
    r"""Count how often every target is among the k nearest of a source.

    .. math:: S_{N_k} = \mathrm{E}\bigl[(N_k - \mu)^3\bigr] / \sigma^3

    where :math:`N_k(y)` is the number of sources that have y among their k nearest targets by inner product.

    Parameters
    ----------
    X, Y
        Sources (n, dim) and targets (m, dim) in the shared space, rows of length one.
    k
        Neighbours of a source.

    References
    ----------
    Radovanović, Nanopoulos, Ivanović (2010), section 2. Cost: n·m products.
    """
    _, rows = top_k(X, Y, k, progress=progress)
    return describe_occurrences(rows, len(Y))


def count_occurrences(rows: IntVector, m: int) -> IntVector:
    """Return how often each of m words is among the rows that a search has returned, (q, k)."""
    counts: IntVector = np.bincount(rows.ravel(), minlength=m)
    return counts


def describe_occurrences(rows: IntVector, m: int) -> Hubness:
    """Measure the hubness of m words from the rows that a search among them has returned, (q, k)."""
    counts = count_occurrences(rows, m)
    away = counts - counts.mean()
    deviation = counts.std()
    row = int(counts.argmax())
    return Hubness(
        skewness=float((away**3).mean() / deviation**3) if deviation else 0.0,
        anti_hubs=float((counts == 0).mean()),
        largest=int(counts[row]),
        largest_row=row,
    )
