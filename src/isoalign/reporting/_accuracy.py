"""Plot accuracies: by language with intervals, and against the distance of the means."""

from collections.abc import Iterable, Sequence
from typing import Any

from isoalign.errors import InvalidValueError
from isoalign.experiments import Record
from isoalign.reporting._names import Key, axes_of, key_of, name_method, name_normalization
from isoalign.reporting._scores import Score, score_record
from isoalign.reporting._style import new_figure, show_name, style_of, styled

__all__ = ["plot_accuracy", "plot_mean_difference"]

Scores = dict[Key, Score]

_SMALLEST = 1e-8  # float32 does not resolve smaller differences, and zero has no logarithm


@styled
def plot_accuracy(records: Iterable[Record]) -> Any:
    """Plot P@1 with its 95 % interval: one panel per method, one line per language pair.

    For a single language pair, there is one panel with one line per method.
    """
    scores = _collect(records)
    pairs, methods, names = axes_of(scores)
    if len(pairs) == 1:
        panels, lines = [("", [(pairs[0], method) for method in methods])], [name_method(method) for method in methods]
    else:
        pairs = _by_gain(pairs, methods, names, scores)
        panels = [(name_method(method), [(pair, method) for pair in pairs]) for method in methods]
        lines = pairs
    step = 0.2 if len(lines) > 8 else 0.42
    figure = new_figure(max(6.4, 2.3 * len(panels)), 1.05 + step * len(lines))
    rows = figure.subplots(1, len(panels), sharey=True, squeeze=False)[0]
    offsets = [0.24 * (2 * place - len(names) + 1) / max(len(names) - 1, 1) for place in range(len(names))]
    for axes, (title, keys) in zip(rows, panels, strict=True):
        for name, offset in zip(names, offsets, strict=True):
            found = [(place + offset, scores[*key, name]) for place, key in enumerate(keys) if (*key, name) in scores]
            _draw_points(axes, found, name)
        axes.set_title(show_name(title))
        axes.set_xlabel("P@1 in per cent, 95 % interval")
        axes.grid(axis="y", visible=False)
    rows[0].set_yticks(range(len(lines)), [show_name(line) for line in lines])
    rows[0].set_ylim(len(lines) - 0.4, -0.6)
    figure.legend(*rows[0].get_legend_handles_labels(), loc="outside upper left", ncols=len(names))
    return figure


@styled
def plot_mean_difference(records: Sequence[Record]) -> Any:
    """Plot accuracy against the difference between the lengths of the two means.

    Needs ``conditions`` records in addition to the accuracies. One panel per method, one point per language pair and
    normalisation.
    """
    scores = _collect(records)
    apart = {
        (pair, name): abs(record.values["source"]["mean_norm"] - record.values["target"]["mean_norm"])
        for record in records
        if record.cell.kind == "conditions"
        for pair, _, name in [key_of(record.cell)]
    }
    pairs, methods, names = axes_of(scores)
    known = {key: score for key, score in scores.items() if (key[0], key[2]) in apart}
    if not known:
        raise InvalidValueError("No accuracy has a 'conditions' record of the same languages and normalisation.")
    across = min(len(methods), 2 if len(methods) == 4 else 3)
    down = -(-len(methods) // across)
    figure = new_figure(6.6, 0.5 + 2.3 * down)
    panels = figure.subplots(down, across, sharex=True, sharey=True, squeeze=False).ravel()
    for axes, method in zip(panels, methods, strict=False):
        for name in names:
            keys = [(pair, method, name) for pair in pairs if (pair, method, name) in known]
            _draw_against(axes, [(apart[pair, name], known[pair, method, name]) for pair, _, _ in keys], name)
            if 1 < len(pairs) <= 8:
                for key in keys:
                    place = (max(apart[key[0], name], _SMALLEST), known[key].value)
                    axes.annotate(show_name(key[0]), place, (5, 3), textcoords="offset points", fontsize=7.5)
        axes.set_xscale("log")
        axes.set_title(show_name(name_method(method)))
    for axes in panels[len(methods) :]:
        axes.set_visible(False)
    figure.supxlabel("difference between the lengths of the two means", fontsize=9)
    figure.supylabel("P@1 in per cent", fontsize=9)
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside upper left", ncols=len(names))
    return figure


def _collect(records: Iterable[Record]) -> Scores:
    """Return the scores of accuracy records; of several retrievals or seeds, the first."""
    scores: Scores = {}
    for record in records:
        if record.cell.kind == "bli":
            scores.setdefault(key_of(record.cell), score_record(record))
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
