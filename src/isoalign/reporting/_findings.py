"""Say in plain words what the numbers show, also where it is nothing."""

from collections.abc import Iterable
from dataclasses import dataclass

from isoalign.evaluation import Difference
from isoalign.experiments import Record
from isoalign.reporting._names import (
    NORMALIZATION_NAMES,
    Key,
    axes_of,
    in_order,
    key_of,
    name_method,
    name_normalization,
)
from isoalign.reporting._scores import paired_difference

__all__ = ["Paired", "describe_difference", "find_differences", "tell_findings"]


@dataclass(frozen=True)
class Paired:
    """Two normalisations under one method on the same words.

    Attributes
    ----------
    pair
        Languages, such as ``en–ja``.
    method, normalize, baseline
        What is compared with what.
    difference
        Of P@1.
    """

    pair: str
    method: str
    normalize: str
    baseline: str
    difference: Difference


def find_differences(records: Iterable[Record], *, baseline: str = "none") -> list[Paired]:
    """Compare every normalisation with one of them, for every language pair and method that has both."""
    cells: dict[Key, Record] = {}
    for record in records:
        if record.cell.kind == "bli":
            cells.setdefault(key_of(record.cell), record)
    pairs, methods, names = axes_of(cells)
    return [
        Paired(
            pair, method, name, baseline, paired_difference(cells[pair, method, name], cells[pair, method, baseline])
        )
        for pair in pairs
        for method in methods
        for name in names
        if name != baseline and {(pair, method, name), (pair, method, baseline)} <= cells.keys()
    ]


def describe_difference(difference: Difference) -> str:
    """Say whether an interval lies above zero, below, or around it."""
    if difference.ci95[0] > 0:
        return "better"
    return "worse" if difference.ci95[1] < 0 else "undecided"


def tell_findings(records: Iterable[Record], *, normalize: str = "iternorm") -> list[str]:
    """Say for every method what a normalisation does against each of the others, gains and losses alike."""
    records = list(records)
    present = {record.cell.normalize for record in records if record.cell.kind == "bli"}
    baselines = [name for name in in_order(present, NORMALIZATION_NAMES) if name != normalize]
    sentences = []
    for baseline in baselines:
        found = [one for one in find_differences(records, baseline=baseline) if one.normalize == normalize]
        methods = dict.fromkeys(one.method for one in found)
        sentences += [_tell([one for one in found if one.method == method]) for method in methods]
    return sentences


def _tell(found: list[Paired]) -> str:
    first = found[0]
    subject, against = name_normalization(first.normalize), name_normalization(first.baseline)
    head = f"{name_method(first.method)}: {subject} against {against}"
    if len(found) == 1:
        difference = first.difference
        verdict = {
            "better": f"{subject} helps.",
            "worse": f"{subject} hurts.",
            "undecided": f"{subject} does not help: the interval holds zero."
            if difference.value <= 0
            else "too small to tell: the interval holds zero.",
        }[describe_difference(difference)]
        points = f"{100 * difference.a:.1f} − {100 * difference.b:.1f} = {difference}".replace("-", "−")
        return f"{head}: {points}. {verdict[0].upper()}{verdict[1:]}"
    kinds = [describe_difference(one.difference) for one in found]
    mean = 100 * sum(one.difference.value for one in found) / len(found)
    return (
        f"{head}, {len(found)} language pairs: better in {kinds.count('better')}, worse in {kinds.count('worse')}, "
        f"undecided in {kinds.count('undecided')}; {mean:+.1f} points on average."
    ).replace("-", "−")
