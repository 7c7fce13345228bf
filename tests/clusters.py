"""Real Dask clusters of processes on this machine."""

import os
import subprocess
import sys
from contextlib import contextmanager


@contextmanager
def start_cluster(folder):
    """Start a scheduler and two workers without nannies, so that a killed worker stays dead."""
    # A command that ran in this process may have asked for fewer messages; the address is one of them.
    env = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "DASK_LOGGING__DISTRIBUTED": "info"}
    settings = {"env": env, "cwd": folder, "stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
    scheduler = subprocess.Popen(
        [sys.executable, "-m", "dask", "scheduler", "--host", "127.0.0.1", "--port", "0", "--dashboard-address", ":0"],
        **settings,
    )
    address = next(line.rpartition(b" ")[2].decode().strip() for line in scheduler.stderr if b"Scheduler at:" in line)
    worker = [sys.executable, "-m", "dask", "worker", address, "--no-nanny", "--nthreads", "1", "--no-dashboard"]
    workers = [subprocess.Popen(worker, **{**settings, "stderr": subprocess.DEVNULL}) for _ in range(2)]
    yield address, workers, scheduler
    for process in (*workers, scheduler):
        process.kill()
        process.wait()
    scheduler.stderr.close()
