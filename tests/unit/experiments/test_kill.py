"""Killed twenty times at random moments, a sweep ends with the records of an undisturbed one."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from unit.experiments.tiny import timeless

KILLS = 20


@pytest.mark.slow
def test_no_cell_is_lost_or_computed_twice_when_the_sweep_is_killed(tiny, tmp_path):
    single = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    program = Path(__file__).with_name("kill_sweep.py")
    done = subprocess.run(
        [sys.executable, str(program), str(tiny), str(tmp_path), str(KILLS)],
        env={**os.environ, **single},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["struck"] == KILLS
    for number in range(report["folders"]):
        assert timeless(tmp_path / f"killed-{number}") == timeless(tiny.parent / "undisturbed")
