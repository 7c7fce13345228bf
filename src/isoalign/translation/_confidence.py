r"""Confidence of translations, from a logistic regression on held-out words.

.. math:: p = 1 / (1 + e^{-(w_1 s + w_2 m + w_3 b + w_0)})

where s is the CSLS score of the best translation, m its margin over the second best, and b whether the two words are
each other's best. A translation is *clear* if p is at least 0.75, *likely* if it is at least 0.5, else *doubtful*.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from isoalign._core.display import Tabular
from isoalign._core.logistic import Logistic
from isoalign.alignment import Pair
from isoalign.translation._answers import Translations
from isoalign.translation._translator import Translator

__all__ = [
    "LEVELS",
    "Calibration",
    "CalibrationTable",
    "Evidence",
    "Rate",
    "find_returns",
    "gather_evidence",
    "name_levels",
    "read_calibration",
]

LEVELS: dict[str, float] = {"clear": 0.75, "likely": 0.5, "doubtful": 0.0}
"""Minimum probability of each level of confidence, the best first."""


class Evidence(NamedTuple):
    """Evidence for the best translation of a word.

    Attributes
    ----------
    score
        CSLS.
    margin
        Difference from the score of the second best; 0 if there is no second.
    mutual
        Whether the word is the best translation of its best translation.
    """

    score: float
    margin: float
    mutual: bool


@dataclass(frozen=True)
class Rate:
    """Number of n held-out words that were translated correctly, with the 95 % interval of the share."""

    right: int
    n: int
    low: float
    high: float


@dataclass(frozen=True)
class Calibration(Tabular):
    """Weights of the evidence in one direction, and how often translations of each level were correct.

    Attributes
    ----------
    source, target
        Members.
    weights, intercept
        Weights of score, margin and mutual choice.
    n
        Number of held-out words.
    rates
        Rates by level, on held-out words that neither the map nor these weights were learned from. None if there are no
        such words.
    """

    source: str
    target: str
    weights: tuple[float, float, float]
    intercept: float
    n: int
    rates: Mapping[str, Rate | None]

    columns: ClassVar = ("source", "target", "level", "right", "n", "low", "high")

    def judge(self, evidence: Sequence[Evidence]) -> list[str]:
        """Return the level of each translation."""
        weighed = Logistic(np.array(self.weights), self.intercept)
        return name_levels(weighed.probability(np.array(evidence, dtype=np.float64).reshape(-1, 3)))

    def to_records(self) -> list[dict[str, Any]]:
        """Return one row per level with words, by column."""
        return [
            {"source": self.source, "target": self.target, "level": level, **vars(rate)}
            for level, rate in self.rates.items()
            if rate is not None
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as JSON values."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "Calibration":
        """Restore the result of `to_dict`."""
        rates = {level: None if rate is None else Rate(**rate) for level, rate in values["rates"].items()}
        return cls(**{**values, "weights": tuple(values["weights"]), "rates": rates})


class CalibrationTable(Tabular, list[Calibration]):
    """The calibrations of several directions."""

    columns: ClassVar = Calibration.columns

    def to_records(self) -> list[dict[str, Any]]:
        """Return one row per direction and level, by column."""
        return [record for one in self for record in one.to_records()]


def name_levels(probabilities: NDArray[np.float64]) -> list[str]:
    """Return the level of confidence of each probability."""
    return [next(level for level, least in LEVELS.items() if p >= least) for p in probabilities.tolist()]


def find_returns(back: Translator, words: Iterable[Any]) -> dict[Any, Any]:
    """Return the best translation of each word by the translator of the other direction."""
    asked = list(dict.fromkeys(words))
    return {word: some[0].word for word, some in zip(asked, back.translate(asked, k=1), strict=True)}


def gather_evidence(found: Sequence[Translations], returns: Mapping[Any, Any]) -> list[Evidence]:
    """Return the evidence for the best translation of each word.

    Parameters
    ----------
    found
        At least two translations of each word, if there are two.
    returns
        Back-translations of the best translations; see `find_returns`.
    """
    return [
        Evidence(
            some[0].score,
            some[0].score - some[1].score if len(some) > 1 else 0.0,
            returns[some[0].word] == some.looked_up,
        )
        for some in found
    ]


def read_calibration(pair: Pair) -> Calibration | None:
    """Return the calibration of an alignment from source to target, or None if it was not calibrated."""
    for values in pair.model.provenance.get("confidence") or []:
        if (values["source"], values["target"]) == pair.names:
            return Calibration.from_dict(values)
    return None
