"""Large work on real Dask clusters: killed workers, a lost scheduler, and the same answers to the bit."""

import json
import os
import signal
import subprocess
import sys
from functools import partial
from time import monotonic, sleep

import numpy as np
import pytest
from distributed import Client
from typer.testing import CliRunner

import isoalign as ia
from clusters import start_cluster, start_worker
from isoalign import neighbors
from isoalign.cli import app
from isoalign.errors import IsoalignError, ParameterError
from isoalign.experiments import Dask, InProcess
from isoalign.io import _parts
from isoalign.neighbors import SharingSettings, use_workers
from isoalign.normalization import normalize_file

pytestmark = pytest.mark.slow

N, DIM = 3000, 16
ALL = SharingSettings(min_products=1, min_rows=400)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Write two languages, a model and dictionaries; English also in parts."""
    folder = tmp_path_factory.mktemp("large")
    rng = np.random.default_rng(0)
    X = rng.standard_normal((N, DIM)).astype(np.float32) + 0.2
    Y = X @ np.linalg.qr(rng.standard_normal((DIM, DIM)))[0].astype(np.float32)
    Y += 0.5 * rng.standard_normal((N, DIM)).astype(np.float32)
    en, de = (ia.Embeddings([f"{lang}{row}" for row in range(N)], Z, lang=lang) for lang, Z in (("a", X), ("b", Y)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_parts, "PART_ROWS", 500)
        ia.write_vectors(en, folder / "en.parts")
    pairs = [(f"a{row}", f"b{row}") for row in range(N)]
    ia.align(en, de, pairs[:300], method="procrustes").save(folder / "model")
    (folder / "test.txt").write_text("".join(f"{a}\t{b}\n" for a, b in pairs[300:500]))
    return folder


@pytest.fixture
def share_all(monkeypatch):
    """Share out the small searches of commands too; only the process that asks decides that."""
    monkeypatch.setattr(neighbors, "use_workers", partial(use_workers, sharing=ALL))


def run(*arguments):
    done = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert done.exit_code == 0, done.output
    return done.stdout


def contents(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_commands_give_the_same_bytes_when_a_worker_is_killed(files, tmp_path, share_all):
    normalize_file(files / "en.parts", tmp_path / "one", executor=InProcess())
    bli = ("evaluate", "bli", files / "model", "-d", files / "test.txt", "--full-ranks", "--json")
    induce = ("induce", files / "model", "-k", "2", "--header")
    wanted = [json.loads(run(*bli))["results"][0]["answers"], run(*induce)]
    with start_cluster(tmp_path) as (address, workers, _):

        def kill_one(what, done, total):
            if done and workers[0].poll() is None:
                workers[0].send_signal(signal.SIGKILL)
                workers[0].wait()

        with Dask(address) as executor:
            normalize_file(files / "en.parts", tmp_path / "two", executor=executor, progress=kill_one)
        assert workers[0].returncode == -signal.SIGKILL
        found = [json.loads(run(*bli, "--dask", address))["results"][0]["answers"], run(*induce, "--dask", address)]
        run("apply", files / "model", files / "en.parts", tmp_path / "mapped", "--dask", address)
    assert found == wanted
    assert contents(tmp_path / "two") == contents(tmp_path / "one")
    run("apply", files / "model", files / "en.parts", tmp_path / "here", "--format", "native")
    here, there = (ia.read_vectors(tmp_path / name).vectors for name in ("here", "mapped"))
    np.testing.assert_allclose(there, here, atol=1e-6)


def test_workers_in_another_folder_read_and_write_what_relative_paths_name(files, tmp_path, monkeypatch):
    monkeypatch.chdir(files)
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    decoy = ia.Embeddings([f"c{row}" for row in range(9)], np.ones((9, DIM), dtype=np.float32))
    ia.write_vectors(decoy, folder / "en.parts")
    run("apply", "model", "en.parts", tmp_path / "here", "--format", "native")
    run("normalize", "en.parts", tmp_path / "here.norm", "--format", "native")
    with start_cluster(folder) as (address, *_):
        run("apply", "model", "en.parts", "mapped.parts", "--dask", address)
        run("normalize", "en.parts", "norm.parts", "--dask", address)
    for here, there in (("here", "mapped.parts"), ("here.norm", "norm.parts")):
        found, wanted = ia.read_vectors(there), ia.read_vectors(tmp_path / here)
        assert list(found.keys) == list(wanted.keys)
        np.testing.assert_allclose(found.vectors, wanted.vectors, atol=1e-6)
    assert [path.name for path in folder.iterdir() if path.name != "dask-scratch-space"] == ["en.parts"]


def start(*arguments, **settings):
    """Start a command in a process of its own."""
    command = [sys.executable, "-m", "isoalign", *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, **settings)


def wait_for_tasks(client):
    """Wait until workers compute something."""
    deadline = monotonic() + 60
    while not any(client.processing().values()):
        assert monotonic() < deadline
        sleep(0.02)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_command_that_loses_its_scheduler_prints_one_line(files, tmp_path, number):
    with start_cluster(tmp_path) as (address, _, scheduler):
        with Client(address, timeout=1) as client:
            command = start("normalize", files / "en.parts", tmp_path / "out", "--rounds", 5000, "--dask", address)
            wait_for_tasks(client)
        scheduler.send_signal(number)
        messages = command.communicate(timeout=60)[1]
    wanted = f"error: The Dask scheduler at {address} was lost. Start again when it is back"
    assert (command.returncode, messages.count("\n"), messages[: len(wanted)]) == (1, 1, wanted), messages


def test_a_scheduler_that_is_lost_between_two_searches_is_named(tmp_path):
    with start_cluster(tmp_path) as (address, _, scheduler), Dask(address, timeout=0.1) as executor:
        assert [outcomes for _, outcomes in executor.run(range, [2])] == [[0, 1]]
        scheduler.kill()
        scheduler.wait()
        while executor._client.status != "closed":
            sleep(0.02)
        with pytest.raises(IsoalignError, match=f"The Dask scheduler at {address} was lost. Start"):
            list(executor.run(range, [2]))


def test_an_interrupted_command_with_a_local_cluster_prints_nothing(files, tmp_path):
    out = tmp_path / "out"
    command = start("normalize", files / "en.parts", out, "--rounds", 5000, "--dask", "local", start_new_session=True)
    while not (tmp_path / ".out.partial").exists():
        assert command.poll() is None
        sleep(0.02)
    sleep(0.5)
    os.killpg(command.pid, signal.SIGINT)  # as a terminal does
    assert (command.communicate(timeout=60)[1], command.returncode) == ("", 130)
    assert not out.exists()


def test_a_command_says_once_that_it_waits_for_a_worker(files, tmp_path):
    with start_cluster(tmp_path) as (address, workers, _):
        for worker in workers:
            worker.kill()
            worker.wait()
        command = start("normalize", files / "en.parts", tmp_path / "out", "--dask", address)
        assert command.stderr.readline() == f"warning: The scheduler at {address} has no workers; waiting for one.\n"
        with start_worker(tmp_path, address):
            assert (command.communicate(timeout=60)[1], command.returncode) == ("", 0)


@pytest.mark.parametrize("address", ["foo", "", "http://host:8786", "tcp://host"])
def test_what_is_no_address_is_named_with_examples(address):
    rule = f"^'{address}' is not the address of a scheduler. Use tcp://host:8786 or local.$"
    with pytest.raises(ParameterError, match=rule), Dask(address):
        pass


def test_a_lost_scheduler_is_one_line_and_leaves_no_output(files, tmp_path):
    with start_cluster(tmp_path) as (address, _, scheduler):

        def kill(what, done, total):
            if done:
                scheduler.kill()
                scheduler.wait()

        with (
            pytest.raises(IsoalignError, match=f"The Dask scheduler at {address} was lost"),
            Dask(address, timeout=1) as executor,
        ):
            normalize_file(files / "en.parts", tmp_path / "out", executor=executor, progress=kill)
        model = ia.Alignment.load(files / "model")
        with (
            pytest.raises(IsoalignError, match="No Dask scheduler answers"),
            Dask(address, timeout=1) as executor,
            use_workers(executor, sharing=ALL),
        ):
            ia.induce_lexicon(model)
    assert not (tmp_path / "out").exists()
