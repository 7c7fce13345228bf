"""Format the scores of a migration for the terminal."""

from typing import TYPE_CHECKING

from isoalign.cli._scores import with_interval

if TYPE_CHECKING:
    from isoalign.migration import MigrationResult

__all__ = ["result_rows"]


def result_rows(result: "MigrationResult") -> tuple[list[str], list[list[object]]]:
    """Return header and lines: one line per system, one column per measure."""
    names = list(next(iter(result.systems.values())))
    rows: list[list[object]] = [
        [system, *(with_interval(scores[name].value, scores[name].ci95) for name in names)]
        for system, scores in result.systems.items()
    ]
    return [f"{result.use}, {result.n} queries", *names], rows
