"""Arrange records in tables of scores."""

from collections.abc import Iterable
from dataclasses import dataclass

from isoalign.experiments import Record
from isoalign.normalization import NORMALIZERS
from isoalign.reporting._names import axes_of, in_order, key_of, name_method, name_normalization
from isoalign.reporting._scores import Score, average_scores, score_record

__all__ = ["ScoreTable", "accuracy_tables", "similarity_table"]


@dataclass(frozen=True)
class ScoreTable:
    """A table of scores, in which the best score of a row within each group of columns is set in bold.

    Attributes
    ----------
    title
        Title of the table.
    corner
        Heading of the row names.
    groups
        Names of groups of adjacent columns, and their sizes.
    columns
        Names of the columns.
    rows
        Name and cells of every row; None where there is no record.
    average
        Whether the last row is the average of the others.
    """

    title: str
    corner: str
    groups: tuple[tuple[str, int], ...]
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Score | None, ...]], ...]
    average: bool = False

    def is_best(self, row: int, column: int) -> bool:
        """Return whether a cell is the largest of its row and group, rounded to one decimal."""
        cells = self.rows[row][1]
        cell, start = cells[column], 0
        for _, size in self.groups:
            if column < start + size:
                others = [other.value for other in cells[start : start + size] if other is not None]
                return cell is not None and round(cell.value, 1) == round(max(others), 1)
            start += size
        return False

    @property
    def scores(self) -> list[Score]:
        """All scores except the averages."""
        rows = self.rows[:-1] if self.average else self.rows
        return [cell for _, cells in rows for cell in cells if cell is not None]


def accuracy_tables(records: Iterable[Record]) -> list[ScoreTable]:
    """Arrange accuracy records, one table for every retrieval, seed and size of the training dictionary.

    For one language pair, rows are methods and columns normalisations. For several, rows are language pairs and their
    average, and columns are normalisations grouped by method.
    """
    chosen: dict[tuple[str, str, int, str | None], list[Record]] = {}
    for record in records:
        if record.cell.kind == "bli":
            cell = record.cell
            chosen.setdefault((record.measure, cell.retrieval or "", cell.seed, cell.size), []).append(record)
    several_seeds = len({seed for _, _, seed, _ in chosen}) > 1
    tables = []
    for (measure, retrieval, seed, size), some in chosen.items():
        title = f"{measure}, {retrieval.upper()} retrieval" + (f", seed {seed}" if several_seeds else "")
        tables.append(_arrange(title if size is None else f"{title}, training dictionary {size}", some))
    return tables


def similarity_table(records: Iterable[Record]) -> ScoreTable | None:
    """Arrange similarity records, with data sets as rows and normalisations as columns; None if there are none."""
    some = [record for record in records if record.cell.kind == "similarity"]
    if not some:
        return None
    cells = {
        (f"{record.cell.dataset} ({record.cell.source})", record.cell.normalize): score_record(record)
        for record in some
    }
    columns = in_order((normalize for _, normalize in cells), NORMALIZERS)
    return ScoreTable(
        "Spearman correlation × 100",
        "data set",
        (("", len(columns)),),
        tuple(map(name_normalization, columns)),
        tuple(
            (row, tuple(cells.get((row, column)) for column in columns)) for row in dict.fromkeys(r for r, _ in cells)
        ),
    )


def _arrange(title: str, records: list[Record]) -> ScoreTable:
    cells = {key_of(record.cell): score_record(record) for record in records}
    pairs, methods, names = axes_of(cells)
    columns = tuple(map(name_normalization, names))
    if len(pairs) == 1:
        rows = tuple(
            (name_method(method), tuple(cells.get((pairs[0], method, name)) for name in names)) for method in methods
        )
        return ScoreTable(f"{title}, {pairs[0]}", "method", (("", len(names)),), columns, rows)
    lines = [(pair, tuple(cells.get((pair, m, name)) for m in methods for name in names)) for pair in pairs]
    complete = [[cell for cell in line if cell is not None] for _, line in lines if None not in line]
    if complete:
        lines.append(
            (f"average of {len(complete)}", tuple(average_scores(list(some)) for some in zip(*complete, strict=True)))
        )
    groups = tuple((name_method(method), len(names)) for method in methods)
    return ScoreTable(title, "languages", groups, columns * len(methods), tuple(lines), average=bool(complete))
