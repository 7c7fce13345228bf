"""Find fonts for the scripts in a figure. Bitmaps need them; for SVG, the browser chooses fonts."""

import unicodedata
from contextlib import suppress
from functools import cache
from typing import Any

from isoalign._core.optional import import_extra
from isoalign.errors import ParameterError

__all__ = ["display_width", "find_font_families"]

_PREFERRED = (
    "Noto Sans CJK JP",
    "Noto Sans",
    "Noto Sans Devanagari",
    "Noto Sans Tamil",
    "Noto Sans Thai",
    "Hiragino Sans",
    "PingFang SC",
    "Yu Gothic",
    "Microsoft YaHei",
    "Malgun Gothic",
    "Arial Unicode MS",
)


def display_width(text: str) -> float:
    """Return the approximate width of a text in ems: 1 for wide characters, 0.6 for others."""
    return sum(
        0.0 if unicodedata.combining(letter) else 1.0 if unicodedata.east_asian_width(letter) in "WF" else 0.6
        for letter in text
    )


def find_font_families(figure: Any, *, base: str, name: str) -> list[str]:
    """Return font families that together contain every character of a figure, beginning with ``base``.

    Raises
    ------
    ParameterError
        If no installed font has a character, or if a script needs shaping that matplotlib does not support.
    """
    text_type = import_extra("matplotlib.text", extra="plot").Text
    letters = {letter for text in figure.findobj(text_type) for letter in text.get_text() if letter.isprintable()}
    from_right = sorted(letter for letter in letters if unicodedata.bidirectional(letter) in ("R", "AL"))
    if from_right:
        raise ParameterError(
            f"{name}: matplotlib draws {''.join(from_right[:8])!r} neither joined nor from right to left. "
            "Write .svg, which browsers display correctly."
        )
    manager = import_extra("matplotlib.font_manager", extra="plot")
    # If a letter is missing, fonts installed after matplotlib built its list are added, and the search starts over: a
    # letter should come from a font that covers its script, not from a symbol font that happens to contain it.
    for list_fonts in (_known, _new):
        families, missing = [base], letters - _letters_of(manager.findfont(base))
        for family, path in list_fonts(manager) if missing else []:
            if missing & _letters_of(path):
                families.append(family)
                missing -= _letters_of(path)
        if not missing:
            return families
    raise ParameterError(
        f"{name}: no installed font has {''.join(sorted(missing)[:8])!r}. "
        "Write .svg, for which the browser chooses fonts, or install a font such as Noto Sans CJK."
    )


def _known(manager: Any) -> list[tuple[str, str]]:
    """List upright fonts of normal weight by family, preferred families first."""
    fonts = {
        font.name: font.fname
        for font in manager.fontManager.ttflist
        if font.style == "normal"
        and font.weight in (400, "normal", "regular")
        and not font.name.startswith("Last Resort")  # contains every letter, but draws each as a box
    }
    order = {family: number for number, family in enumerate(_PREFERRED)}
    return sorted(fonts.items(), key=lambda font: (order.get(font[0], len(order)), font[0]))


def _new(manager: Any) -> list[tuple[str, str]]:
    """Register fonts that were installed after matplotlib built its list, and list all fonts."""
    listed = {font.fname for font in manager.fontManager.ttflist}
    for path in sorted(set(manager.findSystemFonts()) - listed):
        with suppress(RuntimeError, OSError):  # not a readable font
            manager.fontManager.addfont(path)
    return _known(manager)


@cache
def _letters_of(path: str) -> frozenset[str]:
    font = import_extra("matplotlib.ft2font", extra="plot").FT2Font(path)
    return frozenset(map(chr, font.get_charmap()))
