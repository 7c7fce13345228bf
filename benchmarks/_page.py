"""Insert tables into pages of the documentation, between two comments."""

from collections.abc import Iterable, Sequence
from pathlib import Path

__all__ = ["DOCS", "markdown_table", "percent", "read_table", "replace_table"]

DOCS = Path(__file__).parent.parent / "docs"
_START, _END = "<!-- table of {} -->\n", "<!-- end of table -->\n"


def read_table(page: Path, name: str) -> str:
    """Return the text between ``<!-- table of name -->`` and ``<!-- end of table -->``."""
    return page.read_text(encoding="utf-8").partition(_START.format(name))[2].partition(_END)[0]


def replace_table(page: Path, name: str, text: str) -> None:
    """Replace the text between ``<!-- table of name -->`` and ``<!-- end of table -->``."""
    start = _START.format(name)
    before, found, rest = page.read_text(encoding="utf-8").partition(start)
    if not found or _END not in rest:
        raise ValueError(f"{page} has no place for the table of {name}")
    page.write_text(f"{before}{start}{text}{_END}{rest.partition(_END)[2]}", encoding="utf-8")


def markdown_table(header: Sequence[str], rows: Iterable[Sequence[str]], *, left: int = 1) -> str:
    """Return a table whose first columns are aligned to the left and the others to the right."""
    line = "|" + "---|" * left + "---:|" * (len(header) - left)
    return "\n".join([f"| {' | '.join(header)} |", line, *(f"| {' | '.join(row)} |" for row in rows)]) + "\n"


def percent(value: float | None, ends: Sequence[float] | None = None, *, sign: bool = False) -> str:
    """Return a share in percent with its interval; a dash if it was not measured."""
    if value is None:
        return "–"
    form = "+.1f" if sign else ".1f"
    interval = "" if ends is None else f" [{100 * ends[0]:{form}}, {100 * ends[1]:{form}}]"
    return f"{100 * value:{form}}{interval}"
