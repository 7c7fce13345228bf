"""Commands on an alignment of three members: --from and --to say which two are meant."""

import json

import pytest

import isoalign as ia
from isoalign.alignment import Member
from ranked_model import ranked_model


@pytest.fixture
def three(tmp_path):
    """Members aa, bb and cc; cc ranks the targets of bb in another order than aa."""
    first = ranked_model({"one": [0, 1], "two": [1, 0], "three": [2]})
    other = ranked_model({"un": [5, 4], "deux": [4, 5]})["aa"]
    model = ia.Alignment([*first.members, Member("cc", other.normalizer, other.map, other.raw)])
    model.save(tmp_path / "model")
    return tmp_path / "model"


def test_translate_goes_from_any_member_to_any_other(run, three):
    found = json.loads(run("translate", three, "un", "--from", "cc", "--to", "bb", "-k", 2, "--json").out)
    assert found["direction"] == "cc → bb"
    assert [best["word"] for best in found["translations"][0]["best"]] == ["t5", "t4"]
    options = ("t4", "-k", 1, "--retrieval", "nn")
    assert "deux" in run("translate", three, *options, "--from", "bb", "--to", "cc").out
    assert "deux" in run("translate", three, *options, "--from", "cc", "--to", "bb", "--reverse").out


def test_induce_and_evaluate_take_the_same_two_members(run, three, tmp_path):
    options = ("--from", "cc", "--to", "bb")
    pairs = json.loads(run("induce", three, *options, "--json").out)["pairs"]
    assert {(pair["source"], pair["target"]) for pair in pairs} == {("un", "t5"), ("deux", "t4")}
    (tmp_path / "test.txt").write_text("un\tt5\ndeux\tt4\n")
    measured = ("evaluate", "bli", three, "--lexicon", tmp_path / "test.txt", "--retrieval", "nn", "--both-directions")
    found = json.loads(run(*measured, *options, "--json").out)
    assert found["directions"] == ["cc → bb", "bb → cc"]
    assert [result["precision"]["1"] for result in found["results"]] == [1, 1]
    alike = run("compare", three, three, "--lexicon", tmp_path / "test.txt", *options, "--json")
    assert json.loads(alike.out)["comparisons"][0]["n"] == 2
    (tmp_path / "set.txt").write_text("un t5 9\nun t0 1\ndeux t4 8\n")
    similar = run("evaluate", "similarity", tmp_path / "set.txt", "--model", three, *options, "--json")
    assert json.loads(similar.out)["results"][0]["n"] == 3
    shape = json.loads(run("evaluate", "isomorphism", three, *options, "--json").out)
    assert shape["n_words"] == 2


def test_files_stand_for_the_members_named(run, three, tmp_path):
    ia.write_vectors(ranked_model({"neuf": [3]}).raw("aa"), tmp_path / "cc.vec")
    options = ("--from", "cc", "--to", "bb", "--source", tmp_path / "cc.vec", "--retrieval", "nn", "-k", 1)
    assert run("translate", three, "neuf", *options).out.split()[:2] == ["neuf", "t3"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((), "Choose two of the members aa, bb, cc"),
        (("--from", "aa"), "Choose two"),
        (("--from", "aa", "--to", "aa"), "different members"),
        (("--from", "aa", "--to", "dd"), "member must be one of 'aa', 'bb', 'cc'"),
    ],
)
def test_members_must_be_two_and_known(run, three, options, message):
    refused = run("translate", three, "one", *options)
    assert (refused.code, refused.out) == (2, "")
    assert message in refused.err
