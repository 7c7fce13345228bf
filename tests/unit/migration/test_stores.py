"""Stores: every format round trip, outputs that are resumed, constant memory."""

import json
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import isoalign as ia
from isoalign.errors import FormatError, InvalidValueError, MissingFileError, OutputExistsError, ParameterError
from isoalign.migration import apply_adapter
from isoalign.migration._stores import open_source
from isoalign.migration._stores._appended import AppendingSink
from isoalign.migration._stores._base import CHUNK_ROWS
from migrations import planted_change, unit
from unit.migration.store_files import CASES

N = 12_000


@pytest.fixture(scope="module")
def adapter():
    return ia.fit_adapter(*planted_change(300), use="corpus", method="ridge", settings={"ridge": 0.1})


@pytest.fixture(scope="module")
def big():
    return planted_change(N, seed=1).old


def read_all(path):
    return np.concatenate([chunk.vectors for chunk in open_source(path).chunks()])


@pytest.mark.parametrize("name", CASES)
def test_every_store_gives_the_mapped_vectors_and_leaves_nothing_else(name, adapter, big, tmp_path):
    write, output = CASES[name]
    write(tmp_path / name, big)
    applied = apply_adapter(adapter, tmp_path / name, tmp_path / output)
    assert (applied.rows, applied.resumed, applied.widened) == (N, 0, None)
    np.testing.assert_allclose(read_all(tmp_path / output), adapter.transform(big), atol=1e-6)
    assert {path.name for path in tmp_path.iterdir()} == {name, output}
    source = open_source(tmp_path / output)
    assert (source.n_rows, source.dim) == (N, 16)
    if output.partition(".")[2] in ("jsonl", "parquet", ""):
        assert source.ids() == [f"d{i}" for i in range(N)]


@pytest.mark.parametrize("name", CASES)
def test_rows_are_read_from_any_row_on(name, big, tmp_path):
    CASES[name][0](tmp_path / name, big)
    for start in (1, 7000, 9500, N - 1):
        rows = np.concatenate([chunk.vectors for chunk in open_source(tmp_path / name).chunks(start)])
        np.testing.assert_array_equal(rows, big[start:])


@pytest.mark.parametrize("name", CASES)
def test_an_output_that_was_broken_off_is_finished_and_not_begun_again(name, adapter, big, tmp_path, monkeypatch):
    write, output = CASES[name]
    write(tmp_path / name, big)
    monkeypatch.setattr("isoalign.migration._stores._parquet._PART_ROWS", 1)

    class StopError(Exception):
        pass

    def stop(what, done, total):
        if done >= 8000:
            raise StopError

    with pytest.raises(StopError):
        apply_adapter(adapter, tmp_path / name, tmp_path / output, progress=stop)
    assert not (tmp_path / output).exists()
    applied = apply_adapter(adapter, tmp_path / name, tmp_path / output)
    assert applied.resumed >= 8000
    np.testing.assert_allclose(read_all(tmp_path / output), adapter.transform(big), atol=1e-6)


def test_nothing_is_written_after_an_error(adapter, big, tmp_path, monkeypatch):
    """A chunk that follows a missing one would be taken for it."""
    np.save(tmp_path / "a.npy", big)
    write, written = AppendingSink.write, []

    def fail_once(sink, chunk):
        written.append(len(chunk.vectors))
        if len(written) == 2:
            time.sleep(0.1)  # the next chunks are waiting
            raise OSError("no space left")
        write(sink, chunk)

    monkeypatch.setattr(AppendingSink, "write", fail_once)
    with pytest.raises(OSError, match="no space left"):
        apply_adapter(adapter, tmp_path / "a.npy", tmp_path / "b.npy")
    assert len(written) == 2
    monkeypatch.undo()
    assert apply_adapter(adapter, tmp_path / "a.npy", tmp_path / "b.npy").resumed == written[0]
    np.testing.assert_allclose(np.load(tmp_path / "b.npy"), adapter.transform(big), atol=1e-6)


@pytest.mark.parametrize("name", ["a.npy", "a.fvecs", "a.jsonl"])
def test_rows_written_in_pieces_are_the_same_bytes(name, adapter, big, tmp_path, monkeypatch):
    write, output = CASES[name]
    write(tmp_path / name, big)
    apply_adapter(adapter, tmp_path / name, tmp_path / f"whole-{output}")
    monkeypatch.setattr("isoalign.migration._stores._appended._PIECE_BYTES", 1000)
    apply_adapter(adapter, tmp_path / name, tmp_path / f"pieces-{output}")
    assert (tmp_path / f"pieces-{output}").read_bytes() == (tmp_path / f"whole-{output}").read_bytes()


