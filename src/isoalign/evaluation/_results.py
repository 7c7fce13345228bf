"""Results of evaluation."""

from dataclasses import asdict, dataclass
from typing import Any, Literal

from isoalign._core.display import Tabular

__all__ = [
    "Answer",
    "BliResult",
    "Comparison",
    "Difference",
    "Disagreement",
    "Group",
    "Interval",
    "Verdict",
    "interval_ends",
]

Interval = tuple[float, float]
"""Lower and upper end."""

Verdict = Literal["better", "worse", "undecided"]
"""Verdict on the first of two systems, from the interval of the difference."""


@dataclass(frozen=True)
class Answer:
    """The answer to one question of a test dictionary.

    Attributes
    ----------
    word, gold
        Source word and its correct answers.
    row
        Row of the source word, which is its frequency rank from 0; None if no pair of the word is known.
    rank
        Rank of the best correct answer, from 1; None if it was not found.
    candidates
        The highest-scoring target words, best first.
    scores
        Scores of the candidates.
    """

    word: str
    gold: tuple[str, ...]
    row: int | None
    rank: int | None
    candidates: tuple[str, ...] = ()
    scores: tuple[float, ...] = ()

    def is_right(self, k: int) -> bool:
        """Return whether a correct answer is among the best k candidates."""
        return self.rank is not None and self.rank <= k


@dataclass(frozen=True)
class Group:
    """The score on a subset of the questions.

    Attributes
    ----------
    name
        What the questions have in common.
    n
        Number of questions.
    precision, ci95
        Precision at k and its 95 % interval, by k.
    """

    name: str
    n: int
    precision: dict[int, float]
    ci95: dict[int, Interval]


@dataclass(frozen=True)
class BliResult(Tabular):
    """The score of a model on a test dictionary.

    Attributes
    ----------
    protocol, retrieval
        Evaluation protocol and retrieval method.
    precision, ci95
        Share of questions with a correct answer among the best k candidates, by k, and its 95 % bootstrap interval
        over source words.
    mrr, mrr_ci95, mrr_at
        Mean reciprocal rank of the best correct answer and its interval. Ranks beyond ``mrr_at`` count as 0; None means
        that all ranks count.
    coverage
        Share of source words with at least one known pair.
    n
        Number of questions.
    n_sources, known_sources
        Number of source words in the dictionary, and of those with a known pair.
    left_out
        Number of source words excluded because a translation has the same spelling.
    groups
        Scores on subsets of the questions.
    answers
        One answer per question.
    provenance
        Model, data, settings and versions.
    """

    protocol: str
    retrieval: str
    precision: dict[int, float]
    ci95: dict[int, Interval]
    mrr: float
    mrr_ci95: Interval
    mrr_at: int | None
    coverage: float
    n: int
    n_sources: int
    known_sources: int
    left_out: int
    groups: tuple[Group, ...]
    answers: tuple[Answer, ...]
    provenance: dict[str, Any]

    @property
    def ks(self) -> tuple[int, ...]:
        """The values of k for which precision was computed."""
        return tuple(self.precision)

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as JSON values."""
        return asdict(self)

    def to_records(self) -> list[dict[str, Any]]:
        """Return one row per k: precision and its interval, for all questions and for each group."""
        whole = Group("all", self.n, self.precision, self.ci95)
        return [
            {"questions": part.name, "n": part.n, "k": k, "precision": value, **interval_ends(part.ci95[k])}
            for part in (whole, *self.groups)
            for k, value in part.precision.items()
        ]

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "BliResult":
        """Restore a result from `to_dict`, also after a JSON round trip, which turns integer keys into strings."""
        fields = {**data, **_by_k(data), "mrr_ci95": tuple(data["mrr_ci95"])}
        fields["groups"] = tuple(Group(**{**group, **_by_k(group)}) for group in data["groups"])
        fields["answers"] = tuple(
            Answer(**{**answer, **{name: tuple(answer[name]) for name in ("gold", "candidates", "scores")}})
            for answer in data["answers"]
        )
        return cls(**fields)

    def __repr__(self) -> str:
        precision = ", ".join(
            f"P@{k} {100 * value:.1f} [{100 * self.ci95[k][0]:.1f}, {100 * self.ci95[k][1]:.1f}]"
            for k, value in self.precision.items()
        )
        return f"BliResult({self.protocol}, {self.retrieval}: {precision}, n={self.n}, coverage {self.coverage:.1%})"


def interval_ends(interval: Interval) -> dict[str, float]:
    """Return the two ends by their names in tables."""
    return dict(zip(("low", "high"), interval, strict=True))


def _by_k(data: dict[str, Any]) -> dict[str, Any]:
    return {
        "precision": {int(k): value for k, value in data["precision"].items()},
        "ci95": {int(k): tuple(value) for k, value in data["ci95"].items()},
    }


@dataclass(frozen=True)
class Difference:
    """The difference in precision between two systems at one k.

    Attributes
    ----------
    a, b
        Precision of each system.
    value, ci95
        ``a - b``, and its 95 % interval from the paired bootstrap over source words.
    p_bootstrap, p_mcnemar
        Two-sided p-values of the paired bootstrap and of McNemar's exact test.
    only_a, only_b
        Number of questions that only one of the systems answers correctly.
    """

    a: float
    b: float
    value: float
    ci95: Interval
    p_bootstrap: float
    p_mcnemar: float
    only_a: int
    only_b: int

    @property
    def verdict(self) -> Verdict:
        """Whether ``a`` is better or worse than ``b``; undecided if the interval contains zero."""
        low, high = self.ci95
        return "better" if low > 0 else "worse" if high < 0 else "undecided"

    def __str__(self) -> str:
        return f"{100 * self.value:+.1f} [{100 * self.ci95[0]:+.1f}, {100 * self.ci95[1]:+.1f}]"


@dataclass(frozen=True)
class Disagreement:
    """A question that only one of two systems answers correctly at the smallest k.

    Attributes
    ----------
    word, gold
        Source word and its correct answers.
    rank_a, rank_b
        Rank of the best correct answer in each system.
    answer_a, answer_b
        First candidate of each system.
    """

    word: str
    gold: tuple[str, ...]
    rank_a: int | None
    rank_b: int | None
    answer_a: str | None
    answer_b: str | None


@dataclass(frozen=True)
class Comparison(Tabular):
    """The comparison of two systems on the same questions.

    Attributes
    ----------
    protocol
        Evaluation protocol of both.
    n, n_words
        Number of questions that both were asked, and of their distinct source words.
    left_out
        Number of questions that only one of them was asked.
    difference
        Difference by k.
    disagreements
        Questions that only one system answers correctly at the smallest k.
    """

    protocol: str
    n: int
    n_words: int
    left_out: int
    difference: dict[int, Difference]
    disagreements: tuple[Disagreement, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as JSON values."""
        return asdict(self)

    def to_records(self) -> list[dict[str, Any]]:
        """Return one row per k: both precisions, their difference with its interval, and the verdict."""
        return [
            {"k": k, "a": one.a, "b": one.b, "a_minus_b": one.value, **interval_ends(one.ci95), "verdict": one.verdict}
            for k, one in self.difference.items()
        ]

    def __repr__(self) -> str:
        found = ", ".join(f"P@{k} {one} {one.verdict}" for k, one in self.difference.items())
        return f"Comparison({self.protocol}: {found}, n={self.n})"
