"""The page as a person uses it, in headless Chromium."""

import time
from urllib.parse import quote

import pytest

from isoalign.translation import Translator
from web.conftest import HEBREW, IMAGE, OVERRIDE, SCRIPT
from web.serving import Server

RESULT = "!document.querySelector('#result').hidden && document.querySelector('#headword').textContent"
HEADWORD = "document.querySelector('#headword').textContent === arguments[0] && location.search"
NOTICE = "!document.querySelector('#notice').hidden && document.querySelector('#notice').textContent"
FOCUS = "return document.activeElement.id"


@pytest.fixture
def page(browser, server):
    browser.go(server.url)
    browser.wait("document.querySelector('#start a')")
    return browser


def test_typing_completes_and_the_keyboard_chooses(page, planted):
    assert page.run(FOCUS) == "word"
    page.type("#word", "GIR")
    page.wait("document.querySelectorAll('#completions li').length === 4")
    assert page.run("return document.querySelector('#word').getAttribute('aria-expanded')") == "true"
    page.press("down", "down")
    active = page.run("return document.querySelector('#word').getAttribute('aria-activedescendant')")
    assert page.text(f"#{active} bdi") == "girls"
    page.press("enter")
    page.wait(HEADWORD, "girls")
    assert page.url.endswith("/?side=source&word=girls")
    expected = [entry.word for entry in Translator(planted).translate("girls", k=10)]
    assert page.texts("#translations a") == expected
    assert "10 translations of girls" in page.texts("#status")[0]
    assert page.run(FOCUS) == "headword"


def test_escape_closes_the_completions_and_enter_looks_up_what_is_typed(page):
    page.type("#word", "tok")
    page.wait("!document.querySelector('#completions').hidden")
    page.press("escape")
    assert page.run("return document.querySelector('#completions').hidden")
    page.type("#word", "yo")
    page.press("enter")
    page.wait(HEADWORD, "tokyo")
    assert "the same in Hebrew" in page.text("#about")


def test_a_score_below_zero_has_a_hollow_bar(page):
    page.go(f"{page.url}?side=source&word=girl")
    page.wait(HEADWORD, "girl")
    scores = page.run("return [...document.querySelectorAll('#translations data')].map(x => [x.value, x.textContent])")
    negative = [shown for value, shown in scores if float(value) < 0]
    assert 0 < len(negative) < len(scores)
    assert all(shown.startswith("−") for shown in negative)
    assert page.run("return document.querySelectorAll('#translations .bar.below').length") == len(negative)


def test_a_completion_can_be_clicked_in_any_script(page):
    page.type("#word", HEBREW[1][:2])
    page.wait("document.querySelector('#completions li')")
    page.click("#completions li")
    page.wait(HEADWORD, HEBREW[1])
    assert page.run("return document.querySelector('#headword bdi').lang") == "he"
    assert page.texts("#translations a")[0] == "girls"


def test_clicking_goes_on_and_back_returns(page):
    page.click("#start a")
    first = page.wait(RESULT)
    second = page.texts("#translations a")[0]
    page.click("#translations a")
    page.wait(HEADWORD, second)
    third = page.texts("#after a")[1]
    page.click("#after li:nth-child(2) a")
    page.wait(HEADWORD, third)
    page.back()
    page.wait(HEADWORD, second)
    page.back()
    page.wait(HEADWORD, first)
    page.back()
    page.wait("document.querySelector('#result').hidden && !document.querySelector('#start').hidden")


def test_a_shared_link_shows_the_same_word_and_model(browser, server):
    browser.go(f"{server.url}/?model=small&side=target&word=tokyo")
    browser.wait(HEADWORD, "tokyo")
    assert browser.run("return document.querySelector('#model').value") == "small"
    assert browser.text("#about").startswith("Hebrew, word 5 of 60")


def test_another_model_can_be_chosen(page):
    page.type("#word", "girl")
    page.press("enter")
    page.wait("document.querySelector('#about').textContent.includes('240')")
    page.run("const s = document.querySelector('#model'); s.value = 'small'; s.dispatchEvent(new Event('change'))")
    page.wait("document.querySelector('#about').textContent.includes('of 60')")
    assert "model=small" in page.url


def test_neighbors_picture_and_path_are_drawn_from_the_answer(browser, server):
    browser.go(f"{server.url}/?word=girl")
    browser.wait(RESULT)
    answer = server.get("/api/word", word="girl").json
    assert browser.texts("#before a") == [entry["word"] for entry in answer["rounds"][0]]
    assert browser.texts("#after a") == [entry["word"] for entry in answer["rounds"][-1]]
    assert browser.texts("#picture a text") == [point["word"] for point in answer["picture"]["points"]]
    assert len(browser.texts("#picture line")) == len(answer["picture"]["links"])
    words = {entry["word"] for stage in answer["rounds"] for entry in stage}
    assert len(browser.texts("#path .track")) == len(browser.texts("#ranks tbody tr")) == len(words)
    leaving = {e["word"] for e in answer["rounds"][0]} - {e["word"] for e in answer["rounds"][-1]}
    assert browser.texts("#before .badge") == ["leaves"] * len(leaving)
    browser.click("#picture a:nth-of-type(2) text")
    browser.wait(HEADWORD, answer["picture"]["points"][1]["word"])


@pytest.mark.parametrize("word", [SCRIPT, OVERRIDE, IMAGE, "a&b", "100%", HEBREW[0]])
def test_every_word_is_text_and_never_markup(browser, server, word):
    browser.go(f"{server.url}/?word={quote(word)}")
    browser.wait(HEADWORD, word)
    assert browser.run("return document.title") == f"{word} · isoalign"
    assert browser.run("return document.querySelector('#word').value") == word
    assert browser.run("return document.querySelectorAll('main script, main img').length") == 0
    assert len(browser.texts("#result li a")) == len(browser.texts("#result li a > bdi:only-child")) == 30


