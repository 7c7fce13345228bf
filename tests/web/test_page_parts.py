"""What the page adds to a bare answer: confidence, the map, two models, lists, links, the interface as a page."""

import csv
import json
import time

import pytest

from isoalign.translation import Translator, read_calibration
from web.conftest import HEBREW
from web.test_page import CHOOSE, HEADWORD, NOTICE

LEVEL = "document.querySelector('#translations .verdict summary').textContent"
LABELS = """
const boxes = [...document.querySelectorAll('#picture a:not(.quiet) text')].map(x => x.getBoundingClientRect());
const wide = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left);
const high = (a, b) => Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
const pairs = boxes.flatMap((a, i) => boxes.slice(i + 1).map(b => [wide(a, b), high(a, b)]));
return {shown: boxes.length, covered: pairs.filter(([w, h]) => w > 0.5 && h > 0.5).length}
"""
MARKS = "return [...document.querySelectorAll('#picture .mark')].map(x => x.getAttribute('transform'))"
SLIDE = "const s = document.querySelector('#slide'); s.value = arguments[0]; s.dispatchEvent(new Event('input'))"


def saved(folder, name):
    """Return the bytes of a download that has arrived."""
    end = time.monotonic() + 10
    while not (folder / name).exists():
        assert time.monotonic() < end, list(folder.iterdir())
        time.sleep(0.02)
    return (folder / name).read_bytes()


def test_confidence_is_said_in_words_and_explained_one_click_away(browser, server, calibrated):
    rates = read_calibration(calibrated.pair()).rates
    for word, level in (("word1", "clear"), ("word3", "doubtful")):
        browser.go(f"{server.url}/?model=calibrated&word={word}")
        browser.wait(HEADWORD, word)
        mutual = server.get("/api/word", model="calibrated", word=word).json["confidence"]["mutual"]
        words = "best in both directions" if mutual else "not the best in both directions"
        assert browser.run(f"return {LEVEL}") == f"{level}, {words}"
        assert level in browser.texts("#status")[0]
    assert not browser.run("return document.querySelector('.measured').checkVisibility()")
    browser.click(".verdict summary")
    shown = browser.text(".verdict")
    assert f"{rates['clear'].right} of {rates['clear'].n}" in shown
    assert "60 dictionary words that a second model" in shown


def test_a_model_without_calibration_says_only_what_is_known(browser, server):
    browser.go(f"{server.url}/?word=girl")
    browser.wait(HEADWORD, "girl")
    assert browser.run(f"return {LEVEL}") == "best in both directions"
    browser.click(".verdict summary")
    assert "isoalign align --calibrate" in browser.text(".verdict")


@pytest.mark.parametrize("width", [360, 1280])
def test_no_label_of_the_map_covers_another_wherever_the_slider_is(browser, server, width):
    browser.emulate(width=width)
    for word in ("girl", "tokyo", "word7"):
        browser.go(f"{server.url}/?member=en&word={word}")
        browser.wait(HEADWORD, word)
        for part in (100, 60, 30, 0):
            browser.run(SLIDE, part)
            found = browser.run(LABELS)
            assert found["covered"] == 0
            assert found["shown"] >= 8
            assert browser.run("return document.querySelectorAll('#picture a.head:not(.quiet)').length") >= 1


def test_the_slider_and_its_ends_move_the_map(browser, server):
    browser.go(f"{server.url}/?word=girl")
    browser.wait(HEADWORD, "girl")
    after = browser.run(MARKS)
    assert (
        browser.run("return document.querySelector('#slide').getAttribute('aria-valuetext')") == "after normalisation"
    )
    browser.click("#to-before")
    browser.wait("document.querySelector('#slide').value === '0'")
    before = browser.run(MARKS)
    assert len(before) == len(after)
    assert before != after
    browser.run("document.querySelector('#slide').focus()")
    browser.press("right")
    assert browser.run("return document.querySelector('#slide').value") == "1"
    assert browser.run(MARKS) != before
    browser.click("#to-after")
    browser.wait("document.querySelector('#slide').value === '100'")
    browser.wait(f"JSON.stringify((() => {{ {MARKS} }})()) === JSON.stringify(arguments[0])", after)  # the last frame


def test_rounds_are_folded_when_nothing_changes(browser, server):
    browser.go(server.url)
    browser.wait("document.querySelector('#start a')")
    browser.run(
        "const real = window.fetch; window.fetch = async (...given) => {"
        " const answer = await real(...given); if (!given[0].startsWith('/api/word')) return answer;"
        " const body = await answer.json(); body.rounds = body.rounds.map(() => body.rounds[0]);"
        " return new Response(JSON.stringify(body)); }"
    )
    browser.type("#word", "girl")
    browser.press("enter")
    browser.wait(HEADWORD, "girl")
    assert browser.text("#rounds summary").endswith("nothing changes")
    assert not browser.run("return document.querySelector('#rounds').open")
    browser.click("#rounds summary")
    browser.wait("document.querySelectorAll('#path .track').length === 10")
    assert browser.texts("#ranks thead th") == ["Word", "before", "1–5"]


