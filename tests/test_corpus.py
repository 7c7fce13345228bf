"""Inputs that once broke a reader, and what became of them; see tools/fuzz.py."""

import shutil
from pathlib import Path

import pytest

from tools._fuzz_formats import FORMATS, check_input

CORPUS = Path(__file__).parent / "corpus"
INPUTS = sorted(CORPUS.glob("*/*"))


@pytest.mark.parametrize("place", INPUTS, ids=lambda place: f"{place.parent.name}-{place.name}")
def test_a_finding_of_the_past_stays_closed(tmp_path, place):
    folder = tmp_path / "input"
    shutil.copytree(place, folder)
    assert check_input(place.parent.name, folder) is None


@pytest.mark.parametrize("name", [name for name in FORMATS if name not in ("records", "model")])
def test_every_valid_input_is_read(tmp_path, name):
    for number, files in enumerate(FORMATS[name].make()):
        for file, data in files.items():
            (tmp_path / str(number) / file).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / str(number) / file).write_bytes(data)
        FORMATS[name].use(tmp_path / str(number))
