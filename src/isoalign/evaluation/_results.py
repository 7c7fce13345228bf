"""What evaluation finds, as plain values."""

from dataclasses import asdict, dataclass
from typing import Any

__all__ = ["Answer", "BliResult", "Comparison", "Difference", "Disagreement", "Group", "Interval", "SimilarityResult"]

Interval = tuple[float, float]
"""Lower and upper end."""


@dataclass(frozen=True)
class Answer:
    """What was answered to one question of a test dictionary.

    Attributes
    ----------
    word, gold
        The source word and its right answers.
    row
        Row of the source word, so its rank by frequency from 0; None where no pair of the word is known.
    rank
        Place of the best right answer, from 1; None where it lies beyond what was looked at.
    candidates
        The best target words, best first.
    scores
        Their scores.
    """

    word: str
    gold: tuple[str, ...]
    row: int | None
    rank: int | None
    candidates: tuple[str, ...] = ()
    scores: tuple[float, ...] = ()

    def is_right(self, k: int) -> bool:
        """Tell whether a right answer is among the best k."""
        return self.rank is not None and self.rank <= k


@dataclass(frozen=True)
class Group:
    """The score of some of the questions.

    Attributes
    ----------
    name
        What they have in common.
    n
        How many.
    precision, ci95
        By k.
    """

    name: str
    n: int
    precision: dict[int, float]
    ci95: dict[int, Interval]


@dataclass(frozen=True)
class BliResult:
    """The score of a model on a test dictionary.

    Attributes
    ----------
    protocol, retrieval
        How questions were counted and candidates ranked.
    precision, ci95
        Share of the questions with a right answer among the best k, by k, and its 95 % bootstrap interval over source
        words.
    mrr, mrr_ci95, mrr_at
        Mean reciprocal rank of the best right answer, where ranks beyond ``mrr_at`` count as 0 (None: all ranks
        count).
    coverage
        Share of the source words with at least one known pair.
    n
        Questions: the denominator of all shares.
    n_sources, known_sources
        Source words of the dictionary, and those with a known pair.
    left_out
        Source words not asked because a translation is spelled alike.
    groups
        The same score for parts of the questions.
    answers
        One per question.
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
        """For which k there is a precision."""
        return tuple(self.precision)

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as JSON values."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "BliResult":
        """Return what `to_dict` gave, also after a way through JSON, which turns numbers that are keys into text."""
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


def _by_k(data: dict[str, Any]) -> dict[str, Any]:
    return {
        "precision": {int(k): value for k, value in data["precision"].items()},
        "ci95": {int(k): tuple(value) for k, value in data["ci95"].items()},
    }


@dataclass(frozen=True)
class Difference:
    """How much better one system is than another at one k.

    Attributes
    ----------
    a, b
        Both precisions.
    value, ci95
        ``a - b``, and its interval from paired bootstrap over source words.
    p_bootstrap, p_mcnemar
        Two-sided: how easily chance alone would give such a difference.
    only_a, only_b
        Questions that only the one answers rightly.
    """

    a: float
    b: float
    value: float
    ci95: Interval
    p_bootstrap: float
    p_mcnemar: float
    only_a: int
    only_b: int

    def __str__(self) -> str:
        return f"{100 * self.value:+.1f} [{100 * self.ci95[0]:+.1f}, {100 * self.ci95[1]:+.1f}]"


@dataclass(frozen=True)
class Disagreement:
    """A question that one system answers rightly and the other wrongly, at the smallest k.

    Attributes
    ----------
    word, gold
        The question.
    rank_a, rank_b
        Places of the best right answer.
    answer_a, answer_b
        What either system put first.
    """

    word: str
    gold: tuple[str, ...]
    rank_a: int | None
    rank_b: int | None
    answer_a: str | None
    answer_b: str | None


@dataclass(frozen=True)
class Comparison:
    """Two systems on the same questions.

    Attributes
    ----------
    protocol
        Of both.
    n, n_words
        Questions that both were asked, and their different source words.
    left_out
        Questions that only one of them was asked.
    difference
        By k.
    disagreements
        Where they differ at the smallest k.
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


@dataclass(frozen=True)
class SimilarityResult:
    """How well cosines follow human judgements of similarity.

    Attributes
    ----------
    name
        Of the set.
    cross_lingual
        Whether the two words of a pair were looked up in two vocabularies.
    spearman, spearman_ci95, pearson, pearson_ci95
        Correlations, with 95 % bootstrap intervals over pairs.
    n, n_pairs
        Pairs whose two words are known, and all pairs.
    coverage
        ``n / n_pairs``.
    """

    name: str
    cross_lingual: bool
    spearman: float
    spearman_ci95: Interval
    pearson: float
    pearson_ci95: Interval
    n: int
    n_pairs: int
    coverage: float

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as JSON values."""
        return asdict(self)
