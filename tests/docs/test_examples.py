"""The example scripts run as they are, stay short, and are those of the gallery."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tools import gallery

EXAMPLES = sorted((Path(__file__).parent.parent.parent / "examples").glob("*.py"))
QUICK = {"align_two_files", "search_across_languages"}
MARKED = [pytest.param(path, marks=() if path.stem in QUICK else pytest.mark.slow) for path in EXAMPLES]


def test_the_gallery_has_five_of_the_examples():
    assert len(gallery.EXAMPLES) == 5
    assert gallery.EXAMPLES.keys() <= {path.stem for path in EXAMPLES}


def test_the_gallery_shows_the_scripts_as_they_are():
    page = gallery.PAGE.read_text(encoding="utf-8")
    for name in gallery.EXAMPLES:
        printed = re.search(rf"^\$ python examples/{name}\.py\n(.+?)^```$", page, re.MULTILINE | re.DOTALL)[1]
        assert gallery.make_section(name, printed).strip() in page, "run python -m tools.gallery"


@pytest.mark.parametrize("script", MARKED, ids=lambda script: script.stem)
def test_an_example_runs_and_prints(script, tmp_path):
    assert len(script.read_text(encoding="utf-8").split("\n")) < 70
    found = subprocess.run(
        [sys.executable, "-W", "error::DeprecationWarning:isoalign", script],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert found.returncode == 0, found.stderr
    assert found.stdout
