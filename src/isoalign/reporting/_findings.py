"""Compare normalisations on the same questions and state the result in words."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from isoalign.evaluation import Difference, Verdict
from isoalign.experiments import Record
from isoalign.normalization import DEFAULT_NORMALIZATION, NORMALIZERS
from isoalign.reporting._headline import choose_records, name_choice
from isoalign.reporting._names import axes_of, in_order, name_method, name_normalization
from isoalign.reporting._scores import Score, average_scores, paired_difference, score_record

__all__ = ["Paired", "describe_comparisons", "describe_findings", "describe_summary", "find_differences"]

_PHRASES: dict[Verdict, str] = {
    "better": "{name} is better.",
    "worse": "{name} is worse.",
    "undecided": "Undecided: the interval contains zero.",
}
"""Sentence for each `Difference.verdict`."""


@dataclass(frozen=True)
class Paired:
    """Two normalisations compared under one method on the same questions.

    Attributes
    ----------
    pair
        Languages, such as ``en–ja``.
    method
        Alignment method of both.
    normalize, baseline
        The normalisation, and the one it is compared with.
    difference
        P@1 of ``normalize`` minus P@1 of ``baseline``.
    """

    pair: str
    method: str
    normalize: str
    baseline: str
    difference: Difference


def find_differences(records: Iterable[Record], *, baseline: str | None = None) -> list[Paired]:
    """Compare normalisations for every language pair and method.

    Parameters
    ----------
    records
        Records of one experiment; those of other kinds than ``"bli"`` are ignored. Of several retrievals, CSLS is
        compared, or else the first; of several seeds, the lowest.
    baseline
        Compare each normalisation with this one. None compares it with all that precede it in the tables: with
        ``none``, ``C+L`` and ``IN``, the differences are C+L − none, IN − none and IN − C+L.
    """
    cells = choose_records(records)
    pairs, methods, names = axes_of(cells)
    if baseline is None:
        compared = [(name, other) for place, name in enumerate(names) for other in names[:place]]
    else:
        compared = [(name, baseline) for name in names if name != baseline]
    return [
        Paired(pair, method, name, other, paired_difference(cells[pair, method, name], cells[pair, method, other]))
        for pair in pairs
        for method in methods
        for name, other in compared
        if {(pair, method, name), (pair, method, other)} <= cells.keys()
    ]


def describe_findings(records: Iterable[Record], *, normalize: str = DEFAULT_NORMALIZATION) -> list[str]:
    """Return a sentence for every method and every other normalisation that ``normalize`` is compared with."""
    records = list(records)
    present = {record.cell.normalize for record in records if record.cell.kind == "bli"}
    baselines = [name for name in in_order(present, NORMALIZERS) if name != normalize]
    sentences = []
    for baseline in baselines:
        found = [one for one in find_differences(records, baseline=baseline) if one.normalize == normalize]
        methods = dict.fromkeys(one.method for one in found)
        sentences += [_describe([one for one in found if one.method == method]) for method in methods]
    return sentences


def describe_summary(records: Iterable[Record], *, normalize: str = DEFAULT_NORMALIZATION) -> list[str]:
    """Return at most three sentences: the highest accuracy, and how ``normalize`` compares with none and with C+L."""
    records = list(records)
    cells = {key: score_record(record) for key, record in choose_records(records).items()}
    if not cells:
        return []
    pairs, methods, names = axes_of(cells)
    means = {
        (method, name): average_scores([cells[pair, method, name] for pair in pairs])
        for method in methods
        for name in names
        if all((pair, method, name) in cells for pair in pairs)
    }
    is_map = any(record.measure == "MAP" for record in records if record.cell.kind == "bli")
    return [
        *([_describe_best(means, pairs, is_map=is_map, choice=name_choice(records))] if means else []),
        *describe_comparisons(records, normalize=normalize),
    ]


def _describe_best(means: Mapping[tuple[str, str], Score], pairs: Sequence[str], *, is_map: bool, choice: str) -> str:
    method, name = max(means, key=lambda system: means[system].value)
    best = means[method, name]
    interval = "" if best.ci95 is None else f" [{best.ci95[0]:.1f}, {best.ci95[1]:.1f}]"
    where = (
        pairs[0]
        if len(pairs) == 1
        else f"the average of {len(pairs)} language pairs{' and sizes' if ',' in pairs[0] else ''}"
    )
    if choice:
        where += f"; {choice}"
    system = f"{name_method(method)} after {name_normalization(name)}"
    if name == "none":
        system = f"{name_method(method)} without normalisation"
    among = f", the highest of {len(means)} systems" if len(means) > 1 else ""
    if is_map:
        return f"{system} has a MAP of {best.value:.1f}{interval} × 1/100 ({where}){among}."
    return f"{system} translates {best.value:.1f} %{interval} of the test words correctly ({where}){among}."


def describe_comparisons(records: Iterable[Record], *, normalize: str = DEFAULT_NORMALIZATION) -> list[str]:
    """Return a sentence each on how ``normalize`` compares with no normalisation and with C+L, over all methods."""
    records, sentences = list(records), []
    for baseline in ("none", "center_length"):
        if baseline == normalize or baseline not in {record.cell.normalize for record in records}:
            continue
        found = [one.difference for one in find_differences(records, baseline=baseline) if one.normalize == normalize]
        if found:
            against = "no normalisation" if baseline == "none" else name_normalization(baseline)
            names = f"{name_normalization(normalize)} against {against}"
            if choice := name_choice(records):
                names += f" ({choice})"
            sentences.append(f"{names}: {_count(found)}, {_range(found)}.")
    return sentences


def _count(found: Sequence[Difference]) -> str:
    verdicts = [one.verdict for one in found]
    if len(found) == 1:
        return verdicts[0]
    counts = {verdict: verdicts.count(verdict) for verdict in _PHRASES if verdict in verdicts}
    (first, n), *others = counts.items()
    return ", ".join([f"{first} in {n} of {len(found)} comparisons", *(f"{name} in {n}" for name, n in others)])


def _range(found: Sequence[Difference]) -> str:
    low, high = (100 * choose(one.value for one in found) for choose in (min, max))
    text = f"{low:+.1f} points of P@1" if len(found) == 1 else f"{low:+.1f} to {high:+.1f} points of P@1"
    return text.replace("-", "−")


def _describe(found: list[Paired]) -> str:
    first = found[0]
    subject, against = name_normalization(first.normalize), name_normalization(first.baseline)
    head = f"{name_method(first.method)}: {subject} against {against}"
    if len(found) == 1:
        difference = first.difference
        points = f"{100 * difference.a:.1f} − {100 * difference.b:.1f} = {difference}".replace("-", "−")
        return f"{head}: {points}. {_PHRASES[difference.verdict].format(name=subject)}"
    verdicts = [one.difference.verdict for one in found]
    mean = 100 * sum(one.difference.value for one in found) / len(found)
    return (
        f"{head}, {len(found)} language pairs: "
        + ", ".join(f"{verdict} in {verdicts.count(verdict)}" for verdict in _PHRASES)
        + f"; {mean:+.1f} points on average."
    ).replace("-", "−")
