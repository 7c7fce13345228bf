"""Show results: small HTML tables, sparklines and data frames in notebooks, times in text."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any, ClassVar

from isoalign._core.optional import import_extra

__all__ = ["Tabular", "format_time", "html_table", "sparkline"]

_WIDTH, _HEIGHT = 96, 20
_MOST_ROWS = 20


class _Html(str):
    """Text that is HTML already."""

    __slots__ = ()


def html_table(rows: Iterable[Sequence[object]], *, header: Sequence[str] = (), caption: str = "") -> str:
    """Return a table for a notebook; every cell except sparklines is escaped.

    >>> html_table([["a<b", 0.25]], header=["what", "score"])
    '<table><tr><th>what</th><th>score</th></tr><tr><td>a&lt;b</td><td>0.25</td></tr></table>'
    """
    title = f"<caption>{escape(caption)}</caption>" if caption else ""
    lines = [_line("th", header)] if header else []
    return f"<table>{title}{''.join([*lines, *(_line('td', row) for row in rows)])}</table>"


def _line(tag: str, cells: Sequence[object]) -> str:
    return f"<tr>{''.join(f'<{tag}>{_cell(cell)}</{tag}>' for cell in cells)}</tr>"


def _cell(value: object) -> str:
    if isinstance(value, _Html):
        return value
    return escape("–" if value is None else f"{value:.4g}" if isinstance(value, float) else str(value))


def sparkline(values: Sequence[float]) -> str:
    """Draw numbers as a small inline line chart, with a description for screen readers."""
    low, high = min(values), max(values)
    step, scale = _WIDTH / max(len(values) - 1, 1), _HEIGHT / ((high - low) or 1)
    points = " ".join(f"{step * place:.1f},{_HEIGHT - scale * (y - low):.1f}" for place, y in enumerate(values))
    about = f"from {values[0]:.3g} to {values[-1]:.3g} in {len(values)} values"
    return _Html(
        f'<svg role="img" aria-label="{about}" width="{_WIDTH}" height="{_HEIGHT + 2}" viewBox="-1 -1 {_WIDTH + 2} '
        f'{_HEIGHT + 2}"><title>{about}</title><polyline fill="none" stroke="currentColor" points="{points}"/></svg>'
    )


def format_time(seconds: float) -> str:
    """Return a time in the unit that suits it.

    >>> format_time(0.2), format_time(75), format_time(1500), format_time(90_000)
    ('<1 s', '75 s', '25 min', '25.0 h')
    """
    if seconds < 1:
        return "<1 s"
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:,.1f} h"


class Tabular(ABC):
    """Mixin for tabular results: notebooks show a table, and pandas can read it."""

    columns: ClassVar[tuple[str, ...]] = ()
    """Names of the columns, for results that may have no rows."""

    @abstractmethod
    def to_records(self) -> list[dict[str, Any]]:
        """Return the rows as dictionaries by column."""

    def to_dataframe(self) -> Any:
        """Return the rows as a pandas ``DataFrame``."""
        return import_extra("pandas", extra="pandas").DataFrame(self.to_records(), columns=self.columns or None)

    def _repr_html_(self) -> str:
        records = self.to_records()
        caption = f"the first {_MOST_ROWS} of {len(records):,} rows" if len(records) > _MOST_ROWS else ""
        header = list(records[0]) if records else self.columns
        return html_table([tuple(record.values()) for record in records[:_MOST_ROWS]], header=header, caption=caption)
