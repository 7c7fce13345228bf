"""Output of a command: results go to standard output, everything else to standard error."""

import json
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from isoalign.cli._terminal import escape_controls, write_text
from isoalign.cli._wording import name_options

if TYPE_CHECKING:
    from isoalign._core.progress import Progress

__all__ = ["Console"]


@dataclass(frozen=True)
class Console:
    """Output of one command.

    Attributes
    ----------
    json
        Whether results are printed as JSON.
    quiet
        Whether to suppress progress and notes.
    verbose
        How much of the log to show: 0, 1 or 2.
    options
        Options of the command by their Python names.
    withheld
        Warnings that were not shown because of ``quiet``; an error shows them, since they often explain it.
    """

    json: bool = False
    quiet: bool = False
    verbose: int = 0
    options: Mapping[str, str] = field(default_factory=dict)
    withheld: list[str] = field(default_factory=list)

    def result(self, kind: str, data: Mapping[str, Any] | Callable[[], Mapping[str, Any]], *, text: str) -> None:
        """Print a result: as JSON with its schema id if requested, else as text.

        A function that makes large data is called only for JSON.
        """
        if self.json:
            made = data() if callable(data) else data
            text = json.dumps({"schema": f"isoalign/{kind}/1", **made}, ensure_ascii=False, indent=1)
        write_text(sys.stdout, text.rstrip("\n") + "\n")

    def note(self, text: str) -> None:
        """Print a note that is not part of the result."""
        if not self.quiet:
            write_text(sys.stderr, name_options(text, self.options) + "\n")

    def warn(self, text: str) -> None:
        """Print a warning, or withhold it until an error."""
        if self.quiet:
            self.withheld.append(text)
        else:
            self.note(f"warning: {text}")

    def fail(self, message: str) -> None:
        """Print a one-line error message, after withheld warnings and the traceback if requested."""
        if self.verbose > 1:
            write_text(sys.stderr, traceback.format_exc())
        for text in self.withheld:
            write_text(sys.stderr, f"warning: {name_options(text, self.options)}\n")
        write_text(sys.stderr, f"error: {name_options(message, self.options)}\n")

    def table(self, rows: Iterable[Sequence[object]], *, header: Sequence[str] | None = None) -> str:
        """Format rows as a table; wide characters count double, numbers are right-aligned."""
        from rich.cells import cell_len

        body = [[_cell(value) for value in row] for row in rows]
        lines = [list(header), *body] if header else body
        if not lines:
            return ""
        widths = [max(cell_len(line[column]) for line in lines) for column in range(len(lines[0]))]
        right = [bool(body) and all(_is_number(row[column]) for row in body) for column in range(len(widths))]

        def lay_out(line: Sequence[str]) -> str:
            cells = []
            for text, width, to_right in zip(line, widths, right, strict=True):
                gap = " " * (width - cell_len(text))
                cells.append(gap + text if to_right else text + gap)
            return "  ".join(cells).rstrip()

        ruler = ["  ".join("─" * width for width in widths)] if header else []
        return "\n".join([*map(lay_out, lines[: len(lines) - len(body)]), *ruler, *map(lay_out, body)])

    @contextmanager
    def progress(self, *, in_bytes: bool = False) -> "Iterator[Progress]":
        """Yield a progress callback that draws bars while the block runs, on a terminal only.

        Parameters
        ----------
        in_bytes
            Whether the units are bytes of a transfer, to be shown as such with their speed.
        """
        from isoalign._core.progress import ignore_progress

        if self.quiet or not sys.stderr.isatty():
            yield ignore_progress
            return
        from rich.console import Console as RichConsole
        from rich.progress import (
            BarColumn,
            DownloadColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeElapsedColumn,
            TimeRemainingColumn,
            TransferSpeedColumn,
        )

        columns = (
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            *((DownloadColumn(), TransferSpeedColumn()) if in_bytes else (MofNCompleteColumn(),)),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
        )
        with Progress(*columns, console=RichConsole(stderr=True), transient=True) as bars:
            tasks: dict[str, Any] = {}

            def show(what: str, done: int, total: int | None) -> None:
                stage = what.partition(":")[0]
                if stage not in tasks:
                    tasks[stage] = bars.add_task(stage, total=total)
                bars.update(tasks[stage], description=escape_controls(what), completed=done, total=total)

            yield show


def _cell(value: object) -> str:
    if value is None:
        return "–"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _is_number(text: str) -> bool:
    return text == "–" or text.lstrip("+-").replace(".", "", 1).replace("e", "", 1).replace("-", "", 1).isdigit()