def test_two_models_stand_side_by_side(browser, server):
    browser.go(f"{server.url}/?word=girl")
    browser.wait(HEADWORD, "girl")
    browser.wait("document.querySelectorAll('#beside option').length > 1")
    assert "hostile" not in browser.texts("#beside option")  # it has no Hebrew
    browser.run(CHOOSE, "#beside", "small")
    browser.wait("document.querySelectorAll('#models-side-by-side ol').length === 2")
    assert browser.url.endswith("beside=small")
    assert browser.texts("#models-side-by-side h4") == ["en-he", "small"]
    lists = []
    for number, name in enumerate(("en-he", "small"), start=1):
        answer = server.get("/api/translate", model=name, word="girl", k=8).json["translations"]
        lists.append([entry["word"] for entry in answer])
        assert browser.texts(f"#models-side-by-side > :nth-child({number}) a") == lists[-1]
    only = sum(word not in lists[1] for word in lists[0]) + sum(word not in lists[0] for word in lists[1])
    assert browser.texts("#models-side-by-side .badge") == ["only here"] * only
    shared = next(place for place, word in enumerate(lists[0], start=1) if word in lists[1])
    browser.click(f"#translations li:nth-child({shared}) a")  # the comparison goes along
    browser.wait("!document.querySelector('#two-models').hidden && !location.search.includes('girl')")


def test_a_word_that_the_other_model_lacks_is_no_error(browser_session, server):
    browser = browser_session
    browser.go(f"{server.url}/?word=word100&beside=small")
    browser.wait("document.querySelector('#models-side-by-side')?.textContent.includes('does not know the word')")
    assert browser.run("return document.querySelector('#notice').hidden")
    assert [line for line in browser.complaints() if "404" not in line] == []


@pytest.mark.parametrize("clipboard", ["{writeText: async (text) => { window.copied = text }}", "undefined"])
def test_a_link_is_copied_that_shows_the_same(browser, server, clipboard):
    browser.go(f"{server.url}/?word=Tokyo")
    browser.wait(HEADWORD, "tokyo")
    browser.run(f"Object.defineProperty(navigator, 'clipboard', {{value: {clipboard}}})")
    browser.click("#copy")
    browser.wait("document.querySelector('#copy').textContent === 'Copied'")
    if clipboard != "undefined":
        assert browser.run("return window.copied") == f"{server.url}/?member=en&to=he&word=tokyo"


def test_a_list_gives_a_table_and_a_file(browser, server, planted, tmp_path):
    browser.save_downloads_to(tmp_path)
    browser.go(f"{server.url}/?view=list")
    words = ["girl", "Tokyo", "nothing", "a&b", *(f"word{i}" for i in range(198)), "x" * 201]
    browser.wait("document.querySelector('#list-from option')")
    browser.run("document.querySelector('#list-words').value = arguments[0]", "\n".join(words))
    browser.click("#list-go")
    browser.wait("!document.querySelector('#list-download').disabled")
    assert browser.text("#list-count") == "203 words, 2 of them unknown, English to Hebrew."
    assert len(browser.texts("#list-table tbody tr")) == 200
    assert browser.text("#list-rest") == "And 3 more, which the file holds."
    assert browser.texts("#list-table tbody tr:nth-child(3) td") == ["nothing", "unknown word"]
    browser.click("#list-download")
    rows = list(csv.DictReader(saved(tmp_path, "translations.csv").decode("utf-8-sig").splitlines()))
    assert [row["word"] for row in rows] == words
    known = [row for row in rows if row["confidence"] != "unknown word"]
    found = Translator(planted).translate([row["looked_up"] for row in known], k=3)
    assert [row["translation"] for row in known] == [some[0].word for some in found]
    assert [row["third"] for row in known] == [some[2].word for some in found]
    assert {row["best_in_both_directions"] for row in known} <= {"yes", "no"}


def test_a_list_for_a_spreadsheet_has_no_formulas(browser, server, hostile, tmp_path):
    browser.save_downloads_to(tmp_path)
    browser.go(f"{server.url}/?view=list&model=hostile&member=en&to=ar")
    browser.wait("document.querySelector('#list-from option')")
    browser.run("document.querySelector('#list-words').value = arguments[0]", "=cmd|'/C'!A0\n@SUM(1)\n%s%n")
    browser.click("#list-go")
    browser.wait("!document.querySelector('#list-download').disabled")
    browser.click("#list-download")
    rows = list(csv.DictReader(saved(tmp_path, "translations.csv").decode("utf-8-sig").splitlines()))
    assert [row["translation"] for row in rows] == ["'=cmd|'/C'!A0", "'@SUM(1)", "%s%n"]
    assert [row["word"] for row in rows] == [row["translation"] for row in rows]
    assert all(float(row["score"]) for row in rows)


