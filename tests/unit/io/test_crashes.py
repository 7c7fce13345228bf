"""Every writer, killed and failing at every step: the old or the new output opens afterwards."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="the program forks")
def test_no_step_of_any_writer_loses_the_output(tmp_path):
    program = Path(__file__).with_name("crash_writers.py")
    done = subprocess.run([sys.executable, str(program), str(tmp_path)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    report = json.loads(done.stdout)
    assert {key: entry["troubles"] for key, entry in report.items() if entry["troubles"]} == {}
    assert len(report) == 34
    assert all(entry["steps"] > 5 for entry in report.values())
