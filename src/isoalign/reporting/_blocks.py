"""Building blocks of a report: sections, sortable tables, and figures with captions."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from isoalign.reporting._figures import to_inline_svg
from isoalign.reporting._formats import format_difference, format_interval
from isoalign.reporting._html import Markup, join, tag
from isoalign.reporting._scores import Score
from isoalign.reporting._tables import ScoreTable

__all__ = ["Section", "bullets", "figure", "folded", "plain_table", "score_table", "sections_to_html", "side_by_side"]

_LONG = 30


@dataclass(frozen=True)
class Section:
    """A section of a report.

    Attributes
    ----------
    name, title
        Anchor and heading.
    blocks
        Text, or markup from the functions of this module.
    """

    name: str
    title: str
    blocks: tuple[Markup | str, ...]


def sections_to_html(sections: Iterable[Section]) -> Markup:
    """Return the sections, preceded by a list of links to them."""
    sections = list(sections)
    links = [tag("li", tag("a", section.title, href=f"#{section.name}")) for section in sections]
    parts = [tag("section", *_split(section), id=section.name) for section in sections]
    return join([tag("nav", tag("ul", *links)), *parts])


def _split(section: Section) -> list[Markup]:
    """Return the text and the figures or tables of a section, which a wide page shows side by side."""
    texts = [tag("p", block) for block in section.blocks if block and not isinstance(block, Markup)]
    shown = [block for block in section.blocks if isinstance(block, Markup)]
    return [tag("div", tag("h2", section.title), *texts, class_="about"), tag("div", *shown, class_="shown")]


def figure(drawn: Any, *, name: str, alt: str, how: str) -> Markup:
    """Embed a figure, with a caption that explains how to read it.

    Several figures are panels of one: side by side if there is room, else below each other.
    """
    panels = drawn if isinstance(drawn, list) else [drawn]
    single = len(panels) == 1
    drawings = [
        _embed(panel, name=name if single else f"{name}-{place}", alt=alt if single else f"{alt} ({place})")
        for place, panel in enumerate(panels, 1)
    ]
    return tag("figure", tag("div", *drawings, class_="scroll" if single else "panels"), tag("figcaption", how))


def _embed(drawn: Any, *, name: str, alt: str) -> Markup:
    accessible = tag("svg", role="img", aria_label=alt).removesuffix("></svg>")
    return Markup(to_inline_svg(drawn, name=name).replace("<svg", accessible, 1))


def side_by_side(*blocks: Markup) -> Markup:
    """Return blocks side by side if there is room, else below each other."""
    return tag("div", *blocks, class_="panels")


def folded(summary: str, block: Markup) -> Markup:
    """Return a block that is collapsed until its summary is clicked."""
    return tag("details", tag("summary", summary), block)


def bullets(items: Iterable[object]) -> Markup:
    """Return a bulleted list."""
    return tag("ul", *(tag("li", item) for item in items))


def score_table(table: ScoreTable) -> Markup:
    """Return a sortable table of scores with their intervals, published values and differences."""
    groups = None
    if len(table.groups) > 1:
        spans = (tag("th", name, colspan=size, scope="colgroup") for name, size in table.groups)
        groups = tag("tr", tag("td"), *spans, class_="groups")
    header = tag("tr", _sortable(table.corner), *(_sortable(column, number=True) for column in table.columns))
    rows = [
        tag(
            "tr",
            tag("th", label, scope="row"),
            *(_score_cell(cell, best=table.is_best(number, column)) for column, cell in enumerate(cells)),
        )
        for number, (label, cells) in enumerate(table.rows)
    ]
    foot = tag("tfoot", rows.pop()) if table.average else None
    return _table(table.title, tag("thead", groups, header), rows, foot)


def plain_table(
    header: Sequence[str], rows: Iterable[Sequence[object]], *, title: str | None = None, numbers: Iterable[int] = ()
) -> Markup:
    """Return a sortable table; columns in ``numbers`` are right-aligned. A cell may already be a ``td`` element."""
    to_right = set(numbers)
    head = tag("tr", *(_sortable(name, number=column in to_right) for column, name in enumerate(header)))
    body = [
        tag("tr", *(_plain_cell(cell, number=column in to_right) for column, cell in enumerate(row))) for row in rows
    ]
    table = _table(title, tag("thead", head), body, None)
    return table if len(body) <= _LONG else folded(f"All {len(body)} rows", table)


def _table(title: str | None, head: Markup, rows: list[Markup], foot: Markup | None) -> Markup:
    caption = None if title is None else tag("caption", title)
    return tag("div", tag("table", caption, head, tag("tbody", *rows), foot), class_="scroll")


def _sortable(name: str, *, number: bool = False) -> Markup:
    if not name:
        return tag("td")
    return tag("th", tag("button", name, type="button"), scope="col", class_="number" if number else None)


def _plain_cell(cell: object, *, number: bool) -> Markup:
    if isinstance(cell, Markup) and cell.startswith("<td"):
        return cell
    return tag("td", cell, class_="number", data_value=_sort_key(cell)) if number else tag("td", cell)


def _sort_key(cell: object) -> str:
    """Return the number at the start of a cell, for sorting; empty if there is none, which sorts below all numbers."""
    first = str(cell).replace("−", "-").split(" ")[0].rstrip("%").replace(",", "")
    try:
        return f"{float(first):.10g}"
    except ValueError:
        return ""


def _published_lines(score: Score) -> list[str]:
    """Return the published value and the difference from it, and the label of the compared score if it differs."""
    if score.published is None:
        return []
    dagger = "" if score.published.table1 is None else "†"
    *label, difference = format_difference(score).split(", ")
    return [f"paper {score.published.value:.1f}{dagger}, {difference}", *label]


def _score_cell(score: Score | None, *, best: bool) -> Markup:
    if score is None:
        return tag("td", "–", class_="number", data_value="")
    value = f"{score.value:.1f}"
    interval = format_interval(score)
    return tag(
        "td",
        tag("b" if best else "span", value),
        tag("small", interval) if interval else None,
        *(tag("small", line) for line in _published_lines(score)),
        class_="number",
        data_value=f"{score.value:.4f}",
    )
