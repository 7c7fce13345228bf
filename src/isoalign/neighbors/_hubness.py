"""Hubness: how unevenly words are chosen as neighbours."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from isoalign._core.display import Tabular
from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.types import IntVector, Matrix
from isoalign.neighbors._top_k import top_k

__all__ = ["Hubness", "count_occurrences", "describe_occurrences", "measure_hubness"]


@dataclass(frozen=True)
class Hubness(Tabular):
    """How unevenly targets are chosen as neighbours.

    Attributes
    ----------
    skewness
        Skewness of the k-occurrence counts: 0 if they are symmetric around their mean, large if there are hubs.
    anti_hubs
        Share of the targets that are not a neighbour of any source.
    largest, largest_row
        Number of sources that have the largest hub as a neighbour, and its row; the lower row in case of a tie.
    """

    skewness: float
    anti_hubs: float
    largest: int
    largest_row: int

    def to_records(self) -> list[dict[str, Any]]:
        """Return the values as one row."""
        return [asdict(self)]


def measure_hubness(X: Matrix, Y: Matrix, *, k: int = 10, progress: Progress = ignore_progress) -> Hubness:
    r"""Measure how unevenly targets occur among the k nearest neighbours of the sources.

    .. math:: S_{N_k} = \mathrm{E}\bigl[(N_k - \mu)^3\bigr] / \sigma^3

    where :math:`N_k(y)` is the number of sources that have y among their k nearest targets by inner product.

    Parameters
    ----------
    X, Y
        Sources (n, dim) and targets (m, dim) in the shared space, rows of unit length.
    k
        Number of neighbours of a source.
    progress
        Progress callback.

    References
    ----------
    Radovanović, Nanopoulos, Ivanović (2010), section 2. Cost: n·m products.
    """
    _, rows = top_k(X, Y, k, progress=progress)
    return describe_occurrences(rows, len(Y))


def count_occurrences(rows: IntVector, m: int) -> IntVector:
    """Return how often each of m words occurs in the rows (q, k) of a search."""
    counts: IntVector = np.bincount(rows.ravel(), minlength=m)
    return counts


def describe_occurrences(rows: IntVector, m: int) -> Hubness:
    """Measure the hubness of m words from the rows (q, k) of a search among them."""
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
