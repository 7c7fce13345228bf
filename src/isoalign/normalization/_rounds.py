"""Nearest neighbours after every round of normalisation, from one product with the raw vectors.

Scaling and centring keep a row in the span of itself and the means: after any number of them, row x is ``a x - b M``,
with a scalar a and a vector b of its own, and the means as the rows of M. The inner products of a query with all rows,
after every round, therefore follow from its inner products with the raw rows and from the inner products of the rows
with the means, which are computed once. No copy of the vectors is stored.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from isoalign._core.arrays import row_blocks
from isoalign._core.compile import compiled
from isoalign._core.threads import map_threads, single_threaded_blas
from isoalign._core.types import Doubles, IntVector, Matrix
from isoalign.normalization._base import AbstractNormalizer, RowStep
from isoalign.normalization._kernels import VANISHED

__all__ = ["NearestRows", "RoundSearch", "RoundTable"]


_SPARE = 8  # additional candidates, so that float32 rounding does not lose any of the best
_BLOCK = 2048  # columns whose sums fit into the L1 cache
_SCANNED = 64  # values of which the maximum is taken


class NearestRows(NamedTuple):
    """The nearest rows of one query after one round, best first."""

    rows: list[int]
    cosines: list[float]


class _Stage(NamedTuple):
    """All rows after a round, scaled to unit length: scalars a (n,), and the factors of a query's weights (2s, n)."""

    scale: Matrix
    features: Matrix


@compiled()
def _combine(
    products: Matrix, own_scale: Matrix, weights: Matrix, scale: Matrix, features: Matrix, cosines: Matrix
) -> None:
    """Fill ``own_scale * scale * products - weights @ features``, (q, n), block by block: BLAS is slow for few rows."""
    for q in range(products.shape[0]):
        for start in range(0, products.shape[1], _BLOCK):
            stop = min(start + _BLOCK, products.shape[1])
            for i in range(start, stop):
                cosines[q, i] = own_scale[q] * scale[i] * products[q, i]
            for j in range(features.shape[0]):
                weight = weights[q, j]
                for i in range(start, stop):
                    cosines[q, i] -= weight * features[j, i]


class RoundSearch:
    """Find nearest neighbours before normalisation and after each round of a normaliser.

    A normaliser that does more than scale and centre, such as whitening, has no rounds to follow. The search then
    covers the rows before and after it, and stores a normalised copy of the vectors.

    Parameters
    ----------
    X
        Raw vectors, (n, dim).
    normalizer
        Fitted normaliser.
    """

    def __init__(self, X: Matrix, normalizer: AbstractNormalizer) -> None:
        steps = normalizer.scaling_steps()
        self._normalizer = normalizer
        self._followed = RoundTable(X, steps or [])
        self._after = RoundTable(normalizer.transform(X), []) if steps is None else None

    def nearest(self, Q: Matrix, k: int, *, own_rows: IntVector) -> list[list[NearestRows]]:
        """Find the neighbours of queries before normalisation and after each round; see `RoundTable.nearest`."""
        found = self._followed.nearest(Q, k, own_rows=own_rows)
        if self._after is not None:
            after = self._after.nearest(self._normalizer.transform(Q), k, own_rows=own_rows)
            found = [[*stages, *last] for stages, last in zip(found, after, strict=True)]
        return found


