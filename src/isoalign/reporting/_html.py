"""Build HTML from Python values; everything that is not already markup is escaped."""

from html import escape
from pathlib import Path

__all__ = ["Markup", "join", "page", "tag"]

_ASSETS = Path(__file__).parent / "assets"
_VOID = {"meta", "br", "hr"}


class Markup(str):
    """Text that is HTML and is not escaped."""

    __slots__ = ()


def tag(name: str, /, *children: object, **attributes: object) -> Markup:
    """Return an element.

    Parameters
    ----------
    name
        Name of the element.
    children
        Contents. Markup is inserted unchanged, everything else is escaped, None is ignored.
    attributes
        Attributes; ``class_`` and ``data_value`` become ``class`` and ``data-value``. None and False are ignored, True
        gives an attribute without a value.

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
    """Concatenate children, escaping those that are not markup."""
    parts = children if isinstance(children, (list, tuple)) else [children]
    return Markup(
        separator.join(part if isinstance(part, Markup) else escape(str(part)) for part in parts if part is not None)
    )


def page(title: str, body: Markup) -> str:
    """Return a complete page with embedded style and script."""
    # The browser blocks all requests, so opening a report discloses nothing.
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
