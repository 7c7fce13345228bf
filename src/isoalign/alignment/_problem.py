"""A learning problem: two spaces, known row pairs, and a random seed."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isoalign._core.spill import gather_rows
from isoalign._core.types import DoubleVector, IntVector, Matrix, RowPairs
from isoalign._core.validate import check_count, check_matrix, check_pairs, check_row_pairs
from isoalign.errors import InvalidValueError, ShapeError

__all__ = ["Problem"]


@dataclass(frozen=True)
class Problem:
    """Learning problem of an aligner.

    Attributes
    ----------
    X, Y
        Source space (n, d_s) and target space (m, d_t), normalised, most frequent rows first.
    pairs
        Rows that belong together, (p, 2); None if there is no dictionary.
    weights
        Weights of the pairs, (p,); None for equal weights.
    candidates
        Number of first rows of each side that may be candidates: in induced dictionaries, as negative examples, and for
        scoring a map. None: all rows.
    random_state
        Seed of the validation split and of all random choices of the aligner.
    is_guess
        Whether the pairs are guessed by a start, and therefore need not be kept.
    """

    X: Matrix
    Y: Matrix
    pairs: RowPairs | None = None
    weights: DoubleVector | None = None
    candidates: tuple[int, int] | None = None
    random_state: int = 0
    is_guess: bool = False

    @classmethod
    def from_spaces(
        cls,
        X: Any,
        Y: Any,
        pairs: Any = None,
        *,
        weights: Any = None,
        candidates: tuple[Any, Any] | None = None,
        random_state: int = 0,
    ) -> "Problem":
        """Check two spaces and the pairs between them.

        Parameters
        ----------
        X, Y
            (n, d_s) and (m, d_t).
        pairs
            Row pairs (p, 2), or None.
        weights
            One non-negative number per pair.
        candidates
            For each side, the number of first rows that may be candidates, or their row numbers, most frequent first.
            Rows given by number are moved to the front of their space, and pairs are renumbered: a map does not depend
            on the order of rows.
        random_state
            Seed.
        """
        X, Y = check_matrix(X), check_matrix(Y, name="Y")
        rows = None if pairs is None else check_row_pairs(pairs, n=len(X), m=len(Y))
        limits = None
        if candidates is not None:
            (X, x_places, n), (Y, y_places, m) = (_move_first(*side) for side in zip((X, Y), candidates, strict=True))
            limits = (n, m)
            if rows is not None:
                rows = np.stack([x_places[rows[:, 0]], y_places[rows[:, 1]]], axis=1)
        return cls(X, Y, rows, _check_weights(weights, rows), limits, random_state)

    @classmethod
    def from_pairs(cls, X: Any, Y: Any, *, same_dim: bool = True, random_state: int = 0) -> "Problem":
        """Use paired rows (p, d_s) and (p, d_t) as the spaces as well."""
        X, Y = check_pairs(X, Y, same_dim=same_dim)
        rows: IntVector = np.arange(len(X))
        return cls(X, Y, np.stack([rows, rows], axis=1), random_state=random_state)

    def with_pairs(self, pairs: RowPairs, weights: DoubleVector | None = None) -> "Problem":
        """Return the same problem with another dictionary."""
        return replace(self, pairs=pairs, weights=weights)

    def without(self, held_out: NDArray[np.bool_]) -> "Problem":
        """Return the same problem without some of its pairs, (p,)."""
        weights = None if self.weights is None else self.weights[~held_out]
        return self.with_pairs(self.known_pairs[~held_out], weights)

    @property
    def known_pairs(self) -> RowPairs:
        """The pairs, or an error if there are none."""
        if self.pairs is None or not len(self.pairs):
            raise InvalidValueError(
                "This method learns from pairs of rows, and there are none. Give a dictionary or a start."
            )
        return self.pairs

    def paired_rows(self) -> tuple[Matrix, Matrix]:
        r"""Return the rows of all pairs, (p, d_s) and (p, d_t).

        With weights, both are multiplied by :math:`\sqrt{w}`, so that products and squares of paired rows have weight
        w.
        """
        pairs = self.known_pairs
        X, Y = self.X[pairs[:, 0]], self.Y[pairs[:, 1]]
        if self.weights is None:
            return X, Y
        roots = np.sqrt(self.weights).astype(np.float32)[:, None]
        return X * roots, Y * roots

    def limits(self, max_rank: int | None = None) -> tuple[int, int]:
        """Return the number of first rows of each side that are candidates up to this rank."""
        n, m = self.candidates or (len(self.X), len(self.Y))
        return (n, m) if max_rank is None else (min(n, max_rank), min(m, max_rank))

    def candidate_rows(self) -> tuple[Matrix, Matrix]:
        """Return the rows of both spaces that are candidates."""
        n, m = self.limits()
        return self.X[:n], self.Y[:m]

    def rng(self, *stream: int) -> np.random.Generator:
        """Return a generator; different streams are independent of each other."""
        return np.random.default_rng([self.random_state, *stream] if stream else self.random_state)


def _move_first(X: Matrix, candidates: Any) -> tuple[Matrix, IntVector, int]:
    """Return the rows with the candidates first, the new position of every row, and the number of candidates."""
    places: IntVector = np.arange(len(X))
    if candidates is None or isinstance(candidates, (int, np.integer)):
        n = len(X) if candidates is None else min(check_count(candidates, name="candidates"), len(X))
        return X, places, n
    first = np.asarray(candidates)
    if first.ndim != 1 or not len(first) or first.dtype.kind not in "iu" or first.min() < 0 or first.max() >= len(X):
        raise ShapeError(f"candidates must be row numbers below {len(X)}. Got shape {first.shape}, {first.dtype}.")
    first = first[np.sort(np.unique(first, return_index=True)[1])]
    order = np.concatenate([first, np.setdiff1d(places, first)])
    places[order] = np.arange(len(X))
    return gather_rows(X, order), places, len(first)


def _check_weights(weights: Any, pairs: RowPairs | None) -> DoubleVector | None:
    if weights is None:
        return None
    array = np.asarray(weights, dtype=np.float64)
    n_pairs = 0 if pairs is None else len(pairs)
    if array.shape != (n_pairs,) or not np.isfinite(array).all() or (array < 0).any() or not array.any():
        raise ShapeError(f"weights must be {n_pairs} non-negative numbers, not all zero. Got shape {array.shape}.")
    return array
