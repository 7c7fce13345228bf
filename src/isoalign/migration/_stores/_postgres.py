"""PostgreSQL with pgvector: a new column, filled in batches by primary key."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from isoalign._core.optional import import_extra
from isoalign._core.progress import Progress
from isoalign._core.types import Matrix
from isoalign.errors import FileAccessError, FormatError, ParameterError
from isoalign.migration._adapter import Adapter
from isoalign.migration._apply import ALLOW
from isoalign.migration._databases import AppliedToTable

__all__ = ["migrate_table"]

_BATCH = 1000


def migrate_table(
    adapter: Adapter,
    url: str,
    *,
    table: str,
    column: str,
    to_column: str,
    key: str | None,
    mark: str,
    allow_mismatch: bool,
    progress: Progress,
) -> AppliedToTable:
    """Add a column and fill it; see `apply_to_database`.

    ``mark`` becomes the comment of the new column: a column with another comment was not begun with this adapter.
    """
    psycopg = import_extra("psycopg", extra="pgvector")
    sql = import_extra("psycopg.sql", extra="pgvector")
    names = {
        "table": sql.Identifier(*table.split(".")),
        "old": sql.Identifier(column),
        "new": sql.Identifier(to_column),
    }
    try:
        connection = psycopg.connect(url)
    except psycopg.OperationalError as error:
        raise FileAccessError(f"cannot connect to the database: {str(error).strip()}.") from error
    with connection:
        rollback = sql.SQL("ALTER TABLE {table} DROP COLUMN {new}").format(**names).as_string(connection)
        names["key"] = sql.Identifier(key or _primary_key(connection, table))

        def run(text: str, values: Sequence[Any] = (), **more: Any) -> Any:
            return connection.execute(sql.SQL(text).format(**names, **more), values)

        _check_column(connection, table, column)
        first = run("SELECT {old}::text FROM {table} WHERE {old} IS NOT NULL ORDER BY {key} LIMIT %s", [_BATCH])
        rows = _parse([text for (text,) in first], f"{table}.{column}")
        if not allow_mismatch or rows.shape[1] != adapter.n_features_in_:
            adapter.check(rows, name=f"{table}.{column}", advice=ALLOW)
        _add_column(connection, run, sql, table, to_column, adapter.map_.dim_out, mark)
        connection.commit()
        total = run("SELECT count(*) FROM {table} WHERE {old} IS NOT NULL").fetchone()[0]
        resumed = done = run("SELECT count({new}) FROM {table}").fetchone()[0]
        last: Any = None
        while batch := _next_batch(run, last):
            last = batch[-1][0]
            mapped = adapter.map_.apply(_parse([text for _, text in batch], f"{table}.{column}"))
            texts = [f"[{','.join(digits)}]" for digits in mapped.astype(str)]
            with connection.cursor() as cursor:
                update = sql.SQL("UPDATE {table} SET {new} = %s::vector WHERE {key} = %s").format(**names)
                cursor.executemany(update, [(text, one) for text, (one, _) in zip(texts, batch, strict=True)])
            connection.commit()
            done += len(batch)
            progress("mapping vectors", done, total)
    connection.close()
    return AppliedToTable(total, resumed, f"{rollback};")


def _next_batch(run: Any, last: Any) -> list[tuple[Any, str]]:
    """Return keys and vectors of the next rows that have no mapped vector yet."""
    text = "SELECT {key}, {old}::text FROM {table} WHERE {old} IS NOT NULL AND {new} IS NULL"
    if last is None:
        found = run(text + " ORDER BY {key} LIMIT %s", [_BATCH])
    else:
        found = run(text + " AND {key} > %s ORDER BY {key} LIMIT %s", [last, _BATCH])
    rows: list[tuple[Any, str]] = found.fetchall()
    return rows


def _parse(texts: list[str], name: str) -> Matrix:
    if not texts:
        raise FormatError(f"{name}: holds no vectors.")
    return np.array([np.fromstring(text[1:-1], dtype=np.float32, sep=",") for text in texts])


def _primary_key(connection: Any, table: str) -> str:
    found = connection.execute(
        "SELECT a.attname FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY(i.indkey) "
        "WHERE i.indrelid = to_regclass(%s) AND i.indisprimary",
        [table],
    ).fetchall()
    if len(found) != 1:
        raise ParameterError(f"{table}: needs a primary key of one column; found {len(found)}. Name one with --key.")
    return str(found[0][0])


def _column_type(connection: Any, table: str, column: str) -> tuple[str, str | None] | None:
    """Return type and comment of a column, or None if there is none."""
    found = connection.execute(
        "SELECT format_type(atttypid, atttypmod), col_description(attrelid, attnum) FROM pg_attribute "
        "WHERE attrelid = to_regclass(%s) AND attname = %s AND NOT attisdropped",
        [table, column],
    ).fetchone()
    return None if found is None else (str(found[0]), found[1])


def _check_column(connection: Any, table: str, column: str) -> None:
    found = _column_type(connection, table, column)
    if found is None or not found[0].startswith(("vector", "halfvec")):
        raise ParameterError(f"{table}: has no column {column!r} of type vector or halfvec. Check both names.")


def _add_column(connection: Any, run: Any, sql: Any, table: str, to_column: str, dim: int, mark: str) -> None:
    found = _column_type(connection, table, to_column)
    if found is None:
        run("ALTER TABLE {table} ADD COLUMN {new} vector({dim})", dim=sql.Literal(dim))
        run("COMMENT ON COLUMN {table}.{new} IS {mark}", mark=sql.Literal(mark))
    elif found[1] != mark:
        raise ParameterError(
            f"{table}: column {to_column!r} exists already and was not begun with this adapter. Name another one."
        )
