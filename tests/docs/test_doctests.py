"""The Python examples of the documentation print what they say."""

import doctest
from pathlib import Path

import pytest

DOCS = Path(__file__).parent.parent.parent / "docs"
PAGES = [page for page in sorted(DOCS.rglob("*.md")) if ">>> " in page.read_text(encoding="utf-8")]


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(DOCS)))
def test_the_examples_of_a_page_run(page):
    result = doctest.testfile(str(page), module_relative=False, encoding="utf-8", optionflags=doctest.ELLIPSIS)
    assert result.attempted > 0
    assert result.failed == 0
