"""The view of change of meaning: its JSON, and its page in a browser."""

import time

import pytest

import isoalign as ia
from isoalign.drift import write_drift
from planted_drift import planted_drift
from web.conftest import SCRIPT
from web.serving import Server
from web.test_api import check_schema


@pytest.fixture(scope="module")
def drift():
    """Two steps, two measures, and a word that would like to be a script."""
    old, new, changed = planted_drift(planted=6, words=300)
    hostile = {word: SCRIPT if word == min(changed) else word for word in old.index_to_key}
    old, new = (ia.Embeddings([hostile[word] for word in one.index_to_key], one.vectors) for one in (old, new))
    spaces = {"1900": old, "2000": new, "2020": old.with_vectors(planted_drift(seed=5, words=300)[0].vectors)}
    return ia.measure_drifts(spaces, measures=("cd", "lnd"), k=5)


@pytest.fixture(scope="module")
def alone(drift, tmp_path_factory):
    path = tmp_path_factory.mktemp("drift") / "drift.json"
    write_drift(drift, path)
    server = Server("--drift", path)
    yield server
    server.stop()


def test_words_come_in_pages_ordered_by_what_is_asked(alone, drift):
    step = drift.steps[1]
    found = alone.get("/api/drift", step=1, measure=1, offset=2, limit=3).json
    expected = sorted(step.words, key=lambda word: -word.evidence["lnd"].z)[2:5]
    assert [word["word"] for word in found["words"]] == [word.word for word in expected]
    assert found["words"][0]["then"] == list(expected[0].then)
    assert [(one["old"], one["new"]) for one in found["steps"]] == [
        ("1900", "2000"),
        ("2000", "2020"),
        ("1900", "2020"),
    ]
    assert (found["total"], found["measures"], found["home"]) == (len(step.words), ["cd", "lnd"], False)


def test_its_answers_have_the_shape_that_the_description_states(alone):
    document = alone.get("/api/openapi.json").json
    assert [*document["paths"]] == ["/api/drift"]
    check_schema(alone.get("/api/drift").json, document["components"]["schemas"]["Drift"], document)


def test_words_can_be_filtered(alone, drift):
    changed = drift.steps[0].changed()
    found = alone.get("/api/drift", max_q=0.05).json
    assert [word["word"] for word in found["words"]] == [word.word for word in changed]
    assert alone.get("/api/drift", contains="SCRIPT").json["words"][0]["word"] == SCRIPT


@pytest.mark.parametrize(
    ("query", "status"),
    [({"step": 3}, 404), ({"measure": 2}, 404), ({"limit": 0}, 400), ({"word": "x"}, 400)],
    ids=["no such step", "no such measure", "bad limit", "unknown parameter"],
)
def test_bad_requests_are_refused_as_json(alone, query, status):
    answer = alone.get("/api/drift", **query)
    assert answer.status == status
    assert answer.message


def test_neighbors_stand_side_by_side_and_words_stay_text(alone, drift, browser):
    browser.go(alone.url)
    browser.wait("document.querySelectorAll('#words tr').length === 50")
    assert browser.texts("#words th") == [word.word for word in drift.steps[0].words[:50]]
    first = drift.steps[0].words[0]
    assert browser.texts("#words tr:first-child .then bdi") == list(first.then)
    assert browser.texts("#words tr:first-child .now bdi") == list(first.now)
    lost = [word for word in first.then if word not in first.now]
    assert browser.texts("#words tr:first-child .then b") == lost
    assert browser.run("return document.title") == "Change of meaning · isoalign"
    browser.click("#more")
    browser.wait("document.querySelectorAll('#words tr').length === 100")
    browser.click("[name=changed]")
    browser.wait("document.querySelectorAll('#words tr').length === arguments[0]", len(drift.steps[0].changed()))


def test_beside_models_the_first_page_links_to_the_view(drift, folders, tmp_path):
    write_drift(drift.steps[0], tmp_path / "drift.json")
    server = Server(folders[1], "--drift", tmp_path / "drift.json")
    try:
        assert b'<a href="/drift">Change</a>' in server.get("/").body
        assert server.get("/drift").status == 200
        assert server.get("/api/drift", limit=1).json["home"] is True
        assert server.get("/api/models").status == 200
        while not server.get("/health").json["warm"]:
            time.sleep(0.1)  # a server that is still compiling stops late
    finally:
        server.stop()


def test_without_a_result_there_is_no_view(server):
    assert b'<a href="/drift" hidden>' in server.get("/").body
    assert server.get("/drift").status == server.get("/api/drift").status == 404
