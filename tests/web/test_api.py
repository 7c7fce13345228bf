import json
import threading
from dataclasses import asdict

import pytest

from isoalign.translation import (
    Translator,
    find_returns,
    gather_evidence,
    induce_lexicon,
    most_similar,
    read_calibration,
)
from isoalign.web._limits import LIMITS
from web.conftest import HEBREW, IMAGE, OVERRIDE, SCRIPT


def check_schema(value, schema, document):
    """Compare a value with the part of JSON Schema that the description uses."""
    if "anyOf" in schema:
        schema = schema["anyOf"][1 if value is None else 0]
    if "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    names = {dict: "object", list: "array", str: "string", int: "integer", float: "number", bool: "boolean"}
    kind = "null" if value is None else names[type(value)]
    allowed = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    assert kind in allowed or (kind == "integer" and "number" in allowed), (value, schema)
    if kind == "object":
        assert set(value) == set(schema["required"]) == set(schema["properties"])
        for name, part in value.items():
            check_schema(part, schema["properties"][name], document)
    elif kind == "array":
        for part in value:
            check_schema(part, schema["items"], document)
    elif "enum" in schema:
        assert value in schema["enum"]


@pytest.mark.parametrize(
    ("path", "query"),
    [
        ("/health", {}),
        ("/api/models", {}),
        ("/api/translate", {"word": "girl"}),
        ("/api/translate", {"word": "girl", "confidence": "true"}),
        ("/api/neighbors", {"word": "girl", "k": 3}),
        ("/api/word", {"word": HEBREW[0]}),
        ("/api/languages", {"word": "girl", "model": "trio"}),
        ("/api/complete", {"prefix": "g"}),
        ("/api/lexicon", {"limit": 5}),
    ],
)
def test_answers_have_the_shape_that_the_description_states(server, path, query):
    document = server.get("/api/openapi.json").json
    answer = server.get(path, **query)
    assert answer.status == 200
    content = document["paths"][path]["get"]["responses"]["200"]["content"]
    check_schema(answer.json, content["application/json"]["schema"], document)


def test_many_translations_and_errors_have_the_shape_that_the_description_states(server):
    document = server.get("/api/openapi.json").json
    schemas = document["components"]["schemas"]
    many = server.post("/api/translate", {"words": ["girl", "nothing"]}).json
    check_schema(many, schemas["ManyTranslations"], document)
    check_schema(server.get("/api/translate", word="girl", k=0).json, schemas["Error"], document)


def test_every_described_parameter_is_accepted_and_no_other(server):
    document = server.get("/api/openapi.json").json
    examples = {
        "word": "girl",
        "prefix": "g",
        "model": "small",
        "member": "en",
        "to": "he",
        "sort": "translation",
        "format": "json",
    }
    for path, methods in document["paths"].items():
        query = {
            parameter["name"]: examples.get(parameter["name"], {"boolean": "true"}.get(parameter["schema"]["type"], 1))
            for parameter in methods["get"]["parameters"]
        }
        assert server.get(path, **query).status == 200, path
        refused = server.get(path, **query, unheard_of=1)
        assert refused.status == 400
        assert "unheard_of" in refused.message


def test_models_are_listed_under_the_names_of_their_folders(server, folders):
    models = server.get("/api/models").json["models"]
    assert [model["name"] for model in models] == [folder.name for folder in folders]
    assert [(member["name"], member["lang"], member["words"]) for member in models[0]["members"]] == [
        ("en", "en", 240),
        ("he", "he", 240),
    ]
    assert [member["name"] for member in models[2]["members"]] == ["en", "he", "en2"]
    assert all(len(member["examples"]) == 4 for model in models[:3] for member in model["members"])
    assert str(folders[0].parent) not in json.dumps(models)


