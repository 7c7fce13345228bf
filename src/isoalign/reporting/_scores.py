"""Scores of records as they are shown: in per cent, with interval, beside the published value."""

from dataclasses import dataclass

import numpy as np

from isoalign._types import RandomState
from isoalign.errors import InvalidValueError
from isoalign.evaluation import N_RESAMPLES, Difference, bootstrap_p, mcnemar_exact, percentile_interval
from isoalign.experiments import Record
from isoalign.reporting._published import Published, find_published

__all__ = ["REPRODUCED", "Score", "average_scores", "count_reproduced", "paired_difference", "score_record"]

REPRODUCED = 1.0
"""Points within which a published value counts as reproduced."""


@dataclass(frozen=True)
class Score:
    """One cell of a table, in per cent.

    Attributes
    ----------
    value, ci95
        As measured; the interval is None where there is none.
    published
        The paper's value, or None.
    best_on_test
        Accuracy of the round that is best on the test words. It is not honest, but it is how the paper chose, so it is
        what the paper's value is compared with, and shown nowhere else.
    n
        Words or pairs behind the value.
    """

    value: float
    ci95: tuple[float, float] | None = None
    published: Published | None = None
    best_on_test: float | None = None
    n: int | None = None

    @property
    def difference(self) -> float | None:
        """Ours minus the paper's, rounds chosen the same way."""
        if self.published is None:
            return None
        return (self.value if self.best_on_test is None else self.best_on_test) - self.published.value

    @property
    def reproduced(self) -> bool:
        """Whether the published value was met, as precisely as it was printed."""
        return self.difference is not None and round(abs(self.difference), 1) <= REPRODUCED


def score_record(record: Record) -> Score:
    """Return the P@1 of an accuracy record, or the Spearman correlation of a similarity record, times 100.

    The paper's value stands beside it, except for the embedded sample, whose vectors are others than the paper's.
    """
    values, printed = record.values, None if _is_sample(record) else find_published(record.cell)
    if record.cell.kind == "similarity":
        low, high = values["ci95"]
        return Score(100 * values["spearman"], (100 * low, 100 * high), printed, n=values["n"])
    low, high = values["ci95"]["1"]
    best = values.get("best_on_test")
    return Score(
        100 * values["precision"]["1"],
        (100 * low, 100 * high),
        printed,
        None if best is None else 100 * best,
        values["n"],
    )


def _is_sample(record: Record) -> bool:
    files = record.provenance.get("data", {})
    return any(str(file.get("name", "")).startswith("sample:") for file in files.values())


def average_scores(scores: list[Score]) -> Score:
    """Average independent scores, such as those of several languages; half-widths of intervals add up in squares."""
    n = len(scores)
    value = sum(score.value for score in scores) / n
    published = [score.published.value for score in scores if score.published is not None]
    best = [score.value if score.best_on_test is None else score.best_on_test for score in scores]
    intervals = [score.ci95 for score in scores if score.ci95 is not None]
    half = sum(((high - low) / 2) ** 2 for low, high in intervals) ** 0.5 / n
    return Score(
        value,
        (value - half, value + half) if len(intervals) == n else None,
        Published(sum(published) / n) if len(published) == n else None,
        sum(best) / n if any(score.best_on_test is not None for score in scores) else None,
    )


def count_reproduced(scores: list[Score]) -> tuple[int, int]:
    """Return how many cells meet their published value within a point, and how many have one."""
    compared = [score for score in scores if score.published is not None]
    return sum(score.reproduced for score in compared), len(compared)


def paired_difference(
    a: Record, b: Record, *, n_resamples: int = N_RESAMPLES, random_state: RandomState = 0
) -> Difference:
    """Say by how much the P@1 of ``a`` exceeds that of ``b``, from the ranks of the same words.

    A word adds +1, 0 or -1 to the difference, so drawing words with replacement is drawing three counts from a
    multinomial distribution: the paired bootstrap of `compare`, without its cost.
    """
    ranks_a, ranks_b = a.values["ranks"], b.values["ranks"]
    if len(ranks_a) != len(ranks_b):
        raise InvalidValueError(f"Records must be of the same words. Got {len(ranks_a)} and {len(ranks_b)} ranks.")
    n = len(ranks_a)
    only_a = sum(x == 1 != y for x, y in zip(ranks_a, ranks_b, strict=True))
    only_b = sum(y == 1 != x for x, y in zip(ranks_a, ranks_b, strict=True))
    rng = np.random.default_rng(random_state)
    draws = rng.multinomial(n, [only_a / n, only_b / n, 1 - (only_a + only_b) / n], size=n_resamples)
    apart = (draws[:, 0] - draws[:, 1]) / n
    low, high = percentile_interval(apart)
    right_a, right_b = ranks_a.count(1) / n, ranks_b.count(1) / n
    return Difference(
        a=right_a,
        b=right_b,
        value=right_a - right_b,
        ci95=(float(low), float(high)),
        p_bootstrap=bootstrap_p(apart),
        p_mcnemar=mcnemar_exact(only_a, only_b),
        only_a=only_a,
        only_b=only_b,
    )
