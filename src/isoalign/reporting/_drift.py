"""The report of change of meaning: neighbours then and now, compared with the noise of words of similar frequency."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from isoalign.drift import MEASURES, Drift, GoldResult, WordDrift
from isoalign.reporting._blocks import Section, bullets, figure, folded, plain_table, sections_to_html
from isoalign.reporting._html import Markup, join, page, tag
from isoalign.reporting._style import MARKERS, SERIES, new_figure, show_name, styled

__all__ = ["build_drift_report", "plot_drift"]

_SHOWN = 30  # words of a table that is open
_MOST = 300  # words of both tables
_LABELLED = 12  # words of a figure
_NULLS = {
    "frequency": "words of similar frequency, most of which are assumed to be unchanged",
    "two halves": "words of similar frequency in two halves of one corpus, between which nothing changed",
}


def build_drift_report(
    steps: Sequence[Drift],
    *,
    gold: Mapping[tuple[str, str], GoldResult] | None = None,
    level: float = 0.05,
) -> str:
    """Return a self-contained HTML page.

    Parameters
    ----------
    steps
        Results of `measure_drift`, or the steps of `measure_drifts`.
    gold
        Correlations with judged words, by the names of a step.
    level
        False-discovery rate at which words count as changed.
    """
    first = steps[0]
    title = " · ".join(f"{_name(step)}: {len(step.changed(q=level))} of {len(step.words)} words" for step in steps)
    lead = (
        f"Words that changed at a false-discovery rate of {level:g}, by {MEASURES[first.measures[0]]}, compared with "
        f"{_NULLS[first.provenance.get('null', 'frequency')]}."
    )
    header = tag("header", tag("h1", "Change of meaning"), tag("p", title, class_="lead"), tag("p", lead))
    sections = [_words(step, level, number) for number, step in enumerate(steps)]
    if gold:
        sections.append(_gold(gold))
    sections += [_figures(steps, level), _provenance(steps)]
    return page(f"Change of meaning: {_name(steps[-1])}", join([header, tag("main", sections_to_html(sections))]))


def _name(step: Drift) -> str:
    return f"{step.old} → {step.new}"


def _words(step: Drift, level: float, number: int) -> Section:
    changed = step.changed(q=level)
    how = (
        f"{len(changed)} words have q ≤ {level:g}: about that share of them did not change. z: how far a word moved, "
        "in units of the spread of words of similar frequency. Bold neighbours are missing on the other side."
    )
    if not changed:
        how = (
            f"No word has q ≤ {level:g}: even the words that moved most moved no further than noise. "
            + how.partition(". ")[2]
        )
    columns = [name for measure in step.measures for name in (measure, "z", "q")]
    rows = [(*_row(word), *_sides(word)) for word in step.words[: max(_SHOWN, min(len(changed), _MOST))]]
    numbers = range(1, 3 + len(columns))
    head = ("word", "rank then", "rank now", *columns, step.old, step.new)
    tables = [plain_table(head, some, numbers=numbers) for some in (rows[:_SHOWN], rows[_SHOWN:]) if some]
    return Section(f"words-{number}", _name(step), (how, *tables))


def _row(word: WordDrift) -> tuple[object, ...]:
    return (word.word, f"{word.rank_then:,}", f"{word.rank_now:,}", *word.format_evidence())


def _sides(word: WordDrift) -> tuple[Markup, Markup]:
    """Return the neighbours then and now; those that are missing on the other side are bold."""
    return (_neighbors(word.then, word.now), _neighbors(word.now, word.then))


def _neighbors(own: tuple[str | int, ...], others: tuple[str | int, ...]) -> Markup:
    known = set(others)
    words = join([tag("bdi", tag("b", one) if one not in known else one) for one in own], ", ")
    return tag("td", words, class_="words")


def _gold(gold: Mapping[tuple[str, str], GoldResult]) -> Section:
    rows = [
        (f"{old} → {new}", measure, f"{value:.3f} [{low:.3f}, {high:.3f}]", one.n, one.n_gold)
        for (old, new), one in gold.items()
        for (measure, value), (low, high) in zip(one.spearman.items(), one.ci95.values(), strict=True)
    ]
    text = "Spearman’s correlation of the distances with judged change, and its 95 % bootstrap interval over words."
    header = ("step", "measure", "Spearman", "known words", "judged words")
    return Section("gold", "Judged words", (text, plain_table(header, rows, numbers=(2, 3, 4))))


def _figures(steps: Sequence[Drift], level: float) -> Section:
    drawn = [
        figure(
            plot_drift(step, level=level),
            name=f"drift-{number}",
            alt=f"Distance of every word by frequency, {_name(step)}",
            how="How to read it: a point is a word, the most frequent on the left. Rare words lie higher because their "
            "vectors are noisier; what matters is how far a word lies above its neighbours in this figure.",
        )
        for number, step in enumerate(steps)
    ]
    return Section("figure", "Distance and frequency", tuple(drawn))


@styled
def plot_drift(step: Drift, *, level: float = 0.05) -> Any:
    """Plot the distance of every word by its frequency rank; words that changed are marked, the first ones named.

    Returns
    -------
    figure
        A ``matplotlib.figure.Figure``, not shown.
    """
    drawn = new_figure(6.4, 3.6)
    axes = drawn.subplots()
    measure = step.measures[0]
    points = np.array([[(w.rank_then + w.rank_now) / 2, w.evidence[measure].distance] for w in step.words])
    changed = np.array([word.evidence[measure].q <= level for word in step.words])
    for kind, (mask, label) in enumerate(((~changed, "no evidence of change"), (changed, f"changed, q ≤ {level:g}"))):
        style = {"color": SERIES[2 * kind], "marker": MARKERS[2 * kind], "s": (4, 16)[kind], "linewidths": 0}
        axes.scatter(*points[mask].T, label=f"{label} ({mask.sum():,})", rasterized=not kind, **style)
    for place in np.flatnonzero(changed)[:_LABELLED]:
        name = show_name(str(step.words[place].word))
        axes.annotate(name, points[place], (4, 3), textcoords="offset points", fontsize=7.5)
    axes.set_xscale("log")
    axes.set_ylim(bottom=0)
    axes.set_xlabel("frequency rank, mean of both")
    axes.set_ylabel(f"{measure}, {show_name(step.old)} → {show_name(step.new)}")
    axes.legend()
    return drawn


def _provenance(steps: Sequence[Drift]) -> Section:
    items = [f"{_name(step)}: {step.n_common:,} words in both, {len(step.words):,} tested." for step in steps]
    settings = json.dumps({_name(step): step.provenance for step in steps}, ensure_ascii=False, indent=1)
    return Section("provenance", "Settings", (bullets(items), folded("As JSON", tag("pre", settings))))