@pytest.mark.parametrize(("word", "member", "to"), [("girl", "en", "he"), (HEBREW[2], "he", "en")])
def test_translations_are_those_of_the_library(server, planted, word, member, to):
    answer = server.get("/api/translate", word=word, k=4).json
    expected = Translator(planted, source=member, target=to).translate(word, k=4)
    assert (answer["member"], answer["to"]) == (member, to)
    assert [entry["word"] for entry in answer["translations"]] == [entry.word for entry in expected]
    assert [entry["score"] for entry in answer["translations"]] == pytest.approx([e.score for e in expected], abs=1e-6)


def test_hostile_words_translate_like_all_others(server):
    for word, translation in ((SCRIPT, f"מילה{0}"), (OVERRIDE, f"מילה{1}"), ("new york", "tokyo"), ("tokyo", IMAGE)):
        assert server.get("/api/translate", word=word, member="en").json["translations"][0]["word"] == translation


def test_many_words_come_back_in_order_with_null_for_unknown_ones(server, planted):
    words = ["girl", "nothing", "tokyo", "girl", *planted.raw("en").index_to_key]
    answer = server.post("/api/translate", {"words": words, "k": 1}).json["results"]
    assert [entry["word"] for entry in answer] == words
    assert all(entry["confidence"] is None for entry in answer)
    assert answer[1]["translations"] is None
    assert answer[0] == answer[3]
    expected = Translator(planted).translate(planted.raw("en").index_to_key, k=1)
    assert [e["translations"][0]["word"] for e in answer[4:]] == [some[0].word for some in expected]


def test_words_are_glossed_by_their_own_best_translations(server, planted):
    page = server.get("/api/word", word="girl", k=4).json
    back = Translator(planted, source="he", target="en")
    assert [e["gloss"] for e in page["translations"]] == [
        back.translate(e["word"], k=1)[0].word for e in page["translations"]
    ]
    shown = {entry["word"] for stage in (page["rounds"][0], page["rounds"][-1]) for entry in stage}
    glosses = {entry["word"]: entry["gloss"] for entry in page["glosses"]}
    assert shown <= set(glosses)
    assert glosses == {word: Translator(planted).translate(word, k=1)[0].word for word in glosses}


def test_confidence_is_that_of_the_library(server, calibrated):
    words = calibrated.raw("en").index_to_key[:60]
    answer = server.post("/api/translate", {"model": "calibrated", "words": words, "k": 1, "confidence": True}).json
    found = Translator(calibrated).translate(words, k=2)
    returns = find_returns(Translator(calibrated, source="he", target="en"), (some[0].word for some in found))
    evidence = gather_evidence(found, returns)
    got = [entry["confidence"] for entry in answer["results"]]
    assert [entry["level"] for entry in got] == read_calibration(calibrated.pair()).judge(evidence)
    assert [entry["mutual"] for entry in got] == [one.mutual for one in evidence]
    assert [entry["margin"] for entry in got] == pytest.approx([one.margin for one in evidence], abs=1e-6)
    assert all(len(entry["translations"]) == 1 for entry in answer["results"])


def test_a_model_tells_how_often_its_verdicts_were_right(server, calibrated):
    models = {model["name"]: model for model in server.get("/api/models").json["models"]}
    assert models["en-he"]["calibrations"] == []
    forth, back = models["calibrated"]["calibrations"]
    assert (forth["member"], forth["to"], back["member"], back["to"]) == ("en", "he", "he", "en")
    known = read_calibration(calibrated.pair())
    assert sum(level["n"] for level in forth["levels"]) == forth["words"] == known.n
    assert forth["levels"][0] == {"level": "clear", **asdict(known.rates["clear"])}


def test_a_model_that_was_not_calibrated_has_no_word_for_its_confidence(server):
    found = server.get("/api/translate", word="girl", confidence="true").json["confidence"]
    assert found["level"] is None
    assert found["mutual"] is True


