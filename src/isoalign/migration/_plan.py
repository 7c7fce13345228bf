"""Plan a migration: predict quality, the number of pairs needed and the time, before anything is written."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from isoalign._core.display import Tabular
from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.types import DoubleVector, Matrix
from isoalign.errors import InvalidValueError
from isoalign.migration._adapter import Adapter
from isoalign.migration._fit import fit_adapter, join_items
from isoalign.migration._measures import MeanScore, MigrationResult, Yardstick, mean_scores
from isoalign.migration._pairs import PairedRows
from isoalign.migration._recall import Use
from isoalign.migration._selection import held_out_folds
from isoalign.migration._verdict import MigrationVerdict, judge_migration

__all__ = ["CurvePoint", "DirectionPlan", "MigrationPlan", "curve_sizes", "plan_migration"]

_SMALLEST = 250
_MOST_HELD_OUT = 2000
_GAIN = 0.005  # a doubling of pairs that gains less does not help
_TIMED_ROWS = 8192


@dataclass(frozen=True)
class CurvePoint:
    """Score of an adapter fitted on some of the pairs."""

    pairs: int
    score: MeanScore


@dataclass(frozen=True)
class DirectionPlan:
    """Prediction for one direction.

    Attributes
    ----------
    adapter
        Fitted on all pairs but the held-out ones.
    result
        Its scores.
    curve
        Scores by number of pairs, in the measure of the verdict.
    advice
        Whether more pairs would help.
    seconds
        Estimated time for the given number of vectors, on this machine.
    """

    adapter: Adapter
    result: MigrationResult
    curve: list[CurvePoint]
    advice: str
    seconds: float


@dataclass(frozen=True, repr=False)
class MigrationPlan(Tabular):
    """Both directions, or one, and the verdict."""

    directions: dict[str, DirectionPlan]
    n_vectors: int
    verdict: MigrationVerdict

    def to_records(self) -> list[dict[str, Any]]:
        """Return one row per direction, system and measure, with its interval."""
        return [{"use": use, **row} for use, one in self.directions.items() for row in one.result.to_records()]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON values."""
        return {
            "verdict": self.verdict.answer,
            "reasons": self.verdict.reasons,
            "n_vectors": self.n_vectors,
            "directions": {
                use: {
                    "adapter": one.adapter.record_,
                    "result": one.result.to_dict(),
                    "curve": [{"pairs": point.pairs, **vars(point.score)} for point in one.curve],
                    "advice": one.advice,
                    "seconds": one.seconds,
                }
                for use, one in self.directions.items()
            },
        }

    def __repr__(self) -> str:
        return f"MigrationPlan({self.verdict}; {'; '.join(self.verdict.reasons)})"


def plan_migration(
    old: Any,
    new: Any,
    *,
    uses: Sequence[Use] = ("corpus", "queries"),
    method: str = "auto",
    queries: tuple[Any, Any] | None = None,
    relevant: Any = None,
    n_vectors: int = 1_000_000,
    old_name: str | None = None,
    new_name: str | None = None,
    random_state: int = 0,
    progress: Progress = ignore_progress,
) -> MigrationPlan:
    """Fit on a part of the pairs, measure on the rest, and predict the result of a migration.

    Parameters
    ----------
    old, new
        The same items in both models; see `fit_adapter`.
    uses
        Directions to compare.
    method
        Adapter, or ``"auto"``: chosen with all pairs, then used for the whole curve.
    queries, relevant
        Real queries in both models and their relevant items; see `evaluate_adapter`. They are not fitted on.
    n_vectors
        Number of vectors to estimate the time for.
    old_name, new_name
        Names of the models.
    random_state
        Seed.
    progress
        Progress callback.
    """
    X, Y = join_items(old, new)
    rng = np.random.default_rng(random_state)
    held_out = held_out_folds(PairedRows.from_rows(X, Y), 5, rng)[0][:_MOST_HELD_OUT]
    pool = rng.permutation(np.setdiff1d(np.arange(len(X)), held_out))
    if relevant is not None:  # judged documents are part of the index, whether held out or not
        pool = np.setdiff1d(pool, np.unique(np.atleast_2d(np.asarray(relevant).T).T[:, -1]))
        pool = rng.permutation(pool)
    if len(held_out) < 20 or len(pool) < 40:
        raise InvalidValueError(f"A plan needs at least 100 pairs. Got {len(X)}.")
    judged = (X, Y) if queries is not None else (X[held_out], Y[held_out])
    yardstick = Yardstick(*judged, queries=queries, relevant=relevant)
    directions: dict[str, DirectionPlan] = {}
    for use in uses:
        points: list[tuple[int, Adapter, MigrationResult]] = []
        sizes, chosen = curve_sizes(len(pool)), method
        for number, n in enumerate(reversed(sizes)):
            adapter = fit_adapter(
                X[pool[:n]],
                Y[pool[:n]],
                use=use,
                method=chosen,
                old_name=old_name,
                new_name=new_name,
                random_state=random_state,
            )
            chosen = adapter.record_["method"]
            points.insert(0, (n, adapter, yardstick.measure(adapter)))
            progress(f"trying numbers of pairs ({use})", number + 1, len(sizes))
        directions[use] = _conclude(points, X if use == "corpus" else Y, n_vectors)
    results = {use: one.result for use, one in directions.items()}
    return MigrationPlan(directions, n_vectors, judge_migration(results.get("corpus"), results.get("queries")))


def curve_sizes(n: int) -> list[int]:
    """Return 250, 500, 1,000, … up to two thirds of n, and n: a last step of a few pairs is not informative."""
    sizes = [_SMALLEST * 2**step for step in range(20) if 3 * _SMALLEST * 2**step <= 2 * n]
    return [*sizes, n]


def _conclude(points: list[tuple[int, Adapter, MigrationResult]], source: Matrix, n_vectors: int) -> DirectionPlan:
    n, adapter, result = points[-1]
    name = result.decisive
    curve = [CurvePoint(size, found.systems["adapted"][name]) for size, _, found in points]
    scores = [found.per_query["adapted"][name] for _, _, found in points]
    block = source[:_TIMED_ROWS]
    begin = time.perf_counter()
    adapter.map_.apply(block)
    seconds = (time.perf_counter() - begin) * n_vectors / len(block)
    return DirectionPlan(
        adapter, result, curve, _advise(scores, n, points[-2][0] if len(points) > 1 else None), seconds
    )


def _advise(scores: list[DoubleVector], n: int, before: int | None) -> str:
    """Return whether more pairs would help, from the gain of the last ones, paired by query."""
    if before is None:
        return "Too few pairs for a curve: whether more would help is not known."
    (gain,) = mean_scores([scores[-1] - scores[-2]])
    per_doubling = gain.value / max(np.log2(n / before), 1e-9)
    helps = gain.ci95[0] > 0 and per_doubling > _GAIN
    found = f"from {before:,} to {n:,} pairs: {gain.value:+.3f} [{gain.ci95[0]:+.3f}, {gain.ci95[1]:+.3f}]"
    return f"More pairs would {'help' if helps else 'not help'} ({found})."
