"""Format tables of scores as Markdown, LaTeX and CSV."""

import csv
import io
import re
from collections.abc import Callable

from isoalign._core.validate import check_choice
from isoalign.reporting._scores import Score
from isoalign.reporting._tables import ScoreTable

__all__ = ["TABLE_FORMATS", "format_difference", "format_interval", "format_table"]

_LATEX = str.maketrans(
    {character: f"\\{character}" for character in "&%_#${}"}
    | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    | {"–": "--", "×": r"$\times$"}
)
_MARKDOWN = str.maketrans(
    {character: f"\\{character}" for character in "\\`*[]|"} | {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
)
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]+")


def format_interval(score: Score) -> str:
    """Return an interval such as ``[54.1, 60.2]``, or an empty string."""
    return "" if score.ci95 is None else f"[{score.ci95[0]:.1f}, {score.ci95[1]:.1f}]"


def format_difference(score: Score) -> str:
    """Return the signed difference from the published value, or ""; label a score selected on test words."""
    if score.difference is None:
        return ""
    label = "" if score.best_on_test is None else f"best on test {score.best_on_test:.1f}, "
    return f"{label}{round(score.difference, 1) + 0.0:+.1f}".replace("-", "−")


def format_table(table: ScoreTable, name: str) -> str:
    """Format a table in one of `TABLE_FORMATS`."""
    return TABLE_FORMATS[check_choice(name, TABLE_FORMATS, name="The format of a table")](table)


def _to_markdown(table: ScoreTable) -> str:
    groups = [name for name, size in table.groups for _ in range(size)]
    header = [_md(table.corner), *(_md(f"{g} {c}".strip()) for g, c in zip(groups, table.columns, strict=True))]
    lines = [
        f"**{_md(table.title)}**",
        "",
        _markdown_row(header),
        _markdown_row(["---", *["---:"] * len(table.columns)]),
    ]
    for number, (label, cells) in enumerate(table.rows):
        texts = [_markdown_cell(cell, table.is_best(number, column)) for column, cell in enumerate(cells)]
        lines.append(_markdown_row([_md(label), *texts]))
    return "\n".join(lines) + "\n"


def _markdown_row(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _md(text: str) -> str:
    """Escape untrusted names for Markdown."""
    return _CONTROLS.sub(" ", text).translate(_MARKDOWN)


def _markdown_cell(score: Score | None, best: bool) -> str:
    if score is None:
        return "–"
    value = f"{score.value:.1f}"
    paper = "" if score.published is None else f"paper {score.published}: {format_difference(score)}"
    return "<br>".join(part for part in (f"**{value}**" if best else value, format_interval(score), paper) if part)


def _to_latex(table: ScoreTable) -> str:
    r"""Format scores above intervals above published values; needs ``\usepackage{booktabs}``."""
    lines = [r"\begin{tabular}{l" + "r" * len(table.columns) + "}", r"\toprule"]
    if len(table.groups) > 1:
        lines.append(
            "".join(rf" & \multicolumn{{{size}}}{{c}}{{{_tex(name)}}}" for name, size in table.groups) + r" \\"
        )
        start = 2
        for _, size in table.groups:
            lines.append(rf"\cmidrule(lr){{{start}-{start + size - 1}}}")
            start += size
    lines += [" & ".join(map(_tex, (table.corner, *table.columns))) + r" \\", r"\midrule"]
    for number, (label, cells) in enumerate(table.rows):
        if table.average and number == len(table.rows) - 1:
            lines.append(r"\midrule")
        values = [_latex_value(cell, table.is_best(number, column)) for column, cell in enumerate(cells)]
        lines.append(" & ".join([_tex(label), *values]) + r" \\")
        lines += _latex_details("", cells, format_interval)
        lines += _latex_details("paper", cells, lambda score: f"{score.published}" if score.published else "")
        lines += _latex_details("difference", cells, format_difference)
    return "\n".join([f"% {_CONTROLS.sub(' ', table.title)}", *lines, r"\bottomrule", r"\end{tabular}"]) + "\n"


def _latex_value(score: Score | None, best: bool) -> str:
    if score is None:
        return "--"
    return rf"\textbf{{{score.value:.1f}}}" if best else f"{score.value:.1f}"


def _latex_details(label: str, cells: tuple[Score | None, ...], write: Callable[[Score], str]) -> list[str]:
    texts = ["" if cell is None else write(cell) for cell in cells]
    if not any(texts):
        return []
    small = [rf"{{\scriptsize {_tex(text)}}}" if text else "" for text in (label, *texts)]
    return [" & ".join(small) + r" \\"]


def _tex(text: str) -> str:
    return _CONTROLS.sub(" ", text).translate(_LATEX).replace("−", "$-$")


def _to_csv(table: ScoreTable) -> str:
    """Format one line per cell, with one value per column."""
    groups = [name for name, size in table.groups for _ in range(size)]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    names = ("value", "low", "high", "n", "published", "published_table1", "best_on_test", "difference")
    writer.writerow([table.corner, "group", "normalization", *names])
    for label, cells in table.rows:
        for group, column, score in zip(groups, table.columns, cells, strict=True):
            if score is not None:
                low, high = score.ci95 or (None, None)
                printed = (None, None) if score.published is None else (score.published.value, score.published.table1)
                values = [score.value, low, high, score.n, *printed, score.best_on_test, score.difference]
                texts = [f"{value:.2f}" if isinstance(value, float) else value for value in values]
                writer.writerow([label, group, column, *texts])
    return out.getvalue()


TABLE_FORMATS: dict[str, Callable[[ScoreTable], str]] = {
    "markdown": _to_markdown,
    "latex": _to_latex,
    "csv": _to_csv,
}