@pytest.mark.parametrize(("word", "spelled"), [("GIRLFRIEND", "girlfriend"), ("Tokyo", "tokyo"), ("Girl", "Girl")])
def test_a_word_in_another_case_is_looked_up_as_it_is_spelled(server, word, spelled):
    for path in ("/api/word", "/api/translate"):
        answer = server.get(path, word=word).json
        assert (answer["word"], answer["looked_up"], answer["member"]) == (word, spelled, "en")
    (many,) = server.post("/api/translate", {"words": [word]}).json["results"]
    assert (many["word"], many["looked_up"]) == (word, spelled)


def test_a_list_belongs_to_the_member_that_knows_most_of_it(server):
    answer = server.post("/api/translate", {"words": ["tokyo", HEBREW[0], HEBREW[1]]}).json
    assert (answer["member"], answer["to"]) == ("he", "en")
    assert all(entry["translations"] for entry in answer["results"])
    assert server.post("/api/translate", {"words": ["tokyo"]}).json["member"] == "en"


def test_a_word_of_both_languages_is_found_in_the_one_asked_for(server):
    assert server.get("/api/word", word="tokyo").json["known_in"] == ["en", "he"]
    for member, to in (("en", "he"), ("he", "en")):
        for query in ({"member": member}, {"to": to}, {"member": member, "to": to}):
            answer = server.get("/api/translate", word="tokyo", **query).json
            assert (answer["member"], answer["to"]) == (member, to)


def test_neighbors_before_normalisation_are_those_of_the_raw_vectors(server, planted):
    rounds = server.get("/api/neighbors", word="girl", k=5).json["rounds"]
    expected = most_similar(planted.raw("en"), "girl", k=5)
    assert [entry["word"] for entry in rounds[0]] == [entry.word for entry in expected]
    assert len(rounds) == 6


def test_the_page_data_agree_with_the_single_answers(server):
    page = server.get("/api/word", word="girl", k=6).json
    single = server.get("/api/translate", word="girl", k=6, confidence="true").json
    assert [(e["word"], e["score"]) for e in page["translations"]] == [
        tuple(e.values()) for e in single["translations"]
    ]
    assert page["confidence"] == single["confidence"]
    assert page["rounds"] == server.get("/api/neighbors", word="girl", k=6).json["rounds"]


def test_the_picture_joins_each_word_with_its_best_translation(server):
    picture = server.get("/api/word", word="girl").json["picture"]
    points = picture["points"]
    assert points[0] == {**points[0], "word": "girl", "member": "en"}
    for source, target in picture["links"]:
        best = server.get("/api/translate", word=points[source]["word"], member="en", k=1).json["translations"][0]
        assert (points[target]["word"], points[target]["member"]) == (best["word"], "he")
    assert max(abs(value) for point in points for end in ("before", "after") for value in point[end]) == 1


def test_completion_covers_both_languages_unless_one_is_named(server):
    both = server.get("/api/complete", prefix="TOK").json["words"]
    assert both == [{"word": "tokyo", "member": "en", "place": 6}, {"word": "tokyo", "member": "he", "place": 5}]
    one = server.get("/api/complete", prefix="g", member="en", limit=2).json["words"]
    assert [entry["word"] for entry in one] == ["girl", "girls"]


def test_an_unknown_word_is_not_found_and_others_are_suggested(server):
    answer = server.get("/api/word", word="girlz")
    assert answer.status == 404
    assert [entry["word"] for entry in answer.json["error"]["suggestions"]] == ["girl", "Girl", "girls", "girlfriend"]


def test_the_dictionary_is_the_induced_one_filtered_and_sorted(server, planted):
    lexicon = induce_lexicon(planted)
    answer = server.get("/api/lexicon", limit=1000).json
    assert answer["total"] == len(lexicon)
    assert [pair["score"] for pair in answer["pairs"]] == sorted(pair["score"] for pair in answer["pairs"])[::-1]
    some = server.get("/api/lexicon", contains="GIRL", sort="frequency", min_score=-4).json["pairs"]
    assert [pair["word"] for pair in some] == [s for s, _ in lexicon if "girl" in s.lower()]
    backwards = server.get("/api/lexicon", sort="word", descending="true", limit=3).json["pairs"]
    assert [pair["word"] for pair in backwards] == sorted((s for s, _ in lexicon), reverse=True)[:3]
    assert server.get("/api/lexicon", min_score=4).json["pairs"] == []
    assert server.get("/api/lexicon", mutual="false").json["total"] == 240