def test_an_unknown_word_is_explained_and_others_offered(browser_session, server):
    browser = browser_session
    browser.go(f"{server.url}/?word=girlz")
    assert "girlz is not in the vocabulary" in browser.wait(NOTICE)
    browser.click("#notice a")
    browser.wait(HEADWORD, "girl")
    assert browser.run("return document.querySelector('#notice').hidden")
    assert [line for line in browser.complaints() if "404" not in line] == []


def test_the_dictionary_is_filtered_sorted_paged_and_kept_in_the_address(browser, server):
    browser.go(f"{server.url}/?view=dictionary")
    total = server.get("/api/lexicon").json["total"]
    browser.wait("document.querySelector('#count').textContent === arguments[0]", f"{total} pairs")
    assert len(browser.texts("#pairs tbody tr")) == 50
    browser.click("#more")
    browser.wait("document.querySelectorAll('#pairs tbody tr').length === 100")
    browser.type("#filter [name=contains]", "girl")
    expected = server.get("/api/lexicon", contains="girl").json["pairs"]
    browser.wait("document.querySelectorAll('#pairs tbody tr').length === arguments[0]", len(expected))
    assert browser.texts("#pairs td:first-child") == [pair["source"] for pair in expected]
    assert browser.url.endswith("?view=dictionary&contains=girl")
    browser.run("location.reload()")
    browser.wait("document.querySelectorAll('#pairs tbody tr').length === arguments[0]", len(expected))
    browser.click("#pairs a")
    browser.wait(HEADWORD, expected[0]["source"])
    browser.back()
    browser.wait("!document.querySelector('#dictionary').hidden")


def test_the_download_holds_what_the_filter_lets_through(browser, server, tmp_path):
    browser.save_downloads_to(tmp_path)
    browser.go(f"{server.url}/?view=dictionary&contains=girl&sort=source")
    browser.wait("document.querySelector('#pairs td')")
    browser.click("#download")
    browser.wait("!document.querySelector('#download').disabled")
    file = tmp_path / "dictionary.tsv"
    expected = server.get("/api/lexicon", contains="girl", sort="source", format="tsv").body
    end = time.monotonic() + 10
    while not (file.exists() and file.read_bytes() == expected):
        assert time.monotonic() < end, list(tmp_path.iterdir())
        time.sleep(0.02)


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("path", ["/?word=girl", "/?view=dictionary", "/"])
def test_nothing_sticks_out_of_a_narrow_screen(browser, server, path, dark):
    browser.emulate(width=360, height=700, dark=dark)
    browser.go(server.url + path)
    browser.wait("document.querySelector('#version').textContent !== 'isoalign'")
    browser.wait(f"{RESULT} || document.querySelector('#start a') || document.querySelector('#pairs td')")
    assert browser.run("return document.documentElement.scrollWidth <= innerWidth")
    edges = "[...document.querySelectorAll('svg text')].map(x => x.getBoundingClientRect().right)"
    assert browser.run(f"return Math.max(0, ...{edges}) <= innerWidth")
    background = browser.run("return getComputedStyle(document.documentElement).backgroundColor")
    assert background == ("rgb(20, 23, 27)" if dark else "rgb(255, 255, 255)")


def test_everything_that_can_be_used_has_a_name(browser, server):
    browser.go(f"{server.url}/?word=girl")
    browser.wait(RESULT)
    nameless = browser.run(
        "return [...document.querySelectorAll('a, button, input, select')].filter(x => !(x.textContent.trim()"
        " || x.ariaLabel || x.labels?.length)).map(x => x.outerHTML)"
    )
    assert nameless == []
    ids = browser.run("return [...document.querySelectorAll('[id]')].map(x => x.id)")
    assert len(ids) == len(set(ids))
    missing = browser.run(
        "return [...document.querySelectorAll('[aria-labelledby], [aria-controls]')].filter(x =>"
        " !document.getElementById(x.getAttribute('aria-labelledby') ?? x.getAttribute('aria-controls'))).length"
    )
    assert missing == 0


def test_a_token_in_the_link_opens_the_page_and_leaves_the_address(browser_session, locked):
    browser, address = browser_session, locked.url.replace("0.0.0.0", "127.0.0.1")
    browser.go(address)
    assert "token" in browser.wait(NOTICE)
    browser.type("#notice input", "open-sesame")
    browser.press("enter")
    browser.wait("document.querySelector('#start a')")
    browser.run("sessionStorage.clear()")
    browser.go("about:blank")
    browser.go(f"{address}/?word=girl#token=open-sesame")
    browser.wait(HEADWORD, "girl")
    assert browser.url == f"{address}/?word=girl"
    assert [line for line in browser.complaints() if "401" not in line] == []


def test_a_dead_server_is_noticed_and_the_page_recovers(browser_session, folders):
    browser, server = browser_session, Server(folders[1])
    browser.go(server.url)
    browser.wait("document.querySelector('#start a')")
    server.stop()
    browser.click("#start a")
    assert "isoalign serve" in browser.wait(NOTICE)
    assert browser.run("return document.querySelector('#notice').getAttribute('role')") == "alert"
    again = Server(folders[1], "--port", server.url.rpartition(":")[2])
    try:
        browser.click("#notice button")
        browser.wait(RESULT)
        assert browser.run("return document.querySelector('#notice').hidden")
    finally:
        again.stop()
    assert all("ERR_CONNECTION_REFUSED" in line for line in browser.complaints())
