"""The page as a person uses it, in headless Chromium."""

import time
from urllib.parse import quote

import pytest

from isoalign.translation import Translator
from web.conftest import HEBREW, IMAGE, OVERRIDE, SCRIPT
from web.serving import Server

RESULT = "!document.querySelector('#result').hidden && document.querySelector('#headword').textContent"
HEADWORD = "document.querySelector('#headword').textContent === arguments[0] && location.search"
EXAMPLE = f"!document.querySelector('#start').hidden && {RESULT}"
SHOWN = "document.querySelector('#result:not([hidden]) h2 *, #pairs td, #list:not([hidden]), #endpoints h3')"
NOTICE = "!document.querySelector('#notice').hidden && document.querySelector('#notice').textContent"
FOCUS = "return document.activeElement.id"


@pytest.fixture
def page(browser, server):
    browser.go(server.url)
    browser.wait(EXAMPLE)
    return browser


def test_the_first_view_says_what_it_is_for_and_shows_an_example(page, server):
    model = server.get("/api/models").json["models"][0]
    assert page.text("#purpose").startswith("The words of English and Hebrew in one space:")
    assert page.texts("#start a") == [word for member in model["members"] for word in member["examples"]]
    assert page.text("#headword") == model["members"][0]["examples"][0]
    assert page.text("#for-example").lower() == "for example"
    assert page.run("return document.querySelector('#word').value + location.search + document.title") == "isoalign"
    page.click("#start li:nth-child(2) a")
    page.wait(HEADWORD, model["members"][0]["examples"][1])
    assert page.run("return ['purpose', 'start', 'for-example'].every(x => document.getElementById(x).hidden)")


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
    assert page.url.endswith("/?member=en&word=girls")
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
    page.go(f"{page.url}?member=en&word=girl")
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
    first = page.texts("#start a")[0]
    page.click("#start a")
    page.wait(HEADWORD, first)
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
    page.wait("!document.querySelector('#start').hidden && !document.querySelector('#for-example').hidden")


def test_a_shared_link_shows_the_same_word_and_model(browser, server):
    browser.go(f"{server.url}/?model=small&member=he&word=tokyo")
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


CHOOSE = "const s = document.querySelector(arguments[0]); s.value = arguments[1];"
CHOOSE += " for (const kind of ['input', 'change']) s.dispatchEvent(new Event(kind, { bubbles: true }))"
INTO = "document.querySelector('#h-translations').textContent === arguments[0]"
LANGUAGES = "return ['#from', '#into'].map(x => document.querySelector(x).selectedOptions[0].textContent)"


def test_two_languages_need_no_lists_and_are_called_by_their_names(page):
    assert page.text("#ask") == "A word in English or Hebrew"
    assert not page.run("return document.querySelector('#languages').checkVisibility()")
    assert "240 English and 240 Hebrew words" in page.text("#start")
    page.click("#to-dictionary")
    page.wait("document.querySelector('#pairs td')")
    page.click("#swap")
    page.wait("document.querySelector('#dictionary-from').textContent === 'Hebrew'")
    assert page.text("#swap") == "Hebrew ⇄ English"
    assert page.url.endswith("?view=dictionary&member=he&to=en")
    assert page.run("return document.querySelector('#pairs td bdi').lang") == "he"


def test_one_of_three_languages_is_chosen_at_either_end(browser, server, trio):
    browser.go(f"{server.url}/?model=trio")
    browser.wait("document.querySelector('#start a')")
    assert browser.texts("#from option") == ["any language", "English (en)", "Hebrew", "English (en2)"]
    assert browser.run(LANGUAGES) == ["any language", "any other"]
    browser.type("#word", "girl")
    browser.press("enter")
    browser.wait(INTO, "Translations into Hebrew")
    assert browser.run(LANGUAGES) == ["English (en)", "Hebrew"]
    browser.run(CHOOSE, "#into", "en2")
    browser.wait(INTO, "Translations into English (en2)")
    assert browser.url.endswith("/?model=trio&member=en&to=en2&word=girl")
    assert len(set(browser.run("return [...document.querySelectorAll('#legend .mark')].map(x => x.tagName)"))) == 2
    browser.run(CHOOSE, "#from", "en2")  # the language of the other end: the two are swapped
    browser.wait(INTO, "Translations into English (en)")
    expected = Translator(trio, source="en2", target="en").translate("girl", k=10)
    assert browser.texts("#translations a") == [entry.word for entry in expected]
    browser.click("#translations li:nth-child(2) a")
    browser.wait(HEADWORD, expected[1].word)
    assert browser.run(LANGUAGES) == ["English (en)", "English (en2)"]
    browser.back()
    browser.wait(HEADWORD, "girl")


