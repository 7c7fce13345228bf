"""A tiny sweep for all tests, run on one thread: its matrices are too small to share out."""

import pytest

from isoalign._core.threads import limit_threads
from isoalign.experiments import read_config, sweep
from unit.experiments.tiny import write_tiny


@pytest.fixture(autouse=True, scope="session")
def one_thread():
    with limit_threads(1):
        yield


@pytest.fixture(scope="session")
def tiny(one_thread, tmp_path_factory):
    """Give the path of a tiny sweep; the folder ``undisturbed`` beside it has the results of a run in one process."""
    folder = tmp_path_factory.mktemp("tiny")
    path = write_tiny(folder)
    sweep(read_config(path), folder / "undisturbed")
    return path
