"""Write matplotlib's figures to files, and into HTML pages."""

import io
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from isoalign._optional import import_extra
from isoalign._types import PathName
from isoalign._validate import check_choice
from isoalign.io._atomic import check_place, replacing_file
from isoalign.reporting._fonts import find_font_families
from isoalign.reporting._style import GRID, INK, PAPER, SERIES, STYLE

__all__ = ["check_figure", "save_figure", "to_inline_svg"]

_SUFFIXES = (".svg", ".pdf", ".png")
_PAGE_COLORS = {
    INK: "currentColor",
    GRID: "var(--grid)",
    PAPER: "var(--paper)",
    **{color: f"var(--series-{number})" for number, color in enumerate(SERIES)},
}


def check_figure(path: PathName, *, overwrite: bool = True) -> str:
    """Return the suffix if a figure can be written to ``path``, so that nobody waits for an error."""
    import_extra("matplotlib", extra="plot")
    suffix = check_choice(Path(path).suffix.lower(), _SUFFIXES, name="The suffix of a figure")
    check_place(path, overwrite=overwrite)
    return suffix


def save_figure(figure: Any, path: PathName, *, overwrite: bool = True) -> None:
    """Write a figure; the suffix chooses the format, and the same figure gives the same bytes."""
    suffix = check_figure(path, overwrite=overwrite)
    fonts = STYLE["font.sans-serif"]
    if suffix != ".svg":
        fonts = find_font_families(figure, base=fonts[0], name=str(path))
    without_date = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(suffix)
    with _drawing(fonts), replacing_file(path, overwrite=overwrite) as temporary:
        figure.savefig(temporary, format=suffix[1:], dpi=150, metadata=without_date)


def to_inline_svg(figure: Any, *, name: str) -> str:
    """Return a figure as an ``<svg>`` element for a page that defines its colours and fonts.

    Text and lines take the colours of the page, so that one figure serves light and dark; ids get the figure's name
    before them, so that several figures can stand in one page.
    """
    out = io.StringIO()
    with _drawing(STYLE["font.sans-serif"]):
        figure.savefig(out, format="svg", transparent=True, metadata={"Date": None})
    svg = out.getvalue()
    svg = re.sub(r"\s*<metadata>.*?</metadata>", "", svg[svg.index("<svg") :], flags=re.DOTALL)
    svg = re.sub(r'\bid="', f'id="{name}-', svg)
    svg = re.sub(r'(href="#|url\(#)', rf"\g<1>{name}-", svg)
    for color, variable in _PAGE_COLORS.items():
        svg = svg.replace(color, variable)
    svg = re.sub(r"'DejaVu Sans'(, sans-serif)?", "var(--sans)", svg)
    # The page scales a figure by its viewBox; a height in points would stand in the way.
    return re.sub(r'(<svg\b[^>]*?) height="[^"]*"', r"\1", svg, count=1)


@contextmanager
def _drawing(fonts: list[str]) -> Iterator[None]:
    matplotlib = import_extra("matplotlib", extra="plot")
    with matplotlib.rc_context({**STYLE, "font.sans-serif": fonts}), warnings.catch_warnings():
        # Only an SVG gets this far with letters that our font lacks, and there the browser has them.
        warnings.filterwarnings("ignore", message=r"Glyph \d+ .* missing from")
        yield
