r"""The contrastive loss over hard negatives, and its gradient with respect to the maps of both sides.

The cosines that enter the loss are the entries of a sparse matrix: gold pairs and negatives. So are the derivatives
with respect to them, and the gradient is a sparse matrix times each of the two mapped spaces. No tensor of pairs,
negatives and columns is ever formed.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from isoalign._core.arrays import row_blocks
from isoalign._core.compile import SUM_FLAGS, compiled
from isoalign._core.threads import map_threads
from isoalign._core.types import FloatVector, IntVector, LinearMap, Matrix, RowPairs
from isoalign.neighbors import top_k

__all__ = ["ContrastiveLoss", "MapPair", "Negatives", "joint_norm", "mine_negatives", "step_along"]

_BLOCK = 512  # words that a thread takes at a time


class MapPair(NamedTuple):
    """Two matrices (d_s, p) and (d_t, p): the maps of both sides, or the gradient with respect to them."""

    source: LinearMap
    target: LinearMap


def step_along(maps: MapPair, direction: MapPair, length: float) -> MapPair:
    """Return the maps after a step of some length against a direction; without a direction, the same maps."""
    norm = joint_norm(direction)
    scale = length / norm if norm > 0 else 0.0
    return MapPair(maps.source - scale * direction.source, maps.target - scale * direction.target)


def joint_norm(maps: MapPair) -> float:
    """Return the Frobenius norm over both sides."""
    return float(np.hypot(np.linalg.norm(maps.source), np.linalg.norm(maps.target)))


class Negatives(NamedTuple):
    """Hard negatives: wrong answers that are close to the query.

    Attributes
    ----------
    targets
        Row pairs of a dictionary source and a target near it, (a, 2), by source.
    sources
        Row pairs of a source near a dictionary target and that target, (b, 2), by target.
    """

    targets: RowPairs
    sources: RowPairs


def mine_negatives(U: Matrix, V: Matrix, pairs: RowPairs, n_negatives: int) -> Negatives:
    """Return the words nearest to every dictionary word, without its known translations.

    Parameters
    ----------
    U, V
        Both mapped spaces (n, p) and (m, p), rows of unit length.
    pairs
        Row pairs of all known translations.
    n_negatives
        Neighbours of every word, known translations included.
    """
    sources, targets = np.unique(pairs[:, 0]), np.unique(pairs[:, 1])
    near_targets = _pairs_with_neighbors(U[sources], V, sources, n_negatives)
    near_sources = _pairs_with_neighbors(V[targets], U, targets, n_negatives)[:, ::-1]
    known = np.unique(pairs[:, 0] * len(V) + pairs[:, 1])
    found = (near_targets, near_sources)
    return Negatives(*(some[~np.isin(some[:, 0] * len(V) + some[:, 1], known)] for some in found))


def _pairs_with_neighbors(Q: Matrix, Y: Matrix, names: IntVector, k: int) -> RowPairs:
    _, rows = top_k(Q, Y, k)
    return np.column_stack([np.repeat(names, rows.shape[1]), rows.ravel()])


class ContrastiveLoss:
    r"""Distinguish the correct translation of every dictionary word from negatives.

    With cosines :math:`c` after mapping, temperature :math:`\tau`, :math:`e_{ij} = \exp(c_{ij} / \tau)`, and the sums
    :math:`Z_i` of :math:`e_{ij'}` over negative targets of i and :math:`Z'_j` of :math:`e_{i'j}` over negative sources
    of j, the loss is the mean over pairs (i, j) of

    .. math::

        -\tfrac{1}{2} \log \frac{e_{ij}}{e_{ij} + Z_i} - \tfrac{1}{2} \log \frac{e_{ij}}{e_{ij} + Z'_j}
        \qquad \text{or, jointly,} \qquad -\log \frac{e_{ij}}{e_{ij} + Z_i + Z'_j}

    Parameters
    ----------
    S, T
        All words of both sides, (n, d_s) and (m, d_t).
    pairs
        Row pairs to learn from, (p, 2).
    negatives
        As returned by :func:`mine_negatives`.
    temperature
        :math:`\tau`.
    joint
        Whether to use one softmax over the negatives of both sides instead of one for each side.
    constant_norms
        Whether to differentiate as if the lengths of mapped vectors did not depend on the maps.
    """

    def __init__(
        self,
        S: Matrix,
        T: Matrix,
        pairs: RowPairs,
        negatives: Negatives,
        *,
        temperature: float,
        joint: bool = False,
        constant_norms: bool = False,
    ) -> None:
        self.temperature, self.joint, self.constant_norms = temperature, joint, constant_norms
        self.n_pairs = len(pairs)
        entries = np.concatenate([pairs, *negatives])
        source_rows, rows = np.unique(entries[:, 0], return_inverse=True)
        target_rows, columns = np.unique(entries[:, 1], return_inverse=True)
        self.X, self.Y = S[source_rows], T[target_rows]
        self.rows, self.columns = rows.ravel(), columns.ravel()
        self.by_row = _Grouped.of(self.rows, self.columns, len(self.X))
        self.by_column = _Grouped.of(self.columns, self.rows, len(self.Y))
        self.of_sources = slice(len(pairs), len(pairs) + len(negatives.targets))
        self.of_targets = slice(self.of_sources.stop, len(entries))

    def evaluate(self, maps: MapPair) -> tuple[float, MapPair]:
        """Return the loss and its gradient."""
        U, u_lengths = _map_unit(self.X, maps.source)
        V, v_lengths = _map_unit(self.Y, maps.target)
        loss, slopes = self._differentiate(self.by_row.products(U, V))
        source = self._pull_back(self.X, U, u_lengths, self.by_row.weighted_sums(slopes, V))
        target = self._pull_back(self.Y, V, v_lengths, self.by_column.weighted_sums(slopes, U))
        return loss, MapPair(source, target)

    def _differentiate(self, cosines: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        """Return the loss and its derivative with respect to every cosine."""
        weights = np.exp((cosines - 1) / self.temperature)  # a common factor changes nothing and prevents overflow
        gold = weights[: self.n_pairs]
        i, j = self.rows[: self.n_pairs], self.columns[: self.n_pairs]
        i_sums = np.bincount(self.rows[self.of_sources], weights[self.of_sources], len(self.X))[i]
        j_sums = np.bincount(self.columns[self.of_targets], weights[self.of_targets], len(self.Y))[j]
        if self.joint:
            i_shares = j_shares = 1 / (gold + i_sums + j_sums)
            losses, right = -np.log(gold * i_shares), gold * i_shares
        else:
            i_shares, j_shares = 0.5 / (gold + i_sums), 0.5 / (gold + j_sums)
            losses = -0.5 * np.log(2 * gold * i_shares) - 0.5 * np.log(2 * gold * j_shares)
            right = gold * (i_shares + j_shares)
        slopes = weights
        slopes[: self.n_pairs] = right - 1
        slopes[self.of_sources] *= np.bincount(i, i_shares, len(self.X))[self.rows[self.of_sources]]
        slopes[self.of_targets] *= np.bincount(j, j_shares, len(self.Y))[self.columns[self.of_targets]]
        return float(losses.mean()), slopes / (self.temperature * self.n_pairs)

    def _pull_back(self, X: Matrix, U: Matrix, lengths: FloatVector, slopes: Matrix) -> LinearMap:
        """Return the gradient with respect to the map, from that with respect to the rows of U = unit(X W)."""
        if not self.constant_norms:
            slopes -= np.einsum("ij,ij->i", slopes, U)[:, None] * U
        slopes /= lengths[:, None]
        gradient = np.zeros((X.shape[1], U.shape[1]))
        for block in row_blocks(len(X)):
            gradient += X[block].T @ slopes[block]
        return gradient


def _map_unit(X: Matrix, W: LinearMap) -> tuple[Matrix, FloatVector]:
    """Return the mapped rows scaled to unit length, and their lengths before."""
    mapped = X @ W.astype(np.float32)
    lengths: FloatVector = np.sqrt(np.einsum("ij,ij->i", mapped, mapped))
    np.maximum(lengths, np.finfo(np.float32).tiny, out=lengths)
    mapped /= lengths[:, None]
    return mapped, lengths


class _Grouped(NamedTuple):
    """The entries of a sparse matrix in the order of its rows: row i has ``order[starts[i]:starts[i + 1]]``."""

    order: IntVector
    starts: IntVector
    columns: IntVector

    @classmethod
    def of(cls, rows: IntVector, columns: IntVector, n_rows: int) -> "_Grouped":
        order = np.argsort(rows, kind="stable")
        starts = np.append(0, np.cumsum(np.bincount(rows, minlength=n_rows)))
        return cls(order, starts, columns[order])

    def products(self, U: Matrix, V: Matrix) -> NDArray[np.float64]:
        """Return the inner product of the two rows of every entry, in the original order of the entries."""
        found = np.empty(len(self.order))
        map_threads(lambda block: _multiply_entries(block.start, block.stop, *self, U, V, found), self._blocks())
        return found

    def weighted_sums(self, weights: NDArray[np.float64], V: Matrix) -> Matrix:
        """Return the sparse matrix of weights times V."""
        sums = np.zeros((len(self.starts) - 1, V.shape[1]), dtype=np.float32)
        map_threads(lambda block: _sum_entries(block.start, block.stop, *self, weights, V, sums), self._blocks())
        return sums

    def _blocks(self) -> list[slice]:
        return list(row_blocks(len(self.starts) - 1, _BLOCK))


@compiled(fastmath=SUM_FLAGS)
def _multiply_entries(
    first: int, last: int, order: IntVector, starts: IntVector, columns: IntVector, U: Matrix, V: Matrix, found: Any
) -> None:
    for i in range(first, last):
        u = U[i]
        for place in range(starts[i], starts[i + 1]):
            v = V[columns[place]]
            product = np.float32(0.0)
            for column in range(u.shape[0]):
                product += u[column] * v[column]
            found[order[place]] = product


@compiled(fastmath=SUM_FLAGS)
def _sum_entries(
    first: int,
    last: int,
    order: IntVector,
    starts: IntVector,
    columns: IntVector,
    weights: Any,
    V: Matrix,
    sums: Matrix,
) -> None:
    for i in range(first, last):
        total = sums[i]
        for place in range(starts[i], starts[i + 1]):
            weight = np.float32(weights[order[place]])
            v = V[columns[place]]
            for column in range(total.shape[0]):
                total[column] += weight * v[column]
