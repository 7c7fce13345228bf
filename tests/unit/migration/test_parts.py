"""A folder of Parquet files, part by part: killed workers, strays, and outputs that were begun."""

import signal

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

import isoalign as ia
from clusters import start_cluster
from isoalign.cli import app
from isoalign.errors import OutputExistsError, ParameterError
from isoalign.experiments import Dask, LocalProcesses
from isoalign.migration import apply_adapter
from migrations import planted_change

N_PARTS, ROWS = 6, 5000


@pytest.fixture(scope="module")
def adapter():
    return ia.fit_adapter(*planted_change(300), use="corpus", method="ridge", settings={"ridge": 0.1})


@pytest.fixture(scope="module")
def folder(adapter, tmp_path_factory):
    """Write parts, one of them without rows, and map them undisturbed."""
    path = tmp_path_factory.mktemp("parts") / "in"
    path.mkdir()
    for part in range(N_PARTS):
        vectors = planted_change(ROWS, seed=part).old
        lists = pa.FixedSizeListArray.from_arrays(pa.array(vectors.ravel()), vectors.shape[1])
        ids = pa.array(range(part * ROWS, (part + 1) * ROWS))
        table = pa.table({"id": ids, "text": ids.cast(pa.string()), "vec": lists})
        pq.write_table(table, path / f"{part}.parquet")
    pq.write_table(table[:0], path / "empty.parquet")
    apply_adapter(adapter, path, path.parent / "undisturbed")
    return path


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_every_part_becomes_a_part_of_the_same_name(adapter, folder):
    mapped = folder.parent / "undisturbed"
    assert sorted(contents(mapped)) == [f"{part}.parquet" for part in range(N_PARTS)]
    table = pq.read_table(mapped / "3.parquet")
    assert table.column_names == ["id", "text", "vec"]
    assert table["id"][0].as_py() == 3 * ROWS
    vectors = table["vec"].combine_chunks().flatten().to_numpy().reshape(ROWS, -1)
    np.testing.assert_allclose(vectors, adapter.transform(planted_change(ROWS, seed=3).old), atol=1e-6)


def test_parts_that_are_there_are_not_mapped_again(adapter, folder, tmp_path):
    class StopError(Exception):
        pass

    def stop(what, done, total):
        if done >= 2 * ROWS:
            raise StopError

    with pytest.raises(StopError):
        apply_adapter(adapter, folder, tmp_path / "out", progress=stop)
    begun = tmp_path / ".out.partial"
    before = {path.name: path.stat().st_mtime_ns for path in begun.iterdir()}
    (begun / ".2.parquet.abcdefgh.part").write_bytes(b"left by a kill")
    assert apply_adapter(adapter, folder, tmp_path / "out").resumed == len(before) * ROWS == 2 * ROWS
    assert before.items() <= {path.name: path.stat().st_mtime_ns for path in (tmp_path / "out").iterdir()}.items()
    assert contents(tmp_path / "out") == contents(folder.parent / "undisturbed")
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    with pytest.raises(OutputExistsError):
        apply_adapter(adapter, folder, tmp_path / "out")


def test_only_parts_can_be_shared_out(adapter, folder, tmp_path):
    for path, output in ((folder, "out.npy"), (folder / "0.parquet", "out")):
        with pytest.raises(ParameterError, match="only a folder of parts can be distributed"):
            apply_adapter(adapter, path, tmp_path / output, executor=Dask())


@pytest.mark.slow
def test_processes_give_the_same_bytes(adapter, folder, tmp_path):
    apply_adapter(adapter, folder, tmp_path / "out", executor=LocalProcesses(2))
    assert contents(tmp_path / "out") == contents(folder.parent / "undisturbed")


@pytest.mark.slow
def test_a_killed_worker_costs_its_part_and_the_same_bytes_come_out(adapter, folder, tmp_path):
    with start_cluster(tmp_path) as (address, workers, _):

        def kill_one(what, done, total):
            if workers[0].poll() is None:
                workers[0].send_signal(signal.SIGKILL)
                workers[0].wait()

        applied = apply_adapter(adapter, folder, tmp_path / "out", executor=Dask(address), progress=kill_one)
    assert workers[0].returncode == -signal.SIGKILL
    assert (applied.rows, applied.resumed) == (N_PARTS * ROWS, 0)
    assert contents(tmp_path / "out") == contents(folder.parent / "undisturbed")


@pytest.mark.slow
def test_workers_in_another_folder_find_relative_paths(adapter, folder, tmp_path, monkeypatch):
    monkeypatch.chdir(folder.parent)
    with start_cluster(tmp_path) as (address, *_):
        apply_adapter(adapter, folder.name, "relative", executor=Dask(address))
    assert contents(folder.parent / "relative") == contents(folder.parent / "undisturbed")


@pytest.mark.slow
def test_the_command_finishes_on_a_local_cluster_what_was_begun_here(adapter, folder, tmp_path):
    adapter.save(tmp_path / "adapter")
    loaded = ia.Adapter.load(tmp_path / "adapter")

    def stop(what, done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        apply_adapter(loaded, folder, tmp_path / "out", progress=stop)
    command = ["migrate", "apply", tmp_path / "adapter", folder, "-o", tmp_path / "out", "--dask", "local"]
    done = CliRunner().invoke(app, list(map(str, command)))
    assert done.exit_code == 0, done.output
    assert f"{N_PARTS * ROWS} rows ({ROWS} from before)" in done.output
    assert contents(tmp_path / "out") == contents(folder.parent / "undisturbed")
