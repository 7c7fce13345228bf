"""Real Dask clusters of processes on this machine."""

import os
import subprocess
import sys
from contextlib import contextmanager

from distributed import Client


@contextmanager
def start_cluster(folder):
    """Start a scheduler and two workers without nannies, so that a killed worker stays dead, and wait for them."""
    scheduler = subprocess.Popen(
        [sys.executable, "-m", "dask", "scheduler", "--host", "127.0.0.1", "--port", "0", "--dashboard-address", ":0"],
        **_settings(folder),
        stderr=subprocess.PIPE,
    )
    try:
        address = next(
            line.rpartition(b" ")[2].decode().strip() for line in scheduler.stderr if b"Scheduler at:" in line
        )
        with start_worker(folder, address) as first, start_worker(folder, address) as second:
            with Client(address) as client:
                client.wait_for_workers(2, timeout=60)
            yield address, [first, second], scheduler
    finally:
        scheduler.kill()
        scheduler.wait()
        scheduler.stderr.close()


@contextmanager
def start_worker(folder, address):
    """Start a worker, and end it with the block."""
    command = [sys.executable, "-m", "dask", "worker", address, "--no-nanny", "--nthreads", "1", "--no-dashboard"]
    worker = subprocess.Popen(command, **_settings(folder), stderr=subprocess.DEVNULL)
    try:
        yield worker
    finally:
        worker.kill()
        worker.wait()


def _settings(folder):
    # A command that ran in this process may have asked for fewer messages; the address is one of them.
    env = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "DASK_LOGGING__DISTRIBUTED": "info"}
    return {"env": env, "cwd": folder, "stdout": subprocess.DEVNULL}
