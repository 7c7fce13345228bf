"""Choose an adapter and its settings by the neighbours of items that it was not fitted on."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.types import Matrix
from isoalign.errors import InvalidValueError, ParameterError
from isoalign.maps import AbstractMap
from isoalign.migration._methods._grid import grid_of
from isoalign.migration._pairs import PairedRows, duplicate_groups
from isoalign.migration._recall import Use, identity_precision, neighbor_recall, true_neighbors
from isoalign.migration._registry import ADAPTERS

__all__ = ["AUTO", "Choice", "Trial", "choose_adapter", "fit_map", "held_out_folds"]

AUTO = ("procrustes", "ridge", "shrunk", "adjoint", "kernel")
"""Adapters that ``method="auto"`` chooses among; the others take longer and seldom gain."""

_N_FOLDS = 5
_FEW_PAIRS = 1000  # up to here every item is held out once
_MOST_HELD_OUT, _MOST_FITTED = 2000, 4000
_FEWEST_QUERIES = 200  # fewer queries, or documents, say less than all items together
_ITEMS_PER_NEIGHBOR = 50  # ten neighbours of 200 held-out items are a topic; an index finds much nearer ones


@dataclass(frozen=True)
class Trial:
    """One setting of one adapter and its recall on held-out items."""

    method: str
    settings: dict[str, Any]
    recall: float


@dataclass(frozen=True)
class Choice:
    """The adapter to fit on all pairs.

    Attributes
    ----------
    best
        The chosen candidate.
    tried
        All candidates.
    identity
        Share of held-out items whose mapped vector is nearest to their own.
    null
        Recall of the chosen adapter when it is fitted on shuffled pairs: chance level.
    n_held_out
        Number of held-out items.
    k
        Number of neighbours whose recall decided.
    """

    best: Trial
    tried: list[Trial]
    identity: float
    null: float
    n_held_out: int
    k: int


def fit_map(pairs: PairedRows, method: str, settings: Mapping[str, Any]) -> AbstractMap:
    """Fit an adapter by name; unknown settings are errors."""
    fit = ADAPTERS.load(method)
    known = [name for name in inspect.signature(fit).parameters if name != "pairs"]
    for name in settings:
        if name not in known:
            raise ParameterError(f"{method} has no setting {name!r}. It has: {', '.join(known) or 'none'}.")
    fitted: AbstractMap = fit(pairs, **settings)
    return fitted


def held_out_folds(pairs: PairedRows, n_folds: int, rng: np.random.Generator) -> list[NDArray[np.int64]]:
    """Divide the pairs at random into folds; pairs with an equal row on either side are in the same fold."""
    groups = duplicate_groups(pairs.X, pairs.Y)
    fold_of_group = rng.permutation(len(pairs)) % n_folds
    folds = fold_of_group[groups]
    return [np.flatnonzero(folds == fold) for fold in range(n_folds)]


class _CrossValidation:
    """Items that are held out in turn, and how well a setting maps them.

    Neighbours are searched among the items of the same fold only, because the map was fitted on the others. If there
    are enough queries, only their neighbours among the documents count, which is what an index is for.
    """

    def __init__(self, pairs: PairedRows, use: Use, k: int, rng: np.random.Generator, n_queries: int) -> None:
        self._use = use
        folds = [fold for fold in held_out_folds(pairs, _N_FOLDS, rng) if len(fold) > 1]
        if not folds:
            raise InvalidValueError(f"{len(pairs)} pairs are too few to hold any out. Pass at least 20.")
        if len(pairs) > _FEW_PAIRS or len(folds) == 1:
            folds = [rng.permutation(folds[0])[:_MOST_HELD_OUT]]
        self.tests = [pairs.take(fold) for fold in folds]
        self._trainings = [pairs.take(_others(len(pairs), fold, rng)) for fold in folds]
        is_query = np.arange(len(pairs)) >= len(pairs) - n_queries
        judged = min(n_queries, len(pairs) - n_queries) >= _FEWEST_QUERIES
        self._queries = [is_query[fold] if judged else None for fold in folds]
        sizes = [len(fold) - (int(is_query[fold].sum()) if judged else 0) for fold in folds]
        self.k = max(1, min(k, min(sizes) // _ITEMS_PER_NEIGHBOR))
        self._truths = [
            true_neighbors(test.X, test.Y, use=use, k=self.k, queries=queries)
            for test, queries in zip(self.tests, self._queries, strict=True)
        ]

    def map_with(self, method: str, settings: dict[str, Any], *, shuffled: bool = False) -> list[Matrix]:
        """Return the held-out items of each fold through a map that did not see them."""
        mapped = []
        for training, test in zip(self._trainings, self.tests, strict=True):
            known = training
            if shuffled:
                known = PairedRows(training.X, np.roll(training.Y, len(training) // 2, axis=0), training.unit)
            mapped.append(fit_map(known, method, settings).apply(test.X))
        return mapped

    def recall(self, mapped: list[Matrix]) -> float:
        shares = [
            neighbor_recall(rows, test.Y, truth, use=self._use, queries=queries)
            for rows, test, truth, queries in zip(mapped, self.tests, self._truths, self._queries, strict=True)
        ]
        return float(np.concatenate(shares).mean())

    def try_setting(self, method: str, settings: dict[str, Any]) -> Trial:
        return Trial(method, settings, self.recall(self.map_with(method, settings)))


def _others(n: int, fold: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
    rest = np.setdiff1d(np.arange(n), fold)
    return rest if len(rest) <= _MOST_FITTED else np.sort(rng.choice(rest, _MOST_FITTED, replace=False))


def choose_adapter(
    pairs: PairedRows,
    methods: Sequence[str],
    *,
    use: Use,
    settings: Mapping[str, Any] | None = None,
    k: int = 10,
    n_queries: int = 0,
    random_state: int = 0,
    progress: Progress = ignore_progress,
) -> Choice:
    """Try adapters and settings on held-out items and return the best.

    Settings of a grid are chosen one after another, starting from the defaults. Up to 1,000 pairs, every item is held
    out once in five folds; above, 2,000 items are held out and at most 4,000 others are fitted on.

    Parameters
    ----------
    pairs
        All pairs.
    methods
        Names of adapters.
    use
        Use of the adapter.
    settings
        Fixed settings, which are not chosen.
    k
        Number of neighbours whose recall decides; at most a tenth of the items of a fold.
    n_queries
        Number of last pairs that are queries; the others are documents. From 200 on, queries decide.
    random_state
        Seed of the folds.
    progress
        Progress callback.
    """
    held_out = _CrossValidation(pairs, use, k, np.random.default_rng(random_state), n_queries)
    tried: list[Trial] = []
    for number, method in enumerate(methods):
        _climb(method, dict(settings or {}), held_out.try_setting, tried)
        progress("choosing the adapter", number + 1, len(methods))
    best = max(tried, key=lambda trial: trial.recall)
    mapped = held_out.map_with(best.method, best.settings)
    found = [identity_precision(rows, test.Y) * len(rows) for rows, test in zip(mapped, held_out.tests, strict=True)]
    null = held_out.recall(held_out.map_with(best.method, best.settings, shuffled=True))
    n = sum(map(len, mapped))
    return Choice(best, tried, sum(found) / n, null, n, held_out.k)


def _climb(
    method: str, fixed: dict[str, Any], try_setting: Callable[[str, dict[str, Any]], Trial], tried: list[Trial]
) -> None:
    """Try the values of one setting after another and keep the best of each."""
    fit = ADAPTERS.load(method)
    parameters, grid = inspect.signature(fit).parameters, grid_of(fit)
    best = try_setting(method, {name: parameters[name].default for name in grid} | fixed)
    tried.append(best)
    for name in [name for name in grid if name not in fixed]:
        now = best.settings[name]
        trials = [try_setting(method, {**best.settings, name: value}) for value in grid[name] if value != now]
        tried += trials
        best = max([best, *trials], key=lambda trial: trial.recall)
