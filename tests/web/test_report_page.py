"""The report of the paper's whole grid as a person reads it, in headless Chromium and on paper."""

import pytest

import isoalign as ia
from isoalign.reporting import build_drift_report, write_report
from planted_drift import planted_drift
from unit.reporting import planted

VISIBLE = "return [...document.querySelectorAll(arguments[0])].filter(x => x.checkVisibility()).length"
WIDER = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
FIRST_COLUMN = "table tbody tr th"


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    path = tmp_path_factory.mktemp("report") / "report.html"
    write_report(planted.all_pairs(), path)
    assert path.stat().st_size < 3_000_000
    return path.as_uri()


@pytest.fixture
def report(browser, address):
    browser.go(address)
    return browser


def test_a_column_is_sorted_by_a_click_both_ways_and_the_average_stays_below(report):
    names = [f"en–{lang}" for lang in planted.LANGUAGES]
    assert report.texts(FIRST_COLUMN)[:39] == names
    heading = "thead tr:nth-child(2) th:nth-child(2)"
    report.click(f"{heading} button")
    assert report.texts(FIRST_COLUMN)[:39] == names[::-1]
    assert report.run(f"return document.querySelector('{heading}').ariaSort") == "descending"
    report.click(f"{heading} button")
    assert report.texts(FIRST_COLUMN)[:39] == names
    assert report.texts("tfoot th") == ["average of 39"]


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [1280, 400])
def test_the_page_is_as_wide_as_the_screen_and_what_is_wider_scrolls(browser, address, width, dark):
    browser.emulate(width=width, dark=dark)
    browser.go(address)
    assert browser.run(WIDER) == 0
    paper = browser.run("return getComputedStyle(document.body).backgroundColor")
    assert paper == ("rgb(21, 23, 27)" if dark else "rgb(255, 255, 255)")
    scrolled = browser.run("const box = document.querySelector('.scroll'); return box.scrollWidth > box.clientWidth")
    assert scrolled is (width == 400)


def test_lists_of_neighbors_are_no_towers_on_a_phone(browser, tmp_path):
    old, new, _ = planted_drift(planted=6, words=300)
    file = tmp_path / "drift.html"
    file.write_text(build_drift_report([ia.measure_drift(old, new, k=10)]), encoding="utf-8")
    browser.emulate(width=400)
    browser.go(file.as_uri())
    assert browser.run(WIDER) == 0
    rows = browser.run("return [...document.querySelectorAll('tbody tr')].map(x => x.offsetHeight).filter(x => x)")
    assert 0 < max(rows) < 120


def test_on_paper_nothing_is_dark_and_nothing_folded_pretends_to_open(browser, address):
    browser.emulate(width=800, dark=True, media="print")
    browser.go(address)
    assert browser.run("return getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert browser.run(VISIBLE, "nav, summary") == 0
    assert browser.run(VISIBLE, "figure") == 2
    assert "474 records of isoalign 1.0, computed on 2026-01-01 to 2026-01-09" in browser.text("#provenance")
    browser.run("for (const part of document.querySelectorAll('details')) part.open = true")
    assert browser.run(VISIBLE, "summary") == 5
