"""SQLite with sqlite-vec: a new column of an ordinary table, or a new virtual table for a virtual one."""

import sqlite3
from contextlib import closing, suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from isoalign._core.optional import import_extra
from isoalign._core.progress import Progress
from isoalign._core.types import Matrix
from isoalign.errors import FormatError, MissingExtraError, MissingFileError, ParameterError
from isoalign.migration._adapter import Adapter
from isoalign.migration._apply import ALLOW
from isoalign.migration._databases import AppliedToTable

__all__ = ["migrate_table"]

_BATCH = 1000
_MARKS = "isoalign_migrations"


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
    """Add a column, or a virtual table, and fill it; see `apply_to_database`.

    Vectors are float32 blobs, as sqlite-vec keeps them; only virtual tables need it. A new virtual table has a column
    of the same name and the default distance, which for vectors of unit length ranks as the cosine. The table
    ``isoalign_migrations`` remembers which adapter began which output.
    """
    path = Path(url.removeprefix("sqlite:///"))
    if not path.is_file():
        raise MissingFileError(f"{path}: no such database. Check the name.")
    with closing(_connect(path)) as connection:
        created = connection.execute("SELECT sql FROM sqlite_master WHERE name = ?", [table]).fetchone()
        if created is None:
            raise ParameterError(f"{path}: has no table {table!r}.")
        virtual = "using vec0" in created[0].lower()
        if virtual:
            _load_extension(connection)
        names = {
            "table": _quote(table),
            "old": _quote(column),
            "new": _quote(column if virtual else to_column),
            "key": _quote(key or "rowid"),
            "at": _quote(to_column) if virtual else _quote(table),
        }
        query = "SELECT {key}, {old} FROM {table} WHERE {old} IS NOT NULL AND {key} > ? ORDER BY {key} LIMIT ?"
        first = connection.execute(query.format(**names), [-(2**62), _BATCH]).fetchall()
        rows = _parse(first, f"{path}:{table}.{column}")
        if not allow_mismatch or rows.shape[1] != adapter.n_features_in_:
            adapter.check(rows, name=f"{path}:{table}.{column}", advice=ALLOW)
        _begin(connection, names, table, to_column, adapter.map_.dim_out, mark, virtual=virtual)
        total = connection.execute("SELECT count({old}) FROM {table}".format(**names)).fetchone()[0]
        filled = "SELECT count(*), max({key}) FROM {at} WHERE {new} IS NOT NULL".format(**names)
        resumed, last = connection.execute(filled).fetchone()
        done, last = resumed, -(2**62) if last is None else last
        change = (
            "INSERT INTO {at} ({new}, {key}) VALUES (?, ?)" if virtual else "UPDATE {at} SET {new} = ? WHERE {key} = ?"
        ).format(**names)
        while batch := connection.execute(query.format(**names), [last, _BATCH]).fetchall():
            mapped = adapter.map_.apply(_parse(batch, f"{path}:{table}.{column}"))
            with connection:
                connection.executemany(
                    change, zip((row.tobytes() for row in mapped), (one[0] for one in batch), strict=True)
                )
            last, done = batch[-1][0], done + len(batch)
            progress("mapping vectors", done, total)
    undo = f"DROP TABLE {names['at']};" if virtual else f"ALTER TABLE {names['table']} DROP COLUMN {names['new']};"
    return AppliedToTable(total, resumed, undo)


def _connect(path: Path) -> Any:
    """Open a database; some builds of Python cannot load extensions, then pysqlite3 is used where it is installed."""
    module: Any = sqlite3
    if not hasattr(sqlite3.Connection, "enable_load_extension"):
        with suppress(ModuleNotFoundError):
            module = import_module("pysqlite3")
    return module.connect(str(path))


def _load_extension(connection: Any) -> None:
    """Load sqlite-vec, which virtual tables need."""
    sqlite_vec = import_extra("sqlite_vec", extra="sqlite")
    if not hasattr(connection, "enable_load_extension"):
        raise MissingExtraError(
            "Virtual tables need sqlite-vec, and the sqlite3 of this Python cannot load extensions. "
            "Run: pip install pysqlite3-binary, or use another build of Python."
        )
    connection.enable_load_extension(True)
    sqlite_vec.load(connection)
    connection.enable_load_extension(False)


def _begin(
    connection: Any,
    names: dict[str, str],
    table: str,
    output: str,
    dim: int,
    mark: str,
    *,
    virtual: bool,
) -> None:
    """Create the output, or check that it was begun with the same adapter."""
    with connection:
        connection.execute(f"CREATE TABLE IF NOT EXISTS {_MARKS} (source TEXT, output TEXT, mark TEXT)")
        if virtual:
            exists = connection.execute("SELECT 1 FROM sqlite_master WHERE name = ?", [output]).fetchone()
        else:
            exists = output in [row[1] for row in connection.execute(f"PRAGMA table_info({names['table']})")]
        marks = connection.execute(
            f"SELECT mark FROM {_MARKS} WHERE source = ? AND output = ?", [table, output]
        ).fetchall()
        if exists and (mark,) not in marks:
            raise ParameterError(f"{output!r} exists already and was not begun with this adapter. Name another one.")
        if not exists:
            connection.execute(f"DELETE FROM {_MARKS} WHERE source = ? AND output = ?", [table, output])
            connection.execute(f"INSERT INTO {_MARKS} VALUES (?, ?, ?)", [table, output, mark])
            column = names["new"].strip('"')  # vec0 takes no quotes, and had this name before
            virtually = f"CREATE VIRTUAL TABLE {names['at']} USING vec0({column} float[{dim}])"
            connection.execute(virtually if virtual else f"ALTER TABLE {names['at']} ADD {names['new']}")


def _parse(rows: list[tuple[Any, Any]], name: str) -> Matrix:
    if not rows:
        raise FormatError(f"{name}: holds no vectors.")
    sizes = {len(blob) if isinstance(blob, bytes) else -1 for _, blob in rows}
    if len(sizes) != 1 or min(sizes) < 4 or min(sizes) % 4:
        raise FormatError(f"{name}: expected float32 blobs of one length, as sqlite-vec keeps them.")
    return np.frombuffer(b"".join(blob for _, blob in rows), dtype=np.float32).reshape(len(rows), -1)


def _quote(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
