"""Draw both languages in two dimensions, before and after alignment, with translations joined."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from isoalign._arrays import unit_rows
from isoalign._types import Matrix
from isoalign._validate import check_count
from isoalign.alignment import Alignment
from isoalign.errors import InvalidValueError, ShapeError, UnknownWordError
from isoalign.lexicon import Lexicon
from isoalign.reporting._style import GRID, SERIES, new_figure, styled

__all__ = ["choose_pairs", "plot_spaces", "project"]


def choose_pairs(model: Alignment, lexicon: Lexicon, *, n: int = 10) -> list[tuple[str, str]]:
    """Take n source words of a dictionary with their first translation that both vocabularies know, evenly spaced.

    So that no pair is picked for its place in the picture.
    """
    source, target = model.embeddings("source"), model.embeddings("target")
    known: dict[str, str] = {}
    for word, translation in lexicon:
        if word in source and translation in target:
            known.setdefault(word, translation)
    if not known:
        raise InvalidValueError("No dictionary pair has both words in the vocabularies.")
    pairs, n = list(known.items()), min(check_count(n, name="n"), len(known))
    return [pairs[place * len(pairs) // n] for place in range(n)]


def project(X: Matrix) -> tuple[Matrix, float]:
    """Project rows (n, dim) onto the two directions in which they vary most.

    Returns
    -------
    points, share
        (n, 2), and the share of the variance that the picture keeps.
    """
    centered = X.astype(np.float64) - X.mean(axis=0, dtype=np.float64)
    U, S, _ = np.linalg.svd(centered, full_matrices=False)
    # The sign of a singular vector is arbitrary; the largest coordinate points up, so that a picture can be repeated.
    signs = np.sign(U[np.abs(U[:, :2]).argmax(axis=0), [0, 1]])
    return (U[:, :2] * S[:2] * signs).astype(np.float32), float((S[:2] ** 2).sum() / ((S**2).sum() or 1))


@styled
def plot_spaces(model: Alignment, pairs: Sequence[tuple[str, str]]) -> Any:
    """Draw words and their translations before and after alignment; each panel is its own projection.

    Parameters
    ----------
    model
        With the vectors of both sides.
    pairs
        A source word and a translation each.

    Returns
    -------
    figure
        A ``matplotlib.figure.Figure``, not shown anywhere.
    """
    source, target = model.embeddings("source"), model.embeddings("target")
    if source.vector_size != target.vector_size:
        raise ShapeError(f"A common picture needs equal dimensions. Got {source.vector_size} and {target.vector_size}.")
    rows = [side.find_rows(list(words)) for side, words in zip((source, target), zip(*pairs, strict=True), strict=True)]
    for found, words in zip(rows, zip(*pairs, strict=True), strict=True):
        if (found < 0).any():
            raise UnknownWordError(f"{words[int(np.argmax(found < 0))]!r} is not in the vocabulary.")
    before = np.concatenate([unit_rows(source.vectors[rows[0]]), unit_rows(target.vectors[rows[1]])])
    after = np.concatenate([model.space("source")[rows[0]], model.space("target")[rows[1]]])
    figure = new_figure(6.8, 7.6)
    panels = figure.subplots(2, 1)
    for axes, vectors, title in zip(panels, (before, after), ("before", "after alignment"), strict=True):
        _draw_panel(axes, *project(vectors), pairs, title)
    names = [side.lang or fallback for side, fallback in ((source, "source"), (target, "target"))]
    handles = [panels[0].plot([], [], marker, color=color)[0] for marker, color in (("o", SERIES[1]), ("D", SERIES[2]))]
    figure.legend(handles, names, loc="outside upper right", ncols=2)
    return figure


def _draw_panel(axes: Any, points: Matrix, share: float, pairs: Sequence[tuple[str, str]], title: str) -> None:
    ours, theirs = points[: len(pairs)], points[len(pairs) :]
    axes.plot(
        np.stack([ours[:, 0], theirs[:, 0]]), np.stack([ours[:, 1], theirs[:, 1]]), "-", color=SERIES[0], linewidth=0.8
    )
    axes.plot(ours[:, 0], ours[:, 1], "o", color=SERIES[1], markersize=4.5)
    axes.plot(theirs[:, 0], theirs[:, 1], "D", color=SERIES[2], markersize=4.5)
    for (word, translation), one, other in zip(pairs, ours, theirs, strict=True):
        higher = one[1] >= other[1]
        for text, place, up in ((word, one, higher), (translation, other, not higher)):
            axes.annotate(
                text,
                place,
                (0, 5 if up else -5),
                textcoords="offset points",
                ha="center",
                va="bottom" if up else "top",
                fontsize=8,
            )
    axes.set_title(f"{title}: {share:.0%} of the variance")
    axes.tick_params(length=0, labelleft=False, labelbottom=False)
    axes.spines[:].set_color(GRID)
    axes.margins(0.1, 0.14)
