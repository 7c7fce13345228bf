"""How figures look: colours that colour-blind readers can tell apart and that a dark page can replace."""

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from isoalign._optional import import_extra

__all__ = ["GRID", "INK", "MARKERS", "PAPER", "SERIES", "STYLE", "new_figure", "style_of", "styled"]

P = ParamSpec("P")
R = TypeVar("R")

INK, GRID, PAPER = "#1b1e24", "#d9dce1", "#ffffff"
SERIES = ("#737a85", "#0072b2", "#d55e00", "#009e73", "#9a4f96")
"""After Okabe and Ito (2008), with a grey for what others are compared with."""
MARKERS = "osD^v"
"""With every colour goes a shape, so that a figure also survives a black-and-white printer."""

STYLE: dict[str, Any] = {
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],  # comes with matplotlib, so that a figure is laid out the same everywhere
    "font.size": 9,
    "text.color": INK,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.titlecolor": INK,
    "axes.titlesize": 10,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.linewidth": 0.7,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.grid": True,
    "grid.color": GRID,
    "grid.linewidth": 0.7,
    "xtick.color": INK,
    "ytick.color": INK,
    "legend.frameon": False,
    "legend.fontsize": 8.5,
    "svg.fonttype": "none",  # text stays text: the browser finds the glyphs, readers can search and select
    "svg.hashsalt": "isoalign",
    "pdf.fonttype": 42,
}


def styled(draw: Callable[P, R]) -> Callable[P, R]:
    """Let a function draw in this style, and change matplotlib's settings for nobody else."""

    @wraps(draw)
    def draw_styled(*args: P.args, **kwargs: P.kwargs) -> R:
        with import_extra("matplotlib", extra="plot").rc_context(STYLE):
            return draw(*args, **kwargs)

    return draw_styled


def new_figure(width: float, height: float, *, constrained: bool = True) -> Any:
    """Return an empty ``matplotlib.figure.Figure`` of so many inches, not shown anywhere."""
    figure = import_extra("matplotlib.figure", extra="plot").Figure
    return figure(figsize=(width, height), layout="constrained" if constrained else None)


def style_of(normalize: str) -> tuple[str, str]:
    """Return colour and marker of a normalisation, the same in every figure."""
    place = {"none": 0, "center_length": 1, "iternorm": 2}.get(normalize, 3 + sum(map(ord, normalize)) % 2)
    return SERIES[place], MARKERS[place]
