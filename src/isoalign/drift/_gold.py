"""Compare measured change with human judgments: lists of words with scores, as in SemEval."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from isoalign._core.display import Tabular
from isoalign._core.types import RandomState
from isoalign.drift._results import Drift
from isoalign.errors import InvalidValueError
from isoalign.evaluation import correlate

__all__ = ["GoldResult", "evaluate_drift"]


@dataclass(frozen=True)
class GoldResult(Tabular):
    """Spearman's correlation of distances with graded judgments, by measure.

    Attributes
    ----------
    spearman, ci95
        The correlation and its 95 % bootstrap interval over words, by measure.
    n, n_gold
        Number of judged words that were tested, and of all judged words.
    """

    spearman: dict[str, float]
    ci95: dict[str, tuple[float, float]]
    n: int
    n_gold: int

    @property
    def coverage(self) -> float:
        """``n / n_gold``."""
        return self.n / self.n_gold

    def to_records(self) -> list[dict[str, Any]]:
        """Return one row per measure."""
        return [
            {
                "measure": measure,
                "spearman": value,
                "low": self.ci95[measure][0],
                "high": self.ci95[measure][1],
                "n": self.n,
                "coverage": self.coverage,
            }
            for measure, value in self.spearman.items()
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as JSON values."""
        return {**asdict(self), "coverage": self.coverage}


def evaluate_drift(drift: Drift, gold: Mapping[Any, float], *, random_state: RandomState = 0) -> GoldResult:
    """Correlate the distances of words with graded judgments of their change.

    Parameters
    ----------
    drift
        Result of `measure_drift`.
    gold
        Score of every judged word, higher for more change; `read_scores` reads a file.
    random_state
        Seed of the bootstrap.

    References
    ----------
    Schlechtweg et al. (2020), SemEval-2020 task 1, subtask 2.
    """
    known = [word for word in gold if word in drift.distances()]
    scores = np.array([gold[word] for word in known], dtype=np.float64)
    found = {}
    for measure in drift.measures:
        distances = drift.distances(measure)
        values = np.array([distances[word] for word in known], dtype=np.float64)
        if len(np.unique(scores)) < 2 or len(np.unique(values)) < 2:
            raise InvalidValueError(
                "A correlation needs judged words with different scores. "
                f"{len(known)} of {len(gold)} judged words are in both vocabularies. Is the spelling the same?"
            )
        found[measure] = correlate(values, scores, random_state=random_state)
    return GoldResult(
        {measure: one.spearman for measure, one in found.items()},
        {measure: one.spearman_ci95 for measure, one in found.items()},
        len(known),
        len(gold),
    )
