"""Nearest neighbours of a word before and after normalisation (Figure 1 of the paper)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from isoalign._core.validate import check_count
from isoalign.lexicon import Lexicon
from isoalign.normalization import normalize
from isoalign.reporting._fonts import display_width
from isoalign.reporting._names import name_normalization
from isoalign.reporting._style import INK, new_figure, show_name, style_of, styled
from isoalign.translation import Translation, most_similar
from isoalign.vectors import as_embeddings

__all__ = ["Neighborhood", "find_glosses", "find_neighborhoods", "plot_neighborhood_panels", "plot_neighborhoods"]

_TITLES = {"none": "as published", "iternorm": "normalised"}


@dataclass(frozen=True)
class Neighborhood:
    """The nearest words of a word in its own language.

    Attributes
    ----------
    word, lang
        The word and its language.
    normalize
        Normalisation of the vectors.
    neighbors
        Neighbours by cosine, nearest first.
    """

    word: str
    lang: str | None
    normalize: str
    neighbors: tuple[Translation, ...]


def find_neighborhoods(
    embeddings: Any, word: str, *, methods: Sequence[str] = ("none", "iternorm"), k: int = 8
) -> list[Neighborhood]:
    """Find the k nearest neighbours of a word by cosine after each of several normalisations."""
    embeddings = as_embeddings(embeddings, name="embeddings")
    k = check_count(k, name="k")
    found = []
    for method in methods:
        near = most_similar(normalize(embeddings, method), [word], k=k)[0]
        found.append(Neighborhood(word, embeddings.lang, method, tuple(near)))
    return found


def find_glosses(words: Sequence[Sequence[Neighborhood]], *lexicons: Lexicon) -> dict[str, str]:
    """Return a source word for every word of the neighbourhoods that is a target word of a dictionary."""
    known = {target: sources[0] for lexicon in lexicons for target, sources in lexicon.inverse().translations.items()}
    shown = [word for row in words for hood in row for word in (hood.word, *(near.word for near in hood.neighbors))]
    return {word: known[word] for word in shown if word in known}


@styled
def plot_neighborhoods(words: Sequence[Sequence[Neighborhood]], *, glosses: Mapping[str, str] | None = None) -> Any:
    """Plot neighbourhoods as bars of cosines: one row per word, one panel per normalisation.

    Parameters
    ----------
    words
        Result of `find_neighborhoods` for every word. Neighbours that are not in the first panel are marked.
    glosses
        Translations to print after the words.

    Returns
    -------
    figure
        A ``matplotlib.figure.Figure``, not shown.
    """
    frame = _Frame(words, glosses or {})
    columns = max(map(len, words))
    width, height = max(6.6, columns * (frame.margin + 1.9)), len(words) * (0.55 + 0.21 * frame.bars) + 0.3
    # Margins are computed from the words: matplotlib cannot measure letters that its font lacks.
    figure = new_figure(width, height, constrained=False)
    rows = figure.subplots(
        len(words),
        columns,
        squeeze=False,
        gridspec_kw={
            "left": frame.margin / width,
            "right": 0.99,
            "top": 1 - 0.3 / height,
            "bottom": 0.35 / height,
            "wspace": (frame.margin + 0.15) / ((width - columns * frame.margin) / columns),
            "hspace": 0.5 / (0.21 * frame.bars),
        },
    )
    for panels, row in zip(rows, words, strict=True):
        for axes, hood in zip(panels, row, strict=True):
            frame.draw(axes, hood, before=row[0])
    return figure


@styled
def plot_neighborhood_panels(
    words: Sequence[Sequence[Neighborhood]], *, glosses: Mapping[str, str] | None = None
) -> list[Any]:
    """Return the panels of `plot_neighborhoods` as separate figures, all with the same axes."""
    frame, figures = _Frame(words, glosses or {}), []
    for row in words:
        for hood in row:
            width, height = frame.margin + 2.6, 0.35 + 0.21 * frame.bars
            figure = new_figure(width, height, constrained=False)
            edges = {"left": frame.margin / width, "right": 0.99, "top": 1 - 0.27 / height, "bottom": 0.02}
            frame.draw(figure.subplots(gridspec_kw=edges), hood, before=row[0])
            figures.append(figure)
    return figures


class _Frame:
    """What the panels of one figure share: the margin for the words, the number of bars, and the scale."""

    def __init__(self, words: Sequence[Sequence[Neighborhood]], glosses: Mapping[str, str]) -> None:
        hoods = [hood for row in words for hood in row]
        self.glosses = glosses
        labels = [_label(near.word, glosses) for hood in hoods for near in hood.neighbors]
        self.margin = max(map(display_width, labels)) * 8.5 / 72 + 0.12
        self.bars = max(len(hood.neighbors) for hood in hoods)
        self.longest = max(near.score for hood in hoods for near in hood.neighbors)

    def draw(self, axes: Any, hood: Neighborhood, *, before: Neighborhood) -> None:
        """Draw one panel, and mark the words that are not neighbours ``before``."""
        known = {near.word for near in before.neighbors}
        color, _ = style_of(hood.normalize)
        scores = [near.score for near in hood.neighbors]
        places = range(len(scores))
        axes.barh(places, scores, color=color, height=0.66)
        for place, near in zip(places, hood.neighbors, strict=True):
            new = "" if near.word in known else "  new"
            axes.text(near.score + 0.012, place, f"{near.score:.2f}{new}", va="center", fontsize=7.5, color=INK)
        axes.set_yticks(places, [_label(near.word, self.glosses) for near in hood.neighbors], fontsize=8.5)
        axes.set_ylim(self.bars - 0.5, -0.6)
        axes.set_xlim(0, self.longest * 1.28)
        axes.set_xticks([])
        axes.grid(visible=False)
        axes.spines["bottom"].set_visible(False)
        axes.tick_params(length=0)
        title = (
            f"{_label(hood.word, self.glosses)}, {_TITLES.get(hood.normalize) or name_normalization(hood.normalize)}"
        )
        axes.set_title(show_name(title), fontsize=9.5)


def _label(word: str, glosses: Mapping[str, str]) -> str:
    return show_name(f"{word} ({glosses[word]})" if word in glosses else word)