def test_the_dictionary_can_be_paged_through(server):
    whole = server.get("/api/lexicon", limit=30).json["pairs"]
    parts = [
        pair for offset in (0, 10, 20) for pair in server.get("/api/lexicon", limit=10, offset=offset).json["pairs"]
    ]
    assert parts == whole


def test_the_dictionary_as_tsv_is_a_file_that_isoalign_reads(server, tmp_path):
    from isoalign.io import read_lexicon

    answer = server.get("/api/lexicon", format="tsv", sort="word")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="dictionary.tsv"'
    assert answer.headers["Content-Type"] == "text/tab-separated-values; charset=utf-8"
    (tmp_path / "dictionary.tsv").write_bytes(answer.body)
    pairs = server.get("/api/lexicon", sort="word", limit=1000).json["pairs"]
    assert list(read_lexicon(tmp_path / "dictionary.tsv")) == [(pair["word"], pair["translation"]) for pair in pairs]


@pytest.mark.parametrize(
    ("path", "query", "message"),
    [
        ("/api/translate", {}, "word is missing"),
        ("/api/translate", {"word": ""}, "at least 1 characters"),
        ("/api/translate", {"word": "x" * 201}, "at most 200 characters"),
        ("/api/translate", {"word": "girl", "k": 101}, "k must be at most 100"),
        ("/api/translate", {"word": "girl", "k": "ten"}, "k must be a value of type integer"),
        ("/api/translate", {"word": "girl", "k": "٣"}, "k must be a value of type integer"),
        ("/api/translate", {"word": "girl", "member": "en", "to": "en"}, "different members. Got 'en' twice"),
        ("/api/lexicon", {"min_score": "nan"}, "min_score must be a value of type number"),
        ("/api/lexicon", {"limit": 1001}, "at most 1000"),
        ("/api/lexicon", {"mutual": "maybe"}, "boolean"),
    ],
)
def test_bad_parameters_are_refused_with_the_rule(server, path, query, message):
    answer = server.get(path, **query)
    assert answer.status == 400
    assert message in answer.message


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"{", "must be JSON"),
        (b"\xff", "must be JSON"),
        (b"[" * 100_000, "must be JSON"),
        (b"[]", "must be a JSON object"),
        (b"{}", "words is missing"),
        (b'{"words": "girl"}', "a list of strings"),
        (b'{"words": [1]}', "a list of strings"),
        (b'{"words": []}', "at least 1 words"),
        (b'{"words": [""]}', "1 to 200 characters"),
        (b'{"words": ["girl"], "k": true}', "k must be a value of type integer"),
        (json.dumps({"words": ["girl"] * (LIMITS.words + 1)}).encode(), "at most 1000 words"),
    ],
)
def test_bad_bodies_are_refused_with_the_rule(server, body, message):
    answer = server.post("/api/translate", body)
    assert answer.status == 400
    assert message in answer.message


def test_an_unknown_model_is_not_found(server):
    assert server.get("/api/translate", word="girl", model="../en-he").status == 404


@pytest.mark.parametrize("query", [{"member": "hee"}, {"to": "hee"}, {"member": "en", "to": "hee"}])
@pytest.mark.parametrize("path", ["/api/translate", "/api/word", "/api/lexicon"])
def test_an_unknown_member_is_not_found_and_the_others_are_named(server, path, query):
    word = {} if path == "/api/lexicon" else {"word": "girl"}
    answer = server.get(path, **word, **query)
    assert answer.status == 404
    assert "has no member 'hee'. Its members are en, he. Did you mean 'he'?" in answer.message


