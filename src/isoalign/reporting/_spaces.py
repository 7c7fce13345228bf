"""Plot both languages in two dimensions, before and after alignment."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isoalign._core.arrays import principal_plane, unit_rows
from isoalign._core.validate import check_count
from isoalign.alignment import Alignment
from isoalign.errors import ShapeError, UnknownWordError
from isoalign.lexicon import Lexicon
from isoalign.reporting._labels import label_points
from isoalign.reporting._style import GRID, SERIES, new_figure, show_name, styled

__all__ = ["choose_pairs", "plot_spaces", "plot_spaces_panels"]


def choose_pairs(model: Alignment, lexicon: Lexicon, *, n: int = 10) -> list[tuple[str, str]]:
    """Return n evenly spaced source words of a dictionary, each with its first known translation.

    Even spacing ensures that no pair is chosen for its appearance in the figure.
    """
    pair = model.pair()
    source, target = pair.source.raw, pair.target.raw
    known: dict[int, int] = {}
    for i, j in lexicon.require_pairs(source, target).tolist():
        known.setdefault(i, j)
    pairs, n = list(known.items()), min(check_count(n, name="n"), len(known))
    chosen = (pairs[place * len(pairs) // n] for place in range(n))
    return [(source.index_to_key[i], target.index_to_key[j]) for i, j in chosen]


@styled
def plot_spaces(model: Alignment, pairs: Sequence[tuple[str, str]]) -> Any:
    """Plot words and their translations before and after alignment, each panel with its own projection.

    Parameters
    ----------
    model
        Alignment with the vectors of both sides.
    pairs
        Pairs of a source word and a translation.

    Returns
    -------
    figure
        A ``matplotlib.figure.Figure``, not shown.
    """
    figure = new_figure(6.8, 7.6, constrained=False)
    panels = figure.subplots(2, 1, gridspec_kw={"left": 0.02, "right": 0.98, "top": 0.92, "bottom": 0.02})
    for axes, (title, vectors) in zip(panels, _project(model, pairs).items(), strict=True):
        _draw_panel(axes, *principal_plane(vectors), pairs, title)
    _add_legend(figure, panels[0], model)
    return figure


@styled
def plot_spaces_panels(model: Alignment, pairs: Sequence[tuple[str, str]]) -> list[Any]:
    """Return the panels of `plot_spaces` as separate figures, for pages that stack them on small screens."""
    figures = []
    for title, vectors in _project(model, pairs).items():
        figure = new_figure(4.6, 4.4, constrained=False)
        axes = figure.subplots(gridspec_kw={"left": 0.02, "right": 0.98, "top": 0.88, "bottom": 0.02})
        _draw_panel(axes, *principal_plane(vectors), pairs, title)
        _add_legend(figure, axes, model)
        figures.append(figure)
    return figures


def _project(model: Alignment, pairs: Sequence[tuple[str, str]]) -> dict[str, NDArray[np.float32]]:
    """Return the rows of all source words, then of all translations, before and after alignment."""
    pair = model.pair()
    source, target = pair.source.raw, pair.target.raw
    if source.vector_size != target.vector_size:
        raise ShapeError(
            f"Both sides must have the same dimension to be plotted. Got {source.vector_size} and {target.vector_size}."
        )
    rows = [side.find_rows(list(words)) for side, words in zip((source, target), zip(*pairs, strict=True), strict=True)]
    for found, words in zip(rows, zip(*pairs, strict=True), strict=True):
        if (found < 0).any():
            raise UnknownWordError(f"{words[int(np.argmax(found < 0))]!r} is not in the vocabulary.")
    before = np.concatenate([unit_rows(source.vectors[rows[0]]), unit_rows(target.vectors[rows[1]])])
    after = np.concatenate([pair.queries(rows[0]), pair.targets[rows[1]]])
    return {"before": before, "after alignment": after}


def _add_legend(figure: Any, axes: Any, model: Alignment) -> None:
    handles = [axes.plot([], [], marker, color=color)[0] for marker, color in (("o", SERIES[1]), ("D", SERIES[2]))]
    figure.legend(handles, [show_name(name) for name in model.pair().names], loc="upper right", ncols=2)


def _draw_panel(
    axes: Any, points: NDArray[np.float64], share: float, pairs: Sequence[tuple[str, str]], title: str
) -> None:
    ours, theirs = points[: len(pairs)], points[len(pairs) :]
    axes.plot(
        np.stack([ours[:, 0], theirs[:, 0]]), np.stack([ours[:, 1], theirs[:, 1]]), "-", color=SERIES[0], linewidth=0.8
    )
    axes.plot(ours[:, 0], ours[:, 1], "o", color=SERIES[1], markersize=4.5)
    axes.plot(theirs[:, 0], theirs[:, 1], "D", color=SERIES[2], markersize=4.5)
    axes.set_title(f"{title}: {share:.0%} of the variance")
    axes.tick_params(length=0, labelleft=False, labelbottom=False)
    axes.spines[:].set_color(GRID)
    axes.margins(0.1, 0.14)
    label_points(axes, points, [word for side in zip(*pairs, strict=True) for word in side])