def test_a_file_can_be_chosen_or_dropped(browser, server, tmp_path):
    file = tmp_path / "words.txt"
    file.write_bytes(f"\ufeff{HEBREW[0]}\tfirst\r\n\r\n{HEBREW[1]}\r\n".encode())
    browser.go(f"{server.url}/?view=list")
    browser.wait("document.querySelector('#list-from option')")
    browser.type("#list-file", str(file))
    browser.wait("document.querySelector('#list-count').textContent === '2 words, Hebrew to English.'")
    assert browser.texts("#list-table td:nth-child(2)") == ["girl", "girls"]
    browser.run(
        "const data = new DataTransfer(); data.items.add(new File(['tokyo\\ngirl\\nword1'], 'words.txt'));"
        "const drop = new DragEvent('drop', {dataTransfer: data, cancelable: true});"
        "document.querySelector('#list-form').dispatchEvent(drop)"
    )
    browser.wait("document.querySelector('#list-count').textContent === '3 words, English to Hebrew.'")


def test_the_language_of_a_list_can_be_chosen(browser, server):
    browser.go(f"{server.url}/?view=list")
    browser.wait("document.querySelector('#list-from option')")
    browser.run(CHOOSE, "#list-from", "he")
    browser.wait("location.search.includes('member=he')")
    browser.type("#list-words", "tokyo")
    browser.click("#list-go")
    browser.wait("document.querySelector('#list-count').textContent === '1 word, Hebrew to English.'")


CUT = """
return [...document.querySelectorAll('#list select')].map((select) => {
  const copy = select.cloneNode(false);
  copy.append(new Option(select.selectedOptions[0].text));
  copy.style.width = "max-content";
  select.after(copy);
  const needed = copy.offsetWidth;
  copy.remove();
  return [select.selectedOptions[0].text, needed > select.offsetWidth];
});
"""


def test_no_choice_of_a_list_is_cut_on_a_phone(browser, server):
    browser.emulate(width=390)
    browser.go(f"{server.url}/?view=list")
    browser.wait("document.querySelector('#list-into option')")
    assert browser.run(CUT) == [["detect", False], ["other language", False]]


def test_the_dictionary_names_its_languages_once_it_knows_them(browser, server):
    browser.go(f"{server.url}/?view=dictionary")
    assert "hidden" in browser.run("return fetch('/').then(x => x.text())").partition('id="ends"')[2].partition(">")[0]
    browser.wait("document.querySelector('#swap').textContent === 'English ⇄ Hebrew'")
    assert not browser.run("return document.querySelector('#ends').hidden")


def test_the_interface_is_a_page_on_which_requests_can_be_tried(browser, server):
    browser.go(f"{server.url}/api")
    browser.wait("document.querySelector('.endpoint')")
    paths = server.get("/api/openapi.json").json["paths"]
    expected = [f"{method.upper()} {path}" for path, methods in paths.items() for method in methods]
    assert browser.texts(".endpoint h3") == expected
    for number, values in enumerate(
        ({"word": "girl"}, {"words": "girl tokyo"}), start=expected.index("GET /api/translate")
    ):
        form = f".endpoint:nth-child({number + 1})"
        for name, value in {**values, "k": 2}.items():
            browser.run("document.querySelector(arguments[0]).value = arguments[1]", f"{form} [name={name}]", value)
        browser.click(f"{form} button")
        browser.wait("document.querySelector(arguments[0]).textContent.includes('}')", f"{form} [aria-label=Answer]")
        answer = json.loads(browser.texts(f"{form} [aria-label=Answer]")[0])
        results = answer.get("results", [answer])
        assert [(entry["word"], len(entry["translations"])) for entry in results] == [
            (word, 2) for word in (values.get("words") or values["word"]).split()
        ]
    assert browser.texts(".endpoint [aria-label=Command]")[3].endswith("""--json '{"words":["girl","tokyo"],"k":2}'""")


@pytest.mark.slow
def test_languages_that_a_model_does_not_know_are_asked_for(browser, server_of_nameless):
    browser.go(server_of_nameless.url)
    browser.wait("!document.querySelector('#naming').hidden")
    assert "source" not in browser.text("main")
    assert browser.text("#ask") == "A word in language A or language B"
    for number, lang in ((1, "de"), (2, "ja")):
        browser.run(CHOOSE, f"#naming label:nth-of-type({number}) select", lang)
    browser.click("#naming button")
    browser.wait("document.querySelector('#ask').textContent === 'A word in German or Japanese'")
    browser.run("location.reload()")
    browser.wait("document.querySelector('#ask').textContent === 'A word in German or Japanese'")
    assert browser.run("return document.querySelector('#naming').hidden")


def test_a_word_in_another_case_is_shown_as_it_is_spelled(browser, server):
    browser.go(f"{server.url}/?word=GIRLFRIEND")
    browser.wait(HEADWORD, "girlfriend")
    assert "GIRLFRIEND is known in another case only" in browser.text("#about")


def test_an_error_in_a_list_is_explained(browser_session, server):
    browser = browser_session
    browser.go(f"{server.url}/?view=list&member=en&to=fr")
    browser.wait("document.querySelector('#list-from option')")
    browser.type("#list-words", "girl")
    browser.click("#list-go")
    assert "Its members are en, he." in browser.wait(NOTICE)
    assert not browser.run("return document.querySelector('#list-go').disabled")
    assert all("404" in line for line in browser.complaints())
