"""A real scheduler and two worker processes; one worker is killed in mid-sweep."""

import signal

import pytest

from clusters import start_cluster
from isoalign.errors import IsoalignError, ParameterError
from isoalign.experiments import Dask, read_config, sweep
from unit.experiments.tiny import CONFIG, timeless, write_tiny

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    with start_cluster(tmp_path_factory.mktemp("dask")) as (address, workers, _):
        yield address, workers


def test_a_sweep_completes_when_a_worker_is_killed(tiny, tmp_path, cluster):
    address, workers = cluster

    def kill_one(what, done, total):
        if what == "cells" and done and workers[0].poll() is None:
            workers[0].send_signal(signal.SIGKILL)
            workers[0].wait()

    found = sweep(read_config(tiny), tmp_path / "r", executor=Dask(address), progress=kill_one)
    assert workers[0].returncode == -signal.SIGKILL
    assert (found.computed, found.failures) == (27, ())
    assert timeless(tmp_path / "r") == timeless(tiny.parent / "undisturbed")


def test_vectors_can_travel_through_the_network(tiny, tmp_path, cluster):
    sweep(read_config(tiny), tmp_path / "r", executor=Dask(cluster[0], ship=True))
    assert timeless(tmp_path / "r") == timeless(tiny.parent / "undisturbed")


@pytest.mark.slow
def test_a_scheduler_that_is_killed_is_named_and_what_is_done_is_kept(tiny, tmp_path):
    with start_cluster(tmp_path) as (address, _, scheduler):

        def kill(what, done, total):
            if what == "cells" and done:
                scheduler.kill()
                scheduler.wait()

        with pytest.raises(IsoalignError, match=f"The Dask scheduler at {address} was lost"):
            sweep(read_config(tiny), tmp_path / "r", executor=Dask(address, timeout=1), progress=kill)
    assert 0 < len(timeless(tmp_path / "r")) < 27


def test_a_scheduler_that_does_not_answer_is_named(tiny, tmp_path):
    with pytest.raises(ParameterError, match=r"No Dask scheduler answers at tcp://127\.0\.0\.1:9"):
        sweep(read_config(tiny), tmp_path / "r", executor=Dask("tcp://127.0.0.1:9", timeout=0.3))


def test_a_local_cluster_needs_no_address(tmp_path):
    text = CONFIG.replace('["de", "fr"]', '["de"]').replace('"refine", "rcsls"]', '"vecmap"]').partition("[settings")[0]
    found = sweep(read_config(write_tiny(tmp_path, text)), tmp_path / "r", executor=Dask(jobs=1))
    assert (found.computed, found.failures) == (3 + 3 * 3, ())
