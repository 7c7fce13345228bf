"""Style of figures, with colours that are distinguishable to colour-blind readers and replaceable in dark mode."""

import re
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from isoalign._core.optional import import_extra

__all__ = [
    "GRID",
    "INK",
    "MARKERS",
    "PAPER",
    "SERIES",
    "STYLE",
    "label_powers",
    "new_figure",
    "show_name",
    "style_of",
    "styled",
]

P = ParamSpec("P")
R = TypeVar("R")

INK, GRID, PAPER = "#1b1e24", "#d9dce1", "#ffffff"
SERIES = ("#737a85", "#0072b2", "#d55e00", "#009e73", "#9a4f96")
"""Colours after Okabe and Ito (2008), with grey for the baseline."""
MARKERS = "osD^v"
"""Every colour has a marker, so figures remain readable in black and white."""

_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_LONGEST = 40  # letters of a name; longer ones would leave no room for the axes
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")

STYLE: dict[str, Any] = {
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],  # ships with matplotlib, so the layout is the same on every machine
    "font.size": 9,
    "text.color": INK,
    "text.parse_math": False,  # a word with two dollar signs is not a formula
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
    "svg.fonttype": "none",  # keep text as text, which can be searched and selected
    "svg.hashsalt": "isoalign",
    "pdf.fonttype": 42,
}


def styled(draw: Callable[P, R]) -> Callable[P, R]:
    """Decorate a plotting function to use this style without changing matplotlib's global settings."""

    @wraps(draw)
    def draw_styled(*args: P.args, **kwargs: P.kwargs) -> R:
        with import_extra("matplotlib", extra="plot").rc_context(STYLE):
            return draw(*args, **kwargs)

    return draw_styled


def new_figure(width: float, height: float, *, constrained: bool = True) -> Any:
    """Return an empty ``matplotlib.figure.Figure`` of the given size in inches, not shown."""
    figure = import_extra("matplotlib.figure", extra="plot").Figure
    return figure(figsize=(width, height), layout="constrained" if constrained else None)


def label_powers(axis: Any) -> None:
    """Label the ticks of a logarithmic axis in plain text, 0.01 or 10⁻⁶: matplotlib's own labels are formulas."""
    ticker = import_extra("matplotlib.ticker", extra="plot")
    axis.set_major_formatter(ticker.FuncFormatter(_show_power))
    axis.set_minor_formatter(ticker.NullFormatter())


def _show_power(value: float, _place: int) -> str:
    exponent = f"{value:e}".partition("e")[2]
    if -3 <= int(exponent) <= 3:
        return f"{value:,g}"
    return "10" + str(int(exponent)).translate(_SUPERSCRIPTS)


def show_name(text: str) -> str:
    """Return a word or a name as a figure shows it: in one line, not too long, without control characters."""
    text = _CONTROLS.sub("\N{REPLACEMENT CHARACTER}", text)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def style_of(normalize: str) -> tuple[str, str]:
    """Return the colour and marker of a normalisation, which are the same in all figures."""
    place = {"none": 0, "center_length": 1, "iternorm": 2}.get(normalize, 3 + sum(map(ord, normalize)) % 2)
    return SERIES[place], MARKERS[place]
