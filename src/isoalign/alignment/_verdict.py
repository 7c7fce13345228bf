"""Verdict on learning without a dictionary: restarts that succeeded agree, restarts that failed do not.

Neither the objective nor the share of mutual pairs is evidence: between any two clouds of words, about half of the
choices are mutual. But there is only one correct matching and very many wrong ones, so restarts that begin differently
agree only on the correct one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isoalign._core.arrays import unit_rows
from isoalign._core.types import Matrix, RowPairs
from isoalign.alignment._base import Maps
from isoalign.alignment._dictionary import CslsSpaces, induce_pairs
from isoalign.alignment._problem import Problem
from isoalign.errors import ShapeError

__all__ = ["Verdict", "agreement", "judge", "judge_agreement", "mutual_pairs", "split_start", "without_structure"]

_FOUND = 0.5  # of the mutual pairs: three restarts that agree on half of them
_DOUBTFUL = 0.3  # agreement of two restarts
_ABOVE_NULL = 0.25  # minimum difference to the agreement on spaces without a common structure
_WITNESSES = 2  # other restarts that must agree with the best one; half of all if there are more than five


@dataclass(frozen=True)
class Verdict:
    """Whether restarts found an alignment, and the evidence.

    Attributes
    ----------
    status
        ``"found"``, ``"doubtful"`` or ``"failed"``.
    best
        Number of the restart that agrees most with the others.
    agreement
        Share of the mutual pairs that the best restart has in common with at least two others.
    pairwise
        Agreement of all restarts with each other, (r, r).
    null_agreement
        The same for spaces without a common structure, if measured.
    """

    status: str
    best: int
    agreement: float
    pairwise: NDArray[np.float64]
    null_agreement: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the verdict as JSON values."""
        return {
            "status": self.status,
            "agreement": self.agreement,
            "null_agreement": self.null_agreement,
            "pairwise": self.pairwise.tolist(),
            "text": self.text,
        }

    @property
    def text(self) -> str:
        """One-line summary."""
        null = "" if self.null_agreement is None else f"; null {self.null_agreement:.0%}"
        evidence = f"restarts agree on {self.agreement:.0%} of mutual pairs{null}"
        advice = {
            "found": "",
            "doubtful": ": only some restarts agree; add restarts, or a dictionary of 25 pairs",
            "failed": ": do not use this map; a dictionary of 100 pairs would help more than more restarts",
        }
        return f"{self.status} ({evidence}){advice[self.status]}"


def judge(dictionaries: Sequence[RowPairs], *, null: Sequence[RowPairs] | None = None) -> Verdict:
    """Compare the dictionaries of restarts.

    Parameters
    ----------
    dictionaries
        The mutual pairs that every restart found, each (p, 2); see `mutual_pairs` and `split_start`. At least three
        are needed for the verdict ``"found"``.
    null
        Mutual pairs of restarts on the same spaces with the values of every target column permuted, which removes
        all structure.
    """
    if not dictionaries:
        raise ShapeError("A verdict needs the dictionaries of at least one restart. Got none.")
    return judge_agreement(_pairwise(dictionaries), null=_pairwise(null) if null else None)


def judge_agreement(pairwise: NDArray[np.float64], *, null: NDArray[np.float64] | None = None) -> Verdict:
    """Return a verdict from the pairwise agreement of restarts.

    Parameters
    ----------
    pairwise
        Agreement of all restarts with each other, (r, r), between 0 and 1.
    null
        The same for restarts on spaces without a common structure.
    """
    best, agreed = _best(pairwise)
    null_agreement = None if null is None else _best(null)[1]
    highest = float((pairwise - np.eye(len(pairwise))).max())
    required = max(_FOUND, (null_agreement or 0.0) + _ABOVE_NULL)
    if agreed >= required:
        status = "found"
    elif len(pairwise) == 1 or highest >= max(_DOUBTFUL, required - _FOUND + _DOUBTFUL):
        status = "doubtful"
    else:
        status = "failed"
    return Verdict(status, best, agreed, pairwise, null_agreement)


def agreement(one: RowPairs, other: RowPairs) -> float:
    """Return twice the number of common pairs divided by the number of all pairs of two dictionaries."""
    first, second = (set(map(tuple, pairs.tolist())) for pairs in (one, other))
    return 2 * len(first & second) / max(1, len(first) + len(second))


def mutual_pairs(problem: Problem, maps: Maps, *, max_rank: int | None = 20_000) -> RowPairs:
    """Return the rows that choose each other by CSLS under maps, (p, 2), among the most frequent words of each side."""
    (n, m), (S, T) = problem.limits(max_rank), maps.spaces(problem.X, problem.Y)
    return induce_pairs(CslsSpaces(S[:n], T[:m]), max_rank=None).pairs


def split_start(pairs: RowPairs, rng: np.random.Generator) -> RowPairs:
    """Return a random half of a first dictionary.

    Restarts from the same first dictionary can end in the same wrong solution; from random halves they seldom do.
    """
    half = rng.choice(len(pairs), size=max(1, len(pairs) // 2), replace=False)
    return pairs[np.sort(half)]


def without_structure(Y: Matrix, rng: np.random.Generator) -> Matrix:
    """Return unit rows with the values of every column permuted, which removes all structure."""
    return unit_rows(np.column_stack([rng.permutation(column) for column in Y.T]))


def _pairwise(dictionaries: Sequence[RowPairs]) -> NDArray[np.float64]:
    matrix = np.eye(len(dictionaries))
    for i, j in combinations(range(len(dictionaries)), 2):
        matrix[i, j] = matrix[j, i] = agreement(dictionaries[i], dictionaries[j])
    return matrix


def _best(pairwise: NDArray[np.float64]) -> tuple[int, float]:
    """Return the restart with the highest agreement with its k-th closest witness, and that agreement."""
    n = len(pairwise)
    needed = max(_WITNESSES, n // 2)
    ranked = -np.sort(-pairwise, axis=1)  # first of every row: the restart itself
    scores = ranked[:, needed] if n > needed else np.zeros(n)
    best = int(np.lexsort((-pairwise.sum(axis=1), -scores))[0])
    return best, float(scores[best])
