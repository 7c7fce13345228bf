"""Add a column of mapped vectors to a table of a database; the old column is never changed."""

from dataclasses import dataclass

from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.registry import load_object
from isoalign.errors import ParameterError
from isoalign.migration._adapter import Adapter
from isoalign.migration._apply import adapter_key

__all__ = ["AppliedToTable", "apply_to_database"]

_STORES = {
    "postgresql": "isoalign.migration._stores._postgres:migrate_table",
    "postgres": "isoalign.migration._stores._postgres:migrate_table",
    "sqlite": "isoalign.migration._stores._sqlite:migrate_table",
}


@dataclass(frozen=True)
class AppliedToTable:
    """Result: the number of rows, the number of rows from an earlier attempt, and the statement that undoes it."""

    rows: int
    resumed: int
    rollback: str


def apply_to_database(
    adapter: Adapter,
    url: str,
    *,
    table: str,
    column: str,
    to_column: str,
    key: str | None = None,
    allow_mismatch: bool = False,
    progress: Progress = ignore_progress,
) -> AppliedToTable:
    """Map the vectors of a column into a new column of the same table, in batches by primary key.

    Every batch is committed, so the same call resumes after an interruption.

    Parameters
    ----------
    adapter
        A fitted adapter.
    url
        ``postgresql://…`` (pgvector) or ``sqlite:///file`` (sqlite-vec).
    table, column
        Table and column of the vectors.
    to_column
        The column to add. For a virtual table of sqlite-vec, to which no column can be added, the new table.
    key
        Primary key; None: found in the schema.
    allow_mismatch
        Accept vectors that seem to come from another model.
    progress
        Progress callback.
    """
    scheme = url.partition(":")[0]
    if scheme not in _STORES:
        raise ParameterError(f"No store for {scheme!r}. Known: postgresql://… and sqlite:///FILE.")
    if column == to_column:
        raise ParameterError("The new column must have another name than the old one, which is never changed.")
    applied: AppliedToTable = load_object(_STORES[scheme])(
        adapter,
        url,
        table=table,
        column=column,
        to_column=to_column,
        key=key,
        mark=f"isoalign adapter {adapter_key(adapter, column)[:32]}",
        allow_mismatch=allow_mismatch,
        progress=progress,
    )
    return applied
