"""Dictionaries from two aligned spaces, when only a random share of all entries is available."""

from typing import NamedTuple

import numpy as np

from isoalign._core.types import IntVector, Matrix, RowPairs
from isoalign._core.validate import check_choice
from isoalign.alignment._matching import N_CANDIDATES, list_candidates, match_one_to_one
from isoalign.neighbors import NOTHING, StochasticBest, csls_best, is_kept, row_keys, stochastic_best

__all__ = ["STOCHASTIC_DIRECTIONS", "StochasticDictionary", "induce_stochastic", "union_pairs"]

STOCHASTIC_DIRECTIONS = ("union", "forward", "matching")


class StochasticDictionary(NamedTuple):
    """An induced dictionary, and statistics of the product of the two spaces.

    Attributes
    ----------
    pairs
        Source and target rows (p, 2); mutual choices of a union occur twice.
    objective
        Mean similarity of words to their nearest words, including dropped entries.
    mutual_share
        Share of the words of the smaller side that choose each other.
    choices
        The choices of both sides, which speed up the next iteration.
    """

    pairs: RowPairs
    objective: float
    mutual_share: float
    choices: StochasticBest


def induce_stochastic(
    S: Matrix,
    T: Matrix,
    *,
    keep: float,
    k: int,
    seed: int,
    iteration: int,
    direction: str = "union",
    dropped_is_zero: bool = False,
    about: StochasticBest | None = None,
) -> StochasticDictionary:
    """Let words choose among the available entries.

    Parameters
    ----------
    S, T
        Spaces (n, dim) and (m, dim).
    keep, k, seed, iteration, dropped_is_zero, about
        See `stochastic_best`.
    direction
        ``"union"``, ``"forward"`` or ``"matching"``, see `SelfLearning`.
    """
    check_choice(direction, STOCHASTIC_DIRECTIONS, name="direction")
    found = stochastic_best(
        S, T, keep=keep, k=k, seed=seed, iteration=iteration, dropped_is_zero=dropped_is_zero, about=about
    )
    objective = float(found.forward.nearest.scores[:, 0].mean(dtype=np.float64))
    if direction == "forward":
        pairs = _chosen(found.forward.chosen)
    else:
        objective = (objective + float(found.backward.nearest.scores[:, 0].mean(dtype=np.float64))) / 2
        pairs = union_pairs(found)
    if direction == "matching":
        pairs = _match(S, T, keep=keep, k=k, seed=seed, iteration=iteration)
    return StochasticDictionary(pairs, objective, _mutual_share(found), found)


def union_pairs(found: StochasticBest) -> RowPairs:
    """Return the choices of both sides as pairs; mutual choices occur twice."""
    return np.concatenate([_chosen(found.forward.chosen), _chosen(found.backward.chosen)[:, ::-1]])


def _chosen(choice: IntVector) -> RowPairs:
    """Return (chooser, chosen) for all words that made a choice."""
    chooser = np.flatnonzero(choice != NOTHING)
    return np.column_stack([chooser, choice[chooser]])


def _mutual_share(found: StochasticBest) -> float:
    chooser, chosen = _chosen(found.forward.chosen).T
    mutual = int((found.backward.chosen[chosen] == chooser).sum())
    return mutual / min(len(found.forward.chosen), len(found.backward.chosen))


def _match(S: Matrix, T: Matrix, *, keep: float, k: int, seed: int, iteration: int) -> RowPairs:
    """Return the one-to-one matching of the kept candidates of both sides."""
    best = csls_best(S, T, min(N_CANDIDATES, len(S), len(T)), k=max(k, 1))
    candidates, values = list_candidates(best.forward, best.backward)
    kept = is_kept(row_keys(seed, iteration, 0, len(S))[candidates[:, 0]], candidates[:, 1], keep)
    return match_one_to_one(candidates[kept], values[kept], n=len(S), m=len(T))
