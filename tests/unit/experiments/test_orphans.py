"""What becomes of the workers when the process that started them is killed or interrupted."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from unit.experiments.tiny import CONFIG, write_tiny

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="children are found in /proc"),
]

ENDLESS = CONFIG.replace("epochs = 3", "epochs = 100000000").replace('"procrustes", "refine", ', "")
ENDLESS = ENDLESS.replace("[settings.refine]\nn_iter = 2\n", "")
JOBS = 2


@pytest.fixture
def endless(tmp_path):
    """Start a sweep that never ends and wait until its workers work."""
    config = write_tiny(tmp_path, ENDLESS)
    command = [sys.executable, "-m", "isoalign", "sweep", config, "-o", tmp_path / "r", "--jobs", JOBS, "--quiet"]
    sweep = subprocess.Popen(
        list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    )
    workers = wait_for(lambda: busy_children(sweep.pid), 60)
    yield sweep, workers
    for pid in [sweep.pid, *workers]:
        if is_alive(pid):
            os.kill(pid, signal.SIGKILL)
    sweep.communicate()


def wait_for(look, seconds):
    deadline = time.monotonic() + seconds
    while not (found := look()):
        assert time.monotonic() < deadline
        time.sleep(0.1)
    return found


def busy_children(pid):
    """Return the children once enough of them are past the start of Python."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    busy = [int(child) for child in children if processor_seconds(child) > 2]
    return busy if len(busy) == JOBS else None


def processor_seconds(pid):
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def is_alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_workers_end_within_seconds_when_their_parent_is_killed(endless):
    sweep, workers = endless
    sweep.kill()
    wait_for(lambda: not any(map(is_alive, workers)), 5)


def test_an_interrupt_ends_the_workers_without_tracebacks(endless):
    sweep, workers = endless
    os.killpg(sweep.pid, signal.SIGINT)
    _, errors = sweep.communicate(timeout=20)
    assert sweep.returncode == 130
    assert errors == b""
    assert not any(map(is_alive, workers))
