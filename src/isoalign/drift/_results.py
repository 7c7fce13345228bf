"""Results of comparing periods."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from isoalign._core.display import Tabular
from isoalign._core.validate import check_choice

__all__ = ["Drift", "DriftSeries", "Movement", "WordDrift", "list_steps"]


@dataclass(frozen=True)
class Movement:
    """Change of a word by one measure, and its significance.

    Attributes
    ----------
    distance
        Value of the measure.
    z
        Difference from words of similar frequency, in units of their spread.
    p
        Share of unchanged words of similar frequency that would move as far.
    q
        False-discovery rate (Benjamini–Hochberg): of all words with this or a smaller q, about this share is unchanged.
    """

    distance: float
    z: float
    p: float
    q: float


@dataclass(frozen=True)
class WordDrift:
    """One word, then and now.

    Attributes
    ----------
    word
        The word.
    rank_then, rank_now
        Frequency ranks, from 1: positions in the two vocabularies.
    evidence
        Change by measure.
    then, now
        Its nearest words in each vocabulary, nearest first.
    """

    word: str | int
    rank_then: int
    rank_now: int
    evidence: dict[str, Movement]
    then: tuple[str | int, ...]
    now: tuple[str | int, ...]

    def format_evidence(self) -> list[str]:
        """Return distance, z and q by every measure, as text for tables."""
        return [f"{x:.3g}" for found in self.evidence.values() for x in (found.distance, found.z, found.q)]

    def to_record(self) -> dict[str, Any]:
        """Return the word as one row of a table; each measure has its own columns."""
        row: dict[str, Any] = {"word": self.word, "rank_then": self.rank_then, "rank_now": self.rank_now}
        for name, found in self.evidence.items():
            row |= {name: found.distance, f"{name}_z": found.z, f"{name}_p": found.p, f"{name}_q": found.q}
        return {**row, "then": " ".join(map(str, self.then)), "now": " ".join(map(str, self.now))}


@dataclass(frozen=True)
class Drift(Tabular):
    """All words of two periods, corpora or models, those that changed most first.

    Attributes
    ----------
    old, new
        Names of the two.
    measures
        Measures; words are sorted by the first.
    words
        Every word that was tested.
    n_common
        Number of words in both vocabularies: the anchors of the map, and the basis of comparison.
    provenance
        Settings and versions.
    """

    old: str
    new: str
    measures: tuple[str, ...]
    words: tuple[WordDrift, ...]
    n_common: int
    provenance: dict[str, Any] = field(default_factory=dict)

    def changed(self, *, q: float = 0.05, measure: str | None = None) -> list[WordDrift]:
        """Return the words whose false-discovery rate is at most ``q`` by a measure, by default the first."""
        name = self.measures[0] if measure is None else check_choice(measure, self.measures, name="measure")
        return [word for word in self.words if word.evidence[name].q <= q]

    def distances(self, measure: str | None = None) -> dict[str | int, float]:
        """Return the distance of every word by a measure, by default the first."""
        name = self.measures[0] if measure is None else check_choice(measure, self.measures, name="measure")
        return {word.word: word.evidence[name].distance for word in self.words}

    def to_records(self) -> list[dict[str, Any]]:
        """Return one row per word."""
        return [word.to_record() for word in self.words]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON values."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Drift":
        """Restore a result from `to_dict`, also after a JSON round trip."""
        words = [
            WordDrift(
                **{
                    **word,
                    "evidence": {name: Movement(**found) for name, found in word["evidence"].items()},
                    "then": tuple(word["then"]),
                    "now": tuple(word["now"]),
                }
            )
            for word in data["words"]
        ]
        return cls(**{**data, "measures": tuple(data["measures"]), "words": tuple(words)})

    def __repr__(self) -> str:
        found = self.changed()
        first = ", ".join(str(word.word) for word in found[:3])
        names = f": {first}{', …' if len(found) > 3 else ''}" if found else ""
        return (
            f"Drift({self.old} → {self.new}, {'+'.join(self.measures)}: {len(found)} of {len(self.words)} words "
            f"changed at q = 0.05{names})"
        )


@dataclass(frozen=True)
class DriftSeries(Tabular):
    """Three or more periods in one space.

    Attributes
    ----------
    steps
        Every period and the next, then the first and the last.
    """

    steps: tuple[Drift, ...]

    def __getitem__(self, names: tuple[str, str]) -> Drift:
        """Return the step between two periods: ``series["1900", "1950"]``."""
        steps = {(step.old, step.new): step for step in self.steps}
        if names not in steps:
            raise KeyError(f"There is no step {names!r}. There are {', '.join(map(repr, steps))}.")
        return steps[names]

    def to_records(self) -> list[dict[str, Any]]:
        """Return one row per step and word."""
        return [{"from": step.old, "to": step.new, **row} for step in self.steps for row in step.to_records()]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON values."""
        return {"steps": [step.to_dict() for step in self.steps]}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "DriftSeries":
        """Restore a result from `to_dict`, also after a JSON round trip."""
        return cls(tuple(Drift.from_dict(step) for step in data["steps"]))

    def __repr__(self) -> str:
        return f"DriftSeries({'; '.join(map(repr, self.steps))})"


def list_steps(found: Drift | DriftSeries) -> tuple[Drift, ...]:
    """Return the steps of a result; that of two periods is one."""
    return found.steps if isinstance(found, DriftSeries) else (found,)