class RoundTable:
    """Rows before the first step and after each centring step.

    Rows without a direction, which are zero or equal to the mean, have cosine 0 to all rows.

    Parameters
    ----------
    X
        Raw vectors, (n, dim).
    steps
        See `AbstractNormalizer.scaling_steps`.
    """

    def __init__(self, X: Matrix, steps: Sequence[RowStep]) -> None:
        self._X = X
        self._steps = list(steps)
        means = [step for step in steps if step is not None]
        self._means: Doubles = np.array(means, dtype=np.float64).reshape(len(means), X.shape[1])
        self._gram = self._means @ self._means.T
        squares, shares = np.empty(len(X)), np.empty((len(X), len(means)))

        def measure(rows: slice) -> None:
            squares[rows], shares[rows] = self._measure(X[rows])

        with single_threaded_blas():
            map_threads(measure, row_blocks(len(X)))
        self._stages = [
            _Stage(a.astype(np.float32), np.concatenate([b.T, (a[:, None] * shares[:, : b.shape[1]]).T]).astype("f4"))
            for a, b in self._walk(squares, shares)
        ]

    def nearest(self, Q: Matrix, k: int, *, own_rows: IntVector) -> list[list[NearestRows]]:
        """Find the nearest rows of queries.

        Parameters
        ----------
        Q
            Raw vectors of the queries, (q, dim).
        k
            Number of neighbours.
        own_rows
            Row of each query, (q,), which is excluded; -1 for a query without a row.

        Returns
        -------
        list
            For every query, its neighbours before the first round and after each round.
        """
        squares, shares = self._measure(Q)
        numbers = [self._own_numbers(a, b, shares) for a, b in self._walk(squares, shares)]
        cosines = np.empty((len(self._stages), len(Q), len(self._X)), dtype=np.float32)

        def fill(rows: slice) -> None:
            products = Q @ self._X[rows].T
            for stage, (scale, weights), result in zip(self._stages, numbers, cosines, strict=True):
                _combine(products, scale, weights, stage.scale[rows], stage.features[:, rows], result[:, rows])

        with single_threaded_blas():
            map_threads(fill, row_blocks(len(self._X)))
        known = own_rows >= 0
        cosines[:, known, own_rows[known]] = -np.inf
        return [self._choose(query, cosines[:, word], k) for word, query in enumerate(Q)]

    def _choose(self, query: Matrix, cosines: Matrix, k: int) -> list[NearestRows]:
        """Return the best rows of a query after every round, by cosines in float64 to all that may be among them."""
        likely = [_find_largest(stage, k + _SPARE) for stage in cosines]
        rows = np.unique(np.concatenate(likely))
        nearest = []
        for candidates, exact in zip(likely, self._cosines(query, rows), strict=True):
            own = exact[np.searchsorted(rows, candidates)]
            order = np.lexsort((candidates, -own))[:k]
            nearest.append(NearestRows(candidates[order].tolist(), own[order].tolist()))
        return nearest

    def _own_numbers(self, a: Doubles, b: Doubles, shares: Doubles) -> tuple[Matrix, Matrix]:
        """Return the factors of the products and of the features of all rows."""
        used = b.shape[1]
        weights = np.concatenate([a[:, None] * shares[:, :used] - b @ self._gram[:used, :used], b], axis=1)
        return a.astype(np.float32), weights.astype(np.float32)

    def _measure(self, X: Matrix) -> tuple[Doubles, Doubles]:
        """Return squared lengths (n,) and inner products with the means (n, s)."""
        rows = X.astype(np.float64)
        return np.einsum("ij,ij->i", rows, rows), rows @ self._means.T

    def _walk(self, squares: Doubles, shares: Doubles) -> list[tuple[Doubles, Doubles]]:
        """Return a (n,) and b (n, means so far) of the unit rows before the first round and after each mean."""
        a, b = np.ones(len(squares)), np.zeros((len(squares), 0))
        alive = squares > 0
        stages = [self._unit(a, b, squares, shares, alive)]
        for step in self._steps:
            if step is None:
                a, b = self._unit(a, b, squares, shares, alive)
            else:
                b = np.concatenate([b, np.ones((len(b), 1))], axis=1)
                stages.append(self._unit(a, b, squares, shares, alive))
        return stages

    def _unit(
        self, a: Doubles, b: Doubles, squares: Doubles, shares: Doubles, alive: NDArray[np.bool_]
    ) -> tuple[Doubles, Doubles]:
        """Scale rows to unit length; rows without a direction are marked in ``alive`` and become zero."""
        used = b.shape[1]
        own = a * a * squares
        square = own - 2 * a * np.einsum("ij,ij->i", b, shares[:, :used])
        square += np.einsum("ij,ij->i", b @ self._gram[:used, :used], b)
        alive &= square > VANISHED**2 * own
        inverse = np.where(alive, 1, 0) / np.sqrt(np.where(alive, square, 1))
        return a * inverse, b * inverse[:, None]

    def _cosines(self, query: Matrix, rows: IntVector) -> list[Doubles]:
        """Return the cosines of a query to some rows in float64, (len(rows),), after every round."""
        X = np.concatenate([query[None], self._X[rows]]).astype(np.float64)
        units = (a[:, None] * X - b @ self._means[: b.shape[1]] for a, b in self._walk(*self._measure(X)))  # type: ignore[arg-type]
        return [unit[1:] @ unit[0] for unit in units]


def _find_largest(values: Matrix, count: int) -> IntVector:
    """Return the places of the largest values and perhaps of more, ascending; -inf is never among them.

    A value below that many maxima, each of values of its own, is none of the largest.
    """
    whole = len(values) - len(values) % _SCANNED
    maxima = values[:whole].reshape(_SCANNED, -1).max(axis=0)
    floor = np.finfo(values.dtype).min
    if len(maxima) >= count:
        floor = max(floor, np.partition(maxima, len(maxima) - count)[len(maxima) - count])
    return np.flatnonzero(values >= floor)