SIDE_BY_SIDE = "document.querySelectorAll('#languages-side-by-side ol').length === 2"


def test_one_word_is_shown_in_all_languages_side_by_side(browser, server, trio):
    browser.go(f"{server.url}/?model=trio&member=en&word=girl")
    browser.wait(SIDE_BY_SIDE)
    assert browser.texts("#everywhere h4") == ["Hebrew", "English (en2)"]
    for number, name in enumerate(("he", "en2"), start=1):
        expected = Translator(trio, source="en", target=name).translate("girl", k=5)
        assert browser.texts(f"#everywhere div > div:nth-child({number}) li a") == [entry.word for entry in expected]
    assert browser.texts("#everywhere [aria-current]") == ["Hebrew"]
    browser.run("document.querySelector('#everywhere div > div:nth-child(2) h4 a').focus()")
    browser.press("enter")
    browser.wait(INTO, "Translations into English (en2)")
    browser.wait("document.querySelector('#everywhere [aria-current]').textContent === 'English (en2)'")
    browser.click("#everywhere li:nth-child(2) a")
    browser.wait(HEADWORD, Translator(trio, source="en", target="he").translate("girl", k=2)[1].word)
    assert browser.run(LANGUAGES) == ["Hebrew", "English (en)"]


def test_two_languages_have_nothing_to_show_side_by_side(page):
    page.click("#start a")
    page.wait(RESULT)
    assert page.run("return document.querySelector('#everywhere').hidden")


def test_languages_that_are_not_ready_are_asked_for_again(browser, server):
    browser.go(f"{server.url}/?model=trio")
    browser.wait("document.querySelector('#start a')")
    browser.run(
        "const real = window.fetch; window.fetch = async (...given) => {"
        " const answer = await real(...given);"
        " if (!given[0].startsWith('/api/languages') || window.areReady) return answer;"
        " const body = await answer.json(); body.languages[1].translations = null;"
        " return new Response(JSON.stringify(body)); }"
    )
    browser.type("#word", "girl")
    browser.press("enter")
    browser.wait("document.querySelector('#everywhere')?.textContent.includes('Being computed …')")
    assert browser.texts("#everywhere ol") != []
    browser.run("window.areReady = true")
    browser.wait(SIDE_BY_SIDE)
    assert browser.run("return document.querySelector('#everywhere').getAttribute('aria-busy')") == "false"


def test_a_word_that_the_chosen_language_lacks_is_found_in_another(browser_session, server):
    browser = browser_session
    browser.go(f"{server.url}/?model=trio&member=he&to=en")
    browser.wait("document.querySelector('#start a')")
    browser.type("#word", "nur")
    browser.press("enter")
    browser.wait(HEADWORD, "nur")
    browser.wait("document.querySelector('#about').textContent.startsWith('English (en2)')")
    assert browser.url.endswith("/?model=trio&member=en2&word=nur")
    assert [line for line in browser.complaints() if "404" not in line] == []


