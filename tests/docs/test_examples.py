"""The example scripts run as they are, and stay short."""

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parent.parent.parent / "examples").glob("*.py"))
QUICK = {"align_two_files"}
MARKED = [pytest.param(path, marks=() if path.stem in QUICK else pytest.mark.slow) for path in EXAMPLES]


def test_there_are_six_examples():
    assert len(EXAMPLES) == 6


@pytest.mark.parametrize("script", MARKED, ids=lambda script: script.stem)
def test_an_example_runs_and_prints(script, tmp_path):
    assert len(script.read_text(encoding="utf-8").split("\n")) < 60
    found = subprocess.run(
        [sys.executable, "-W", "error::DeprecationWarning:isoalign", script],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert found.returncode == 0, found.stderr
    assert found.stdout
