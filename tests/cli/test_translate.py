"""``isoalign translate``: every word gets its answer."""

import csv
import io
import json
import sys


def test_every_word_gets_its_line(run, animals):
    found = run("translate", animals, "cat", "rivver", "Tokyo", "xyzzy", "-k", 1)
    assert found.code == 0
    assert [line.split()[:2] for line in found.out.splitlines()] == [
        ["cat", "猫"],
        ["rivver", "unknown;"],
        ["Tokyo", "東京"],
        ["xyzzy", "unknown"],
    ]
    assert "unknown; close spellings: river" in found.out
    piped = run("translate", animals, "-k", 1, stdin="cat\nrivver\nTokyo\nxyzzy\n")
    assert piped == found


def test_unknown_words_are_marked_in_json(run, animals):
    found = json.loads(run("translate", animals, "cat", "rivver", "-k", 1, "--json").out)["translations"]
    assert found[0]["best"][0]["word"] == "猫"
    assert found[1] == {"word": "rivver", "best": [], "unknown": True, "close": ["river"]}


def test_only_if_all_words_are_unknown_does_the_command_fail(run, animals):
    one = run("translate", animals, "rivver")
    assert (one.code, one.out) == (5, "")
    assert one.err == "error: 'rivver' is not among the 5 en words. Close spellings: river.\n"
    both = run("translate", animals, "rivver", "xyzzy")
    assert (both.code, both.err) == (5, "error: None of the 2 words is known.\n")
    assert len(both.out.splitlines()) == 2
    assert run("translate", animals, "cat", "--retrieval", "best").code == 2


def test_a_word_of_the_other_language_is_told_to_be_translated_the_other_way(run, animals):
    refused = run("translate", animals, "猫")
    assert refused.code == 5
    assert refused.err == "error: '猫' is not among the 5 en words. It is a word of ja: use --reverse.\n"
    assert run("translate", animals, "cat", "-r").err.endswith("It is a word of en: omit --reverse.\n")
    assert "unknown. It is a word of ja: use --reverse." in run("translate", animals, "cat", "犬").out


def test_a_word_in_another_case_is_looked_up_and_that_is_said(run, animals):
    found = run("translate", animals, "Cat", "tokyo", "DOG", "-k", 1)
    assert [line.split()[1] for line in found.out.splitlines()] == ["猫", "東京", "犬"]
    assert found.err == "warning: Looked up in another case: 'cat' for 'Cat', 'Tokyo' for 'tokyo', 'dog' for 'DOG'.\n"
    answers = json.loads(run("translate", animals, "Cat", "--json").out)["translations"]
    assert (answers[0]["word"], answers[0]["looked_up"]) == ("Cat", "cat")


def test_csv_has_a_header_and_a_line_for_every_translation(run, animals):
    found = run("translate", animals, "New York", "xyzzy", "-k", 2, "--csv")
    rows = list(csv.DictReader(io.StringIO(found.out)))
    assert found.out.startswith("word,looked_up,rank,translation,score\n")
    assert [(row["word"], row["rank"], row["translation"]) for row in rows][::2] == [
        ("New York", "1", "紐育, NY"),
        ("xyzzy", "", ""),
    ]


def test_a_device_without_pytorch_is_one_line_that_says_what_to_install(run, animals, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    found = run("translate", animals, "cat", "--device", "cuda")
    assert (found.code, found.out) == (4, "")
    assert "[torch]" in found.err
    assert run("translate", animals, "cat", "--device", "cpu") == run("translate", animals, "cat")
