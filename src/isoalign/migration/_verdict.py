"""Verdict on whether to migrate."""

from dataclasses import dataclass
from typing import Any, ClassVar

from isoalign._core.display import Tabular
from isoalign.migration._measures import ADAPTED, NEW, OLD, MigrationResult

__all__ = ["BOTH", "NOT", "QUERIES", "MigrationVerdict", "judge_migration"]

BOTH = "migrate"
QUERIES = "migrate queries only"
NOT = "do not migrate: you would be worse off than today"


@dataclass(frozen=True)
class MigrationVerdict(Tabular):
    """The answer and the sentences that support it."""

    answer: str
    reasons: list[str]

    columns: ClassVar = ("answer", "reason")

    def to_records(self) -> list[dict[str, Any]]:
        """Return one row per reason, with the answer."""
        return [{"answer": self.answer, "reason": reason} for reason in self.reasons]

    def __str__(self) -> str:
        return self.answer


def judge_migration(corpus: MigrationResult | None, queries: MigrationResult | None) -> MigrationVerdict:
    """Compare the adapted results with those of today.

    With judgments, recall of relevant documents decides. Without judgments, it is the share of the new model's
    neighbours: that of the adapter compared with that of the old model.

    Parameters
    ----------
    corpus, queries
        Results of a corpus adapter and of a query adapter, or None.

    Returns
    -------
    MigrationVerdict
        ``"migrate"`` if the mapped corpus is better than today, ``"migrate queries only"`` if only mapped queries on
        the old index are, else ``"do not migrate: you would be worse off than today"``.
    """
    answer = NOT
    if corpus is not None and _gains(corpus):
        answer = BOTH
    elif queries is not None and _gains(queries):
        answer = QUERIES
    return MigrationVerdict(answer, [_reason(result) for result in (corpus, queries) if result is not None])


def _gains(result: MigrationResult) -> bool:
    return result.difference is not None and result.difference.value > 0


def _reason(result: MigrationResult) -> str:
    name = result.decisive
    old, adapted, new = (result.systems[system][name].value for system in (OLD, ADAPTED, NEW))
    what = "mapped corpus" if result.use == "corpus" else "mapped queries on the old index"
    text = f"{what}: {name} {adapted:.3f}, today {old:.3f}, all embedded again {new:.3f}"
    if result.difference is None:
        return text
    low, high = result.difference.ci95
    sure = "" if low > 0 or high < 0 else "; these queries cannot distinguish the two"
    return f"{text}; difference from today {result.difference.value:+.3f} [{low:+.3f}, {high:+.3f}]{sure}"
