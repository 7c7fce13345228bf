"""``migrate apply`` killed inside the writing, for every kind of output: run again, it gives the same bytes."""

import os
import resource
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing

import numpy as np
import pyarrow.parquet as pq
import pytest

import isoalign as ia
from isoalign.migration import apply_adapter, apply_to_database
from isoalign.migration._stores import _appended, _parquet, _sqlite
from migrations import planted_change
from unit.migration.store_files import CASES

pytestmark = pytest.mark.slow

N = 20_000
SURVIVED = 8000  # rows written before the process is killed
TABLE = {"table": "docs", "column": "embedding", "to_column": "embedding_new"}


def kill():
    os.kill(os.getpid(), signal.SIGKILL)


def apply_in_small_portions(*arguments):
    """Secure rows often; the process ends before this could disturb anybody."""
    _appended._SETTLE_BYTES = _parquet._PART_ROWS = 1
    apply(*arguments)


def kill_in_a_file():
    """Kill the process when half a chunk is in the file."""

    def write(sink, chunk):
        if sink.done >= SURVIVED:
            data = bytes(sink._encode(chunk))
            sink._file.write(data[: len(data) // 2])
            sink._file.flush()
            kill()
        original(sink, chunk)
        sink._wait()  # for the disk, so that these rows are recorded

    original, _appended.AppendingSink.write = _appended.AppendingSink.write, write


def kill_in_parquet():
    """Kill the process when a row group is in a file that has no end yet."""
    written = 0

    def write_table(writer, table):
        nonlocal written
        original(writer, table)
        written += len(table)
        if written > SURVIVED:
            kill()

    original, pq.ParquetWriter.write_table = pq.ParquetWriter.write_table, write_table


def kill_in_hdf5():
    """Kill the process when rows are in the file but the journal does not know of them."""

    def write(journal, **progress):
        if progress["rows"] > SURVIVED:
            kill()
        original(journal, **progress)

    original, _appended.Journal.write = _appended.Journal.write, write


def kill_in_sqlite():
    """Kill the process in the middle of a transaction."""

    def connect(path):
        connection = original(path)
        connection.set_progress_handler(lambda: kill() if connection.total_changes > SURVIVED + 500 else 0, 100)
        return connection

    original, _sqlite._connect = _sqlite._connect, connect


WAYS = {"": kill_in_parquet, ".parquet": kill_in_parquet, ".h5": kill_in_hdf5, ".db": kill_in_sqlite}


def apply(folder, source, output):
    adapter = ia.Adapter.load(folder / "adapter")
    if source.suffix == ".db":
        return apply_to_database(adapter, f"sqlite:///{source}", **TABLE)
    return apply_adapter(adapter, source, output)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("kills")
    fitted = ia.fit_adapter(*planted_change(300), use="corpus", method="ridge", settings={"ridge": 0.1})
    fitted.save(path / "adapter")
    return path


def apply_and_be_killed(folder, source, output):
    way = WAYS.get(output.suffix, kill_in_a_file).__name__
    return run_apart(way, "apply_in_small_portions", folder, source, output).returncode


def run_apart(first, then, *paths):
    """Call two functions of this module in another process, the second one with paths."""
    arguments = ", ".join(f"Path({str(path)!r})" for path in paths)
    code = f"from pathlib import Path\nfrom unit.migration import test_kills as t\nt.{first}()\nt.{then}({arguments})"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    return subprocess.run([sys.executable, "-c", code], env=environment, stderr=subprocess.PIPE, text=True)


def read_bytes(path):
    files = [path] if path.is_file() else sorted(path.iterdir())
    return {file.relative_to(path): file.read_bytes() for file in files}


@pytest.mark.parametrize("name", [name for name in CASES if not name.endswith(".npz")])
def test_a_killed_run_is_finished_with_the_same_bytes(name, folder, tmp_path, monkeypatch):
    monkeypatch.setattr(_appended, "_SETTLE_BYTES", 1)
    monkeypatch.setattr(_parquet, "_PART_ROWS", 1)
    write, output = CASES[name]
    source, killed, undisturbed = tmp_path / name, tmp_path / output, tmp_path / f"whole-{output}"
    write(source, planted_change(N, seed=1).old)
    assert apply_and_be_killed(folder, source, killed) == -signal.SIGKILL
    assert not killed.exists()
    assert 0 < apply(folder, source, killed).resumed < N
    assert apply(folder, source, undisturbed).resumed == 0
    assert read_bytes(killed) == read_bytes(undisturbed)
    assert {path.name for path in tmp_path.iterdir()} == {name, killed.name, undisturbed.name}


def limit_files():
    """Let writing fail in the middle of a chunk, as on a full disk."""
    limit = 1_000_000
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))


def test_a_full_disk_leaves_whole_chunks_and_the_run_is_finished_with_the_same_bytes(folder, tmp_path):
    source, full, undisturbed = (tmp_path / name for name in ("a.npy", "full.npy", "whole.npy"))
    np.save(source, planted_change(N, seed=1).old)
    outcome = run_apart("limit_files", "apply", folder, source, full)
    assert "OSError" in outcome.stderr
    assert not full.exists()
    assert 0 < apply(folder, source, full).resumed < N
    apply(folder, source, undisturbed)
    assert full.read_bytes() == undisturbed.read_bytes()


def write_database(path, vectors):
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE docs (id INTEGER PRIMARY KEY, embedding BLOB)")
        database.executemany(
            "INSERT INTO docs VALUES (?, ?)", [(row, one.tobytes()) for row, one in enumerate(vectors)]
        )
        database.commit()


def read_database(path):
    with closing(sqlite3.connect(path)) as database:
        return database.execute("SELECT * FROM docs ORDER BY id").fetchall()


def test_a_killed_transaction_is_done_again(folder, tmp_path):
    vectors = planted_change(N, seed=1).old
    killed, undisturbed = tmp_path / "docs.db", tmp_path / "whole.db"
    for path in (killed, undisturbed):
        write_database(path, vectors)
    assert apply_and_be_killed(folder, killed, killed) == -signal.SIGKILL
    assert apply(folder, killed, killed).resumed == SURVIVED
    apply(folder, undisturbed, undisturbed)
    rows = read_database(killed)
    assert rows == read_database(undisturbed)
    np.testing.assert_array_equal(np.frombuffer(rows[-1][1], np.float32), vectors[-1])