def test_the_dictionary_of_three_languages_goes_any_way(browser, server):
    browser.go(f"{server.url}/?model=trio&view=dictionary")
    browser.wait("document.querySelector('#pairs td')")
    heads = "[...document.querySelectorAll('#pairs th')].slice(0, 2).map(x => x.textContent).join()"
    assert browser.run(f"return {heads}") == "English (en),Hebrew"
    browser.run(CHOOSE, "#filter [name=to]", "en2")
    browser.wait(f"{heads} === 'English (en),English (en2)'")
    browser.click("#swap")
    browser.wait(f"{heads} === 'English (en2),English (en)'")
    browser.run(CHOOSE, "#filter [name=sort]", "word")
    browser.wait("location.search.includes('sort=word')")
    pairs = server.get("/api/lexicon", model="trio", member="en2", to="en", sort="word").json["pairs"]
    browser.wait("document.querySelector('#pairs td').textContent === arguments[0]", pairs[0]["word"])
    assert browser.texts("#pairs td:nth-child(2)") == [pair["translation"] for pair in pairs]
    browser.click("#pairs a")
    browser.wait(HEADWORD, pairs[0]["word"])
    assert "member=en2&to=en&" in browser.url


def test_an_unknown_language_in_the_address_is_explained(browser_session, server):
    browser = browser_session
    browser.go(f"{server.url}/?member=fr&word=girl")
    assert "Its members are en, he." in browser.wait(NOTICE)
    assert [line for line in browser.complaints() if "404" not in line] == []


def test_neighbors_picture_and_path_are_drawn_from_the_answer(browser, server):
    browser.go(f"{server.url}/?word=girl")
    browser.wait(RESULT)
    answer = server.get("/api/word", word="girl").json
    glosses = {entry["word"]: entry["gloss"] for entry in answer["glosses"]}
    assert browser.texts("#before a") == [entry["word"] for entry in answer["rounds"][0]]
    assert browser.texts("#after a") == [entry["word"] for entry in answer["rounds"][-1]]
    assert browser.texts("#picture a text") == [point["word"] for point in answer["picture"]["points"]]
    assert len(browser.texts("#picture line.link")) == len(answer["picture"]["links"])
    assert browser.texts("#after .gloss") == [glosses[entry["word"]] for entry in answer["rounds"][-1]]
    assert browser.texts("#translations .gloss") == [entry["gloss"] for entry in answer["translations"]]
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


@pytest.mark.parametrize("width", [360, 1280])
def test_a_hostile_vocabulary_is_shown_and_obeyed_by_nothing(browser, server, hostile, width):
    words = hostile.raw("en").index_to_key
    browser.emulate(width=width)
    browser.go(f"{server.url}/?model=hostile&view=dictionary&sort=frequency")
    browser.wait("document.querySelectorAll('#pairs tr').length > 10")
    for column in (1, 2):
        assert browser.texts(f"#pairs td:nth-child({column}) a > bdi:only-child") == words
    assert browser.run("return document.documentElement.scrollWidth <= innerWidth")
    for word in ("\x1b[2J\x1b[H", "\u202egnp.exe", "nul\x00byte", "x" * 180):
        browser.go(f"{server.url}/?model=hostile&member=en&word={quote(word)}")
        browser.wait(HEADWORD, word)
        browser.wait(SIDE_BY_SIDE)
        assert browser.texts("#everywhere ol:first-of-type li:first-child a") == [word, word]
        assert browser.run("return document.documentElement.scrollWidth <= innerWidth")
        assert browser.run("return document.querySelectorAll('main script, main img').length") == 0


def test_a_word_too_long_to_be_asked_for_is_explained(browser_session, server, hostile):
    browser = browser_session
    browser.go(f"{server.url}/?model=hostile&word={quote(hostile.raw('en').index_to_key[-1])}")
    assert "word must be at most 200 characters long" in browser.wait(NOTICE)
    assert all("400" in line for line in browser.complaints())


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
    assert browser.texts("#pairs td:first-child") == [pair["word"] for pair in expected]
    assert browser.url.endswith("?view=dictionary&contains=girl")
    browser.run("location.reload()")
    browser.wait("document.querySelectorAll('#pairs tbody tr').length === arguments[0]", len(expected))
    browser.click("#pairs a")
    browser.wait(HEADWORD, expected[0]["word"])
    browser.back()
    browser.wait("!document.querySelector('#dictionary').hidden")