def test_requests_at_the_same_time_get_each_their_own_answer(server, planted):
    words = planted.raw("en").index_to_key[10:40]
    found = {}

    def ask(word):
        found[word] = server.get("/api/translate", word=word, k=1).json

    threads = [threading.Thread(target=ask, args=(word,)) for word in words]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    expected = Translator(planted).translate(words, k=1)
    assert [found[word]["translations"][0]["word"] for word in words] == [some[0].word for some in expected]


def test_a_direction_beyond_the_first_pair_is_that_of_the_library(server, trio):
    assert ("en2", "he") not in trio.means
    answer = server.get("/api/translate", model="trio", word="nur", to="he", k=4).json
    expected = Translator(trio, source="en2", target="he").translate("nur", k=4)
    assert (answer["member"], answer["to"]) == ("en2", "he")
    assert [entry["word"] for entry in answer["translations"]] == [entry.word for entry in expected]
    assert [entry["score"] for entry in answer["translations"]] == pytest.approx([e.score for e in expected], abs=1e-6)


@pytest.mark.parametrize(
    ("query", "member", "to"),
    [
        ({"word": "girl"}, "en", "he"),
        ({"word": "girl", "to": "en"}, "en2", "en"),
        ({"word": "girl", "member": "en2"}, "en2", "en"),
        ({"word": "tokyo", "to": "en"}, "he", "en"),
        ({"word": HEBREW[0]}, "he", "en2"),
        ({"word": "wort7"}, "en2", "en"),
    ],
)
def test_what_is_left_out_is_the_first_member_that_knows_the_word_and_the_next_in_order(server, query, member, to):
    answer = server.get("/api/word", model="trio", **query).json
    assert (answer["member"], answer["to"]) == (member, to)
    assert {point["member"] for point in answer["picture"]["points"]} == {member, to}


def test_a_word_is_translated_into_every_other_member(server, trio):
    answer = server.get("/api/languages", model="trio", word="girl", k=3).json
    assert (answer["member"], [entry["member"] for entry in answer["languages"]]) == ("en", ["he", "en2"])
    for entry in answer["languages"]:
        expected = Translator(trio, source="en", target=entry["member"]).translate("girl", k=3)
        assert [found["word"] for found in entry["translations"]] == [found.word for found in expected]
    assert server.get("/api/languages", word="girl").json["languages"][0]["member"] == "he"
    assert server.get("/api/languages", word="nothing").status == 404


def test_a_word_is_not_looked_for_where_it_is_to_be_translated_into(server):
    answer = server.get("/api/translate", model="trio", word="nur", to="en2")
    assert answer.status == 404
    assert "'nur' is not in the vocabulary of en or he" in answer.message


def test_many_words_of_any_member_are_translated_into_any_other(server, trio):
    words = trio.raw("en2").index_to_key[:20]
    answer = server.post("/api/translate", {"model": "trio", "member": "en2", "to": "en", "words": words, "k": 1}).json
    assert (answer["member"], answer["to"]) == ("en2", "en")
    assert [entry["translations"][0]["word"] for entry in answer["results"]] == trio.raw("en").index_to_key[:20]


def test_every_direction_has_its_own_dictionary(server, trio):
    for member, to in (("en2", "he"), ("he", "en2"), ("en", "en2")):
        answer = server.get("/api/lexicon", model="trio", member=member, to=to, sort="frequency", limit=1000).json
        assert (answer["member"], answer["to"]) == (member, to)
        expected = induce_lexicon(trio, source=member, target=to)
        assert [(pair["word"], pair["translation"]) for pair in answer["pairs"]] == list(expected)
    assert server.get("/api/lexicon", model="trio", to="en", limit=1).json["member"] == "he"


def test_completion_covers_all_members(server):
    words = server.get("/api/complete", model="trio", prefix="girl", limit=3).json["words"]
    assert [(entry["word"], entry["member"]) for entry in words] == [("girl", "en"), ("girl", "en2"), ("Girl", "en")]
