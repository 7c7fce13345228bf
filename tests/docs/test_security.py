"""Every statement of SECURITY.md names tests that exist, and its table the bounds that hold."""

import re
from pathlib import Path

import pytest

from isoalign.datasets import _http
from isoalign.io import _bounds

ROOT = Path(__file__).parent.parent.parent
TEXT = (ROOT / "SECURITY.md").read_text("utf-8")
STATEMENTS = re.findall(r"^- .+$", TEXT, flags=re.MULTILINE)


@pytest.mark.parametrize("statement", STATEMENTS, ids=lambda statement: statement[2:50])
def test_a_statement_is_followed_by_tests_that_exist(statement):
    named = re.findall(r"(test_\w+\.py)::(test_\w+)", statement.partition("<!--")[2])
    assert named
    for file, function in named:
        texts = [path.read_text("utf-8") for path in (ROOT / "tests").rglob(file)]
        assert any(f"def {function}(" in text for text in texts), f"{file}::{function}"


def test_the_table_states_every_bound_as_it_is():
    rows = re.findall(r"^\| .+ \| ([\d,]+) \w+ \| `(\w+)` \|$", TEXT, flags=re.MULTILINE)
    stated = {name: int(value.replace(",", "")) for value, name in rows}
    constants = {name for name in _bounds.__all__ if name.isupper()} - {"WORD_CHARACTERS"}
    assert stated == {name: getattr(_bounds, name) for name in constants}


def test_the_limits_of_downloads_are_as_stated():
    assert (_http._MOST_BYTES, _http._SLOW_BYTES, _http._SLOW_SECONDS) == (16 << 30, 64 << 10, 60)
