"""Plot the distribution of k-occurrences; a long right tail indicates hubs."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from isoalign._core.types import IntVector
from isoalign.reporting._names import name_normalization
from isoalign.reporting._style import label_powers, new_figure, show_name, style_of, styled

__all__ = ["plot_hubness"]


@styled
def plot_hubness(counts: Mapping[str, IntVector]) -> Any:
    """Plot the histogram of k-occurrences, one line per normalisation.

    Parameters
    ----------
    counts
        `count_occurrences` of all target words, by normalisation.

    Returns
    -------
    figure
        A ``matplotlib.figure.Figure``, not shown.
    """
    largest = max(int(found.max()) for found in counts.values())
    edges = np.unique(np.concatenate([[0, 1], np.geomspace(2, max(largest + 1, 3), 18).round()]))
    figure = new_figure(5.2, 3.2)
    axes = figure.subplots()
    for name, found in counts.items():
        color, _ = style_of(name)
        shares = np.histogram(found, edges)[0] / len(found)
        label = f"largest hub {found.max()}, never a neighbour {(found == 0).mean():.0%}"
        label = f"{show_name(name_normalization(name))}: {label}"
        axes.stairs(100 * shares, np.maximum(edges, 0.5), color=color, linewidth=1.8, label=label)
    axes.set_xscale("log")
    axes.set_xticks([0.7, 1.4, 10, 100, 1000], ["0", "1", "10", "100", "1,000"])
    axes.minorticks_off()
    axes.set_xlim(0.5, edges[-1] * 1.1)
    axes.set_yscale("log")
    label_powers(axes.yaxis)
    axes.set_xlabel("source words with this word among their 10 nearest")
    axes.set_ylabel("target words in per cent")
    figure.legend(loc="outside upper left")
    return figure
