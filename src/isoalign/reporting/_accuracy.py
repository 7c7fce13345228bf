"""Plot accuracies: by language with intervals, and against the distance of the means."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from isoalign.errors import InvalidValueError
from isoalign.experiments import Record
from isoalign.reporting._headline import choose_records
from isoalign.reporting._labels import label_points
from isoalign.reporting._names import CellKey, axes_of, key_of, name_method, name_normalization
from isoalign.reporting._scores import Score, score_record
from isoalign.reporting._style import label_powers, new_figure, show_name, style_of, styled

__all__ = ["plot_accuracy", "plot_accuracy_panels", "plot_mean_difference", "plot_mean_difference_panels"]

Scores = dict[CellKey, Score]

_APART = "difference between the lengths of the two means"
_PANEL = 4.2  # inches: readable on a phone, two side by side on a page
_MOST_LABELLED = 8
_SMALLEST = 1e-8  # float32 does not resolve smaller differences, and zero has no logarithm


@dataclass(frozen=True)
class _Panel:
    """One panel: its title, and the cells of its lines by label."""

    title: str
    keys: list[tuple[str, str]]


@styled
def plot_accuracy(records: Iterable[Record]) -> Any:
    """Plot the score with its 95 % interval: one panel per method, one line per language pair.

    For a single language pair, there is one panel with one line per method.
    """
    records = list(records)
    scores = _collect(records)
    panels, lines = _arrange(scores)
    figure = new_figure(max(5.2, 2.3 * len(panels)), _height(lines))
    rows = figure.subplots(1, len(panels), sharey=True, squeeze=False)[0]
    for axes, panel in zip(rows, panels, strict=True):
        _draw_accuracy(axes, panel, lines, scores, _measure_of(records))
    figure.legend(*rows[0].get_legend_handles_labels(), loc="outside upper left", ncols=3)
    return figure


@styled
def plot_accuracy_panels(records: Iterable[Record]) -> list[Any]:
    """Return the panels of `plot_accuracy` as separate figures, for pages that stack them on small screens."""
    records = list(records)
    scores = _collect(records)
    panels, lines = _arrange(scores)
    figures = []
    for panel in panels:
        figure = new_figure(_PANEL if len(panels) > 1 else 5.2, _height(lines))
        axes = figure.subplots()
        _draw_accuracy(axes, panel, lines, scores, _measure_of(records))
        figure.legend(*axes.get_legend_handles_labels(), loc="outside upper left", ncols=3)
        figures.append(figure)
    return figures


def _arrange(scores: Scores) -> tuple[list[_Panel], list[str]]:
    """Return the panels and the labels of their lines."""
    pairs, methods, names = axes_of(scores)
    if len(pairs) == 1:
        return [_Panel("", [(pairs[0], method) for method in methods])], [name_method(method) for method in methods]
    pairs = _by_gain(pairs, methods, names, scores)
    return [_Panel(name_method(method), [(pair, method) for pair in pairs]) for method in methods], pairs


def _height(lines: list[str]) -> float:
    return 1.05 + (0.2 if len(lines) > 8 else 0.42) * len(lines)


def _measure_of(records: Iterable[Record]) -> str:
    return next(record.measure for record in records if record.cell.kind == "bli")


def _draw_accuracy(axes: Any, panel: _Panel, lines: list[str], scores: Scores, measure: str) -> None:
    *_, names = axes_of(scores)
    for place, name in enumerate(names):
        offset = 0.24 * (2 * place - len(names) + 1) / max(len(names) - 1, 1)
        found = [(line + offset, scores[*key, name]) for line, key in enumerate(panel.keys) if (*key, name) in scores]
        _draw_points(axes, found, name)
    axes.set_title(show_name(panel.title))
    axes.set_xlabel(f"{measure} in per cent, 95 % interval")
    axes.grid(axis="y", visible=False)
    axes.set_yticks(range(len(lines)), [show_name(line) for line in lines])
    axes.set_ylim(len(lines) - 0.4, -0.6)


@styled
def plot_mean_difference(records: Sequence[Record]) -> Any:
    """Plot accuracy against the difference between the lengths of the two means.

    Needs ``conditions`` records in addition to the accuracies. One panel per method, one point per language pair and
    normalisation.
    """
    known, apart = _collect_differences(records)
    _, methods, _ = axes_of(known)
    across = min(len(methods), 2 if len(methods) == 4 else 3)
    down = -(-len(methods) // across)
    height = 0.5 + 2.3 * down
    figure = new_figure(6.6, height, constrained=False)
    edges = {"left": 0.1, "right": 0.98, "bottom": 0.55 / height, "top": 1 - 0.55 / height, "hspace": 0.25}
    panels = figure.subplots(down, across, sharex=True, sharey=True, squeeze=False, gridspec_kw=edges).ravel()
    for axes, method in zip(panels, methods, strict=False):
        _draw_differences(axes, method, known, apart)
    for axes, method in zip(panels, methods, strict=False):
        _label_pairs(axes, method, known, apart)
    for axes in panels[len(methods) :]:
        axes.set_visible(False)
    figure.supxlabel(_APART, fontsize=9)
    figure.supylabel("P@1 in per cent", fontsize=9)
    figure.legend(*panels[0].get_legend_handles_labels(), loc="upper left", ncols=3)
    return figure


@styled
def plot_mean_difference_panels(records: Sequence[Record]) -> list[Any]:
    """Return the panels of `plot_mean_difference` as separate figures, all with the same axes."""
    known, apart = _collect_differences(records)
    _, methods, _ = axes_of(known)
    values = [score.value for score in known.values()]
    around = max(0.06 * (max(values) - min(values)), 0.1)
    figures = []
    for method in methods:
        figure = new_figure(_PANEL, 2.8, constrained=False)  # labels look for room in axes of known size
        axes = figure.subplots(gridspec_kw={"left": 0.13, "right": 0.97, "bottom": 0.18, "top": 0.82})
        _draw_differences(axes, method, known, apart)
        axes.set_ylim(min(values) - around, max(values) + around)
        _label_pairs(axes, method, known, apart)
        axes.set_xlabel(_APART)
        axes.set_ylabel("P@1 in per cent")
        figure.legend(*axes.get_legend_handles_labels(), loc="upper left", ncols=3)
        figures.append(figure)
    return figures


def _label_pairs(axes: Any, method: str, known: Scores, apart: Mapping[tuple[str, str], float]) -> None:
    """Write the language pair next to every point, if there are several pairs and not too many."""
    points = {
        (max(apart[pair, name], _SMALLEST), score.value): pair
        for (pair, system, name), score in known.items()
        if system == method
    }
    if 1 < len({*points.values()}) <= _MOST_LABELLED:
        label_points(axes, list(points), list(points.values()), size=7.5)


def _collect_differences(records: Sequence[Record]) -> tuple[Scores, dict[tuple[str, str], float]]:
    """Return the accuracies that have conditions, and how far apart the means are by pair and normalisation."""
    scores = _collect(records)
    apart = {
        (pair, name): abs(first["mean_norm"] - second["mean_norm"])
        for record in records
        if record.cell.kind == "conditions"
        for pair, _, name in [key_of(record.cell)]
        for first, second in [record.conditions]
    }
    known = {key: score for key, score in scores.items() if (key[0], key[2]) in apart}
    if not known:
        raise InvalidValueError("No accuracy has a 'conditions' record of the same languages and normalisation.")
    return known, apart


def _draw_differences(axes: Any, method: str, known: Scores, apart: dict[tuple[str, str], float]) -> None:
    pairs, _, names = axes_of(known)
    for name in names:
        keys = [(pair, method, name) for pair in pairs if (pair, method, name) in known]
        _draw_against(axes, [(apart[pair, name], known[pair, method, name]) for pair, _, _ in keys], name)
    axes.set_xscale("log")
    label_powers(axes.xaxis)
    axes.set_title(show_name(name_method(method)))


def _collect(records: Iterable[Record]) -> Scores:
    """Return the scores of accuracy records; of several retrievals or seeds, one: see `choose_records`."""
    scores = {key: score_record(record) for key, record in choose_records(records).items()}
    if not scores:
        raise InvalidValueError("The records contain no accuracy, so there is nothing to draw.")
    return scores


def _by_gain(pairs: list[str], methods: list[str], names: list[str], scores: Scores) -> list[str]:
    """Sort language pairs by the gain of the last normalisation over the first."""

    def gain(pair: str) -> float:
        last, first = scores.get((pair, methods[0], names[-1])), scores.get((pair, methods[0], names[0]))
        return 0.0 if last is None or first is None else first.value - last.value

    return sorted(pairs, key=gain)


def _draw_against(axes: Any, found: list[tuple[float, Score]], name: str) -> None:
    color, marker = style_of(name)
    x = [max(difference, _SMALLEST) for difference, _ in found]
    y = [score.value for _, score in found]
    axes.plot(x, y, marker, color=color, markersize=5, label=show_name(name_normalization(name)))


def _draw_points(axes: Any, found: list[tuple[float, Score]], name: str) -> None:
    color, marker = style_of(name)
    values = [score.value for _, score in found]
    low = [score.value - (score.ci95 or (score.value,))[0] for _, score in found]
    high = [(score.ci95 or (score.value, score.value))[1] - score.value for _, score in found]
    axes.errorbar(
        values,
        [place for place, _ in found],
        xerr=[low, high],
        fmt=marker,
        color=color,
        markersize=4.5,
        elinewidth=1.1,
        label=show_name(name_normalization(name)),
    )
