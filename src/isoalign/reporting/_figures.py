"""Write matplotlib figures to files and embed them in HTML pages."""

import io
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from isoalign._core.optional import import_extra
from isoalign._core.types import PathName
from isoalign._core.validate import check_choice
from isoalign.io import check_place, replacing_file
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
    """Return the suffix if a figure can be written to ``path``; call this before a long computation."""
    import_extra("matplotlib", extra="plot")
    suffix = check_choice(Path(path).suffix.lower(), _SUFFIXES, name="The suffix of a figure")
    check_place(path, overwrite=overwrite)
    return suffix


def save_figure(figure: Any, path: PathName, *, overwrite: bool = True) -> None:
    """Write a figure; the suffix determines the format, and equal figures give equal bytes."""
    suffix = check_figure(path, overwrite=overwrite)
    without_date = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(suffix)
    drawing = _leaving_glyphs_to_the_browser() if suffix == ".svg" else _with_glyphs(figure, name=str(path))
    with drawing, replacing_file(path, overwrite=overwrite) as temporary:
        figure.savefig(temporary, format=suffix[1:], dpi=150, metadata=without_date)


def to_inline_svg(figure: Any, *, name: str) -> str:
    """Return a figure as an ``<svg>`` element for a page that defines its colours and fonts.

    Text and lines use the colours of the page, so the figure works in light and dark mode. Ids are prefixed with the
    name of the figure, so one page can contain several figures.
    """
    out = io.StringIO()
    with _leaving_glyphs_to_the_browser():
        figure.savefig(out, format="svg", transparent=True, metadata={"Date": None})
    svg = out.getvalue()
    svg = re.sub(r"\s*<metadata>.*?</metadata>", "", svg[svg.index("<svg") :], flags=re.DOTALL)
    svg = re.sub(r'\bid="', f'id="{name}-', svg)
    svg = re.sub(r'(href="#|url\(#)', rf"\g<1>{name}-", svg)
    for color, variable in _PAGE_COLORS.items():
        svg = svg.replace(color, variable)
    svg = re.sub(r"'DejaVu Sans'(, sans-serif)?", "var(--sans)", svg)
    # The page scales a figure by its viewBox, which a fixed height would prevent.
    return re.sub(r'(<svg\b[^>]*?) height="[^"]*"', r"\1", svg, count=1)


@contextmanager
def _leaving_glyphs_to_the_browser() -> Iterator[None]:
    matplotlib = import_extra("matplotlib", extra="plot")
    with matplotlib.rc_context(STYLE), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=r"Glyph \d+ .* missing from")
        yield


@contextmanager
def _with_glyphs(figure: Any, *, name: str) -> Iterator[None]:
    """Set fallback fonts by name on all text of a figure; of a generic family, matplotlib uses only the first font."""
    matplotlib = import_extra("matplotlib", extra="plot")
    families = find_font_families(figure, base=STYLE["font.sans-serif"][0], name=name)
    texts = figure.findobj(import_extra("matplotlib.text", extra="plot").Text)
    before = [text.get_fontfamily() for text in texts]
    for text in texts:
        text.set_fontfamily(families)
    try:
        with matplotlib.rc_context({**STYLE, "font.family": families}):
            yield
    finally:
        for text, family in zip(texts, before, strict=True):
            text.set_fontfamily(family)
