"""Scores of records in per cent, with intervals and published values."""

from dataclasses import dataclass
from functools import cache
from pathlib import PurePath

from isoalign._core.types import RandomState
from isoalign.errors import InvalidValueError
from isoalign.evaluation import N_RESAMPLES, Difference, compare_ranks
from isoalign.experiments import Record, SweepConfig, load_sweep
from isoalign.reporting._published import Published, find_published

__all__ = [
    "REPRODUCED",
    "Score",
    "average_scores",
    "count_reproduced",
    "list_files",
    "paired_difference",
    "score_record",
]

REPRODUCED = 1.0
"""Largest difference in points at which a published value counts as reproduced."""


@dataclass(frozen=True)
class Score:
    """One cell of a table, in per cent.

    Attributes
    ----------
    value, ci95
        Measured value and its 95 % interval, if there is one.
    published
        The published value, or None.
    best_on_test
        Accuracy of the round that is best on the test words, which is how the paper selected rounds. It is biased and
        used only for comparison with the published value.
    n
        Number of questions or word pairs.
    """

    value: float
    ci95: tuple[float, float] | None = None
    published: Published | None = None
    best_on_test: float | None = None
    n: int | None = None

    @property
    def difference(self) -> float | None:
        """Difference from the published value, with rounds selected as in the paper."""
        if self.published is None:
            return None
        return (self.value if self.best_on_test is None else self.best_on_test) - self.published.value

    @property
    def reproduced(self) -> bool:
        """Whether the published value was reproduced, at the precision at which it was printed."""
        return self.difference is not None and round(abs(self.difference), 1) <= REPRODUCED


def score_record(record: Record) -> Score:
    """Return the score of an accuracy record, or the Spearman correlation of a similarity record, times 100.

    The published value is included if the record was computed from the files of the paper's experiment.
    """
    values, printed = record.values, find_published(record.cell) if _is_of_paper(record) else None
    if record.cell.kind == "similarity":
        low, high = values["ci95"]
        return Score(100 * values["spearman"], (100 * low, 100 * high), printed, n=values["n"])
    value, (low, high) = record.score
    best = values.get("best_on_test") if record.measure == "P@1" else None
    return Score(
        100 * value,
        (100 * low, 100 * high),
        printed,
        None if best is None else 100 * best,
        values["n"],
    )


def _is_of_paper(record: Record) -> bool:
    """Return whether a record was computed from files named as those of the paper's experiment, read in the same way.

    Folders are ignored, since own copies of the files are in any folder, and so are the rows of the statistics.
    """
    config, cell = _paper(), record.cell
    found, reading = list_files(record), record.provenance.get("reading", {})
    expected = {"source": config.data.vectors_of(cell.source)}
    if cell.target is None:
        if found.pop("similarity", None) not in config.data.similarity:
            return False
    else:
        expected["target"] = config.data.vectors_of(cell.target)
        expected |= {role: config.data.lexicon_of(role, cell.source, cell.target) for role in ("train", "test")}
    return found == expected and all(reading.get(key) == getattr(config.data, key) for key in ("limit", "lower"))


def list_files(record: Record) -> dict[str, str]:
    """Return the names of the files of a record by role, without their folders."""
    files = record.provenance.get("data", {})
    return {role: PurePath(str(file.get("name", "")).replace("\\", "/")).name for role, file in files.items()}


@cache
def _paper() -> SweepConfig:
    return load_sweep("iternorm-acl2019")


def average_scores(scores: list[Score]) -> Score:
    """Average independent scores, such as those of several languages; half-widths of intervals add in quadrature."""
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
    """Return the number of scores that meet their published value within a point, and the number that have one."""
    compared = [score for score in scores if score.published is not None]
    return sum(score.reproduced for score in compared), len(compared)


def paired_difference(
    a: Record, b: Record, *, n_resamples: int = N_RESAMPLES, random_state: RandomState = 0
) -> Difference:
    """Compare the P@1 of two records on the same questions; see `compare_ranks`."""
    words_a, words_b = (_words_of(record) for record in (a, b))
    if words_a != words_b:
        raise InvalidValueError(
            f"Records must be of the same questions to be compared. {a.key} and {b.key} have different words."
        )
    return compare_ranks(
        words_a, a.values["ranks"], b.values["ranks"], n_resamples=n_resamples, random_state=random_state
    )


def _words_of(record: Record) -> list[str]:
    words: list[str] | None = record.values.get("words")
    if words is None:
        raise InvalidValueError(
            f"Record {record.key} does not contain the words of its questions: it was written by an earlier version. "
            "Run the sweep again into a new folder."
        )
    return words