@pytest.mark.parametrize("name", ["a.npy", "a.jsonl", "a.parquet", "parts"])
def test_the_number_of_threads_changes_no_bit(name, adapter, big, tmp_path, monkeypatch):
    write, output = CASES[name]
    write(tmp_path / name, big)
    results = []
    for threads in (1, 2, 5):
        monkeypatch.setattr("isoalign.migration._stores._base.thread_count", lambda threads=threads: threads)
        apply_adapter(adapter, tmp_path / name, tmp_path / f"{threads}{output}")
        results.append(read_all(tmp_path / f"{threads}{output}"))
    np.testing.assert_array_equal(results[1], results[0])
    np.testing.assert_array_equal(results[2], results[0])


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_the_first_bad_row_is_named_and_those_before_it_are_kept(threads, adapter, big, tmp_path, monkeypatch):
    monkeypatch.setattr("isoalign.migration._stores._base.thread_count", lambda: threads)
    bad = big.copy()
    bad[[9000, 9001, 10_500], 3] = np.nan, np.inf, -np.inf
    np.save(tmp_path / "a.npy", bad)
    with pytest.raises(InvalidValueError, match=r"a\.npy: row 9000 or its mapped vector contains NaN or infinity"):
        apply_adapter(adapter, tmp_path / "a.npy", tmp_path / "b.npy")
    journal = json.loads((tmp_path / ".b.npy.journal.json").read_text())
    assert journal["rows"] == 9000 // CHUNK_ROWS * CHUNK_ROWS


def test_another_adapter_begins_again(adapter, big, tmp_path):
    np.save(tmp_path / "a.npy", big)

    def stop(what, done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        apply_adapter(adapter, tmp_path / "a.npy", tmp_path / "b.npy", progress=stop)
    other = ia.fit_adapter(*planted_change(300), use="corpus", method="procrustes")
    assert apply_adapter(other, tmp_path / "a.npy", tmp_path / "b.npy").resumed == 0
    np.testing.assert_allclose(np.load(tmp_path / "b.npy"), other.transform(big), atol=1e-6)


@pytest.mark.parametrize("dtype", ["float16", "int8", "float64"])
def test_other_types_are_widened_and_said_so(dtype, big, tmp_path):
    scale = 100 if dtype == "int8" else 1
    old, new = planted_change(300)
    adapter = ia.fit_adapter((scale * old).astype(dtype), new, use="corpus", method="procrustes")
    stored = (scale * big[:100]).astype(dtype)
    np.save(tmp_path / "a.npy", stored)
    assert apply_adapter(adapter, tmp_path / "a.npy", tmp_path / "b.npy").widened == dtype
    np.testing.assert_allclose(np.load(tmp_path / "b.npy"), adapter.transform(stored), atol=1e-6)


def test_vectors_of_another_model_are_refused_unless_allowed(adapter, big, tmp_path):
    np.save(tmp_path / "a.npy", -big)
    with pytest.raises(InvalidValueError, match=r"a\.npy: the cosine between .* allow_mismatch=True"):
        apply_adapter(adapter, tmp_path / "a.npy", tmp_path / "b.npy")
    assert apply_adapter(adapter, tmp_path / "a.npy", tmp_path / "b.npy", allow_mismatch=True).rows == N


def test_outputs_are_not_overwritten_and_bad_files_are_named(adapter, big, tmp_path):
    np.save(tmp_path / "a.npy", big)
    (tmp_path / "b.npy").touch()
    with pytest.raises(OutputExistsError):
        apply_adapter(adapter, tmp_path / "a.npy", tmp_path / "b.npy")
    with pytest.raises(MissingFileError):
        apply_adapter(adapter, tmp_path / "none.npy", tmp_path / "b.npy")
    with pytest.raises(ParameterError, match=r"no store has the suffix '\.xyz'"):
        apply_adapter(adapter, tmp_path / "a.npy", tmp_path / "b.xyz")
    with pytest.raises(ParameterError, match="can only be read"):
        apply_adapter(adapter, tmp_path / "a.npy", tmp_path / "b.npz")
    for name in ("a.fvecs", "a.fbin", "a.hdf5", "a.parquet", "a.npz", "c.npy", "a.jsonl"):
        (tmp_path / name).write_bytes(b'{"no": 1}\n')
        with pytest.raises(FormatError, match=name):
            open_source(tmp_path / name)


APPLY = """
import sys
from pathlib import Path
import isoalign as ia
from isoalign.migration import apply_adapter
def anonymous():
    status = Path("/proc/self/status").read_text()
    return int(status.partition("RssAnon:")[2].split()[0])
adapter = ia.Adapter.load(sys.argv[1])
adapter.transform(__import__("numpy").ones((9000, adapter.n_features_in_)))
before = anonymous(); peak = 0
def watch(what, done, total):
    global peak
    peak = max(peak, anonymous() - before)
apply_adapter(adapter, sys.argv[2], sys.argv[3], progress=watch)
print(peak)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs RssAnon")
def test_memory_does_not_grow_with_the_file(adapter, tmp_path):
    np.save(tmp_path / "a.npy", np.tile(unit(planted_change(1000).old), (1500, 1)))  # 72 MB, 96 MB come out
    adapter.save(tmp_path / "adapter")
    command = [sys.executable, "-c", APPLY, *(str(tmp_path / name) for name in ("adapter", "a.npy", "b.npy"))]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    assert int(done.stdout) < 16_000  # kilobytes