def test_the_download_holds_what_the_filter_lets_through(browser, server, tmp_path):
    browser.save_downloads_to(tmp_path)
    browser.go(f"{server.url}/?view=dictionary&contains=girl&sort=word")
    browser.wait("document.querySelector('#pairs td')")
    browser.click("#download")
    browser.wait("!document.querySelector('#download').disabled")
    file = tmp_path / "dictionary.tsv"
    expected = server.get("/api/lexicon", contains="girl", sort="word", format="tsv").body
    end = time.monotonic() + 10
    while not (file.exists() and file.read_bytes() == expected):
        assert time.monotonic() < end, list(tmp_path.iterdir())
        time.sleep(0.02)


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize(
    "path",
    [
        "/?word=girl&beside=small",
        "/?view=dictionary",
        "/",
        "/?model=trio&word=girl",
        "/?model=trio&view=dictionary",
        "/?model=calibrated&word=word1",
        "/?view=list",
        "/api",
    ],
)
def test_nothing_sticks_out_of_a_narrow_screen(browser, server, path, dark):
    browser.emulate(width=360, height=700, dark=dark)
    browser.go(server.url + path)
    browser.wait("document.querySelector('#version').textContent !== 'isoalign'")
    browser.wait(SHOWN)
    browser.run("for (const folded of document.querySelectorAll('details')) folded.open = true")
    if "trio&word" in path:
        browser.wait(SIDE_BY_SIDE)
    assert browser.run("return document.documentElement.scrollWidth <= innerWidth")
    edges = "[...document.querySelectorAll('svg text')].map(x => x.getBoundingClientRect().right)"
    assert browser.run(f"return Math.max(0, ...{edges}) <= innerWidth")
    background = browser.run("return getComputedStyle(document.documentElement).backgroundColor")
    assert background == ("rgb(20, 23, 27)" if dark else "rgb(255, 255, 255)")


@pytest.mark.parametrize("path", ["/?word=girl&beside=small", "/?view=list", "/?view=dictionary", "/api"])
def test_everything_that_can_be_used_has_a_name(browser, server, path):
    browser.go(server.url + path)
    browser.wait(SHOWN)
    nameless = browser.run(
        "return [...document.querySelectorAll('a, button, input, select, textarea, summary')]"
        ".filter(x => !(x.textContent.trim() || x.ariaLabel || x.labels?.length)).map(x => x.outerHTML)"
    )
    assert nameless == []
    ids = browser.run("return [...document.querySelectorAll('[id]')].map(x => x.id)")
    assert len(ids) == len(set(ids))
    missing = browser.run(
        "return [...document.querySelectorAll('[aria-labelledby], [aria-controls]')].filter(x =>"
        " !document.getElementById(x.getAttribute('aria-labelledby') ?? x.getAttribute('aria-controls'))).length"
    )
    assert missing == 0


@pytest.mark.slow
def test_the_tab_key_reaches_everything_and_shows_where_it_is(browser, server):
    browser.go(f"{server.url}/?model=calibrated&word=word1")
    browser.wait(HEADWORD, "word1")
    reached = set()
    for _ in range(150):
        browser.press("tab")
        here = browser.run(
            "const x = document.activeElement; return [x.id || x.getAttribute('class') || x.tagName.toLowerCase(),"
            " x.tagName === 'SUMMARY' ? x.parentElement.id || x.parentElement.className : '',"
            " x === document.body || x.checkVisibility() && getComputedStyle(x).outlineStyle !== 'none']"
        )
        assert here[2], here
        reached.update(here[:2])
        if here[0] == "body":
            break
    assert {"word", "beside", "copy", "verdict", "note", "slide", "to-before", "rounds"} <= reached


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
        browser.wait(f"document.querySelector('#notice').hidden && {RESULT}")
    finally:
        again.stop()
    assert all("ERR_CONNECTION_REFUSED" in line for line in browser.complaints())
