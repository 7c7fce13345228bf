"""Build HTML from Python values, with everything escaped that is not HTML already."""

from html import escape
from pathlib import Path

__all__ = ["Markup", "join", "page", "tag"]

_ASSETS = Path(__file__).parent / "assets"
_VOID = {"meta", "br", "hr"}


class Markup(str):
    """Text that is HTML already and goes into a page as it is."""

    __slots__ = ()


def tag(name: str, /, *children: object, **attributes: object) -> Markup:
    """Return an element.

    Parameters
    ----------
    name
        Of the element.
    children
        Markup stays as it is, all else is escaped; None is left out.
    attributes
        ``class_`` and ``data_value`` become ``class`` and ``data-value``. None and False are left out, True is an
        attribute without a value.

    Examples
    --------
    >>> tag("td", "a < b", class_="number", hidden=True)
    '<td class="number" hidden>a &lt; b</td>'
    """
    written = "".join(
        f" {key.rstrip('_').replace('_', '-')}" + ("" if value is True else f'="{escape(str(value))}"')
        for key, value in attributes.items()
        if value is not None and value is not False
    )
    if name in _VOID:
        return Markup(f"<{name}{written}>")
    return Markup(f"<{name}{written}>{join(children)}</{name}>")


def join(children: object, separator: str = "") -> Markup:
    """Return children one after another, escaped where they are not markup."""
    parts = children if isinstance(children, (list, tuple)) else [children]
    return Markup(
        separator.join(part if isinstance(part, Markup) else escape(str(part)) for part in parts if part is not None)
    )


def page(title: str, body: Markup) -> str:
    """Return a whole page that needs no other file: style and script are inside."""
    # A browser enforces that nothing is fetched, so that opening a report never tells anybody.
    policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=policy),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("title", title),
        tag("style", _asset("report.css")),
    )
    return (
        "<!doctype html>\n" + tag("html", head, tag("body", body, tag("script", _asset("report.js"))), lang="en") + "\n"
    )


def _asset(name: str) -> Markup:
    return Markup((_ASSETS / name).read_text(encoding="utf-8"))
