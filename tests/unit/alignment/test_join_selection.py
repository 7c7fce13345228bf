"""Choosing how spaces are joined, on words that were held out."""

import numpy as np
import pytest

import isoalign as ia
from isoalign.alignment._join_selection import hold_out_words, open_settings
from isoalign.alignment._joint_maps import JointProblem
from isoalign.alignment._joint_rounds import JoinSettings
from isoalign.errors import InvalidValueError, ParameterError
from many_languages import CHAIN, GRAPHS, STAR, TRIANGLE, dictionaries, pairs_of, planted_languages


def problem_of(graph, n=60):
    """Return the problem of planted languages; words have two translations here and there."""
    spaces = planted_languages(noise=0.3)
    rows = np.repeat(np.arange(n)[:, None], 2, axis=1)
    pairs = np.concatenate([rows, rows[::7] + np.array([0, 1])])
    return JointProblem({name: side.vectors for name, side in spaces.items()}, dict.fromkeys(graph, pairs), {}, ("en",))


def test_what_is_not_given_is_open_and_nothing_without_selection():
    assert open_settings(None, None, None, method="procrustes", select=None) == [JoinSettings(0, False, False)]
    assert len(open_settings(None, None, None, method="procrustes", select="validation")) == 4 * 2 * 2
    assert len(open_settings(None, None, None, method="least_squares", select="validation")) == 4 * 2
    fixed = open_settings(2, True, None, method="procrustes", select="validation")
    assert fixed == [JoinSettings(2, True, False), JoinSettings(2, True, True)]


@pytest.mark.parametrize("graph", GRAPHS)
def test_no_dictionary_keeps_a_word_that_is_asked(graph):
    problem = problem_of(GRAPHS[graph])
    left, asked = hold_out_words(problem, (), 0)
    assert set(asked) == {way for edge in GRAPHS[graph] for way in (edge, edge[::-1])}
    for (source, target), pairs in asked.items():
        edge = (source, target) if (source, target) in problem.pairs else (target, source)
        trained = set(left.pairs[edge][:, edge.index(source)].tolist())
        assert trained.isdisjoint(pairs[:, 0].tolist())
        assert {tuple(pair) for pair in pairs[:, :: 1 if edge[0] == source else -1].tolist()} <= {
            tuple(pair) for pair in problem.pairs[edge].tolist()
        }


def test_a_translation_does_not_leak_through_a_third_language():
    problem = problem_of(TRIANGLE)
    left, asked = hold_out_words(problem, (), 0)
    links = {}
    for (a, b), pairs in left.pairs.items():
        for x, y in pairs.tolist():
            links.setdefault((a, x), set()).add((b, y))
            links.setdefault((b, y), set()).add((a, x))
    for (source, target), pairs in asked.items():
        for x, y in pairs.tolist():
            through = set().union(*(links[middle] for middle in links.get((source, x), ())))
            assert (target, y) not in through


def test_a_fifth_of_the_pivots_words_is_held_out_of_a_star():
    left, asked = hold_out_words(problem_of(STAR), (), 0)
    words = set(asked["en", "fr"][:, 0].tolist())
    assert len(words) == 12
    for edge in STAR:
        assert words.isdisjoint(left.pairs[edge][:, 0].tolist())
        assert set(asked[edge][:, 0].tolist()) == words


def test_a_guessed_dictionary_loses_the_words_too_but_judges_nothing():
    problem = problem_of(STAR)
    left, asked = hold_out_words(problem, [("en", "ru")], 0)
    assert set(asked) == {("en", "fr"), ("fr", "en"), ("en", "ja"), ("ja", "en")}
    assert set(asked["en", "fr"][:, 0].tolist()).isdisjoint(left.pairs["en", "ru"][:, 0].tolist())
    with pytest.raises(ParameterError, match="at least one dictionary"):
        hold_out_words(problem, STAR, 0)


def test_a_dictionary_of_one_pair_cannot_be_split():
    with pytest.raises(InvalidValueError, match="too few pairs"):
        ia.join(planted_languages(("en", "fr")), {("en", "fr"): [("en0", "fr0")]}, select="validation")


def test_the_best_candidate_is_learned_from_all_pairs():
    spaces, given = planted_languages(noise=0.5), dictionaries(CHAIN, n=15)
    model = ia.join(spaces, given, pivot="en", select="validation", random_state=1)
    selection, settings = model.history["selection"], model.provenance["settings"]
    scores = [candidate["score"] for candidate in selection["candidates"]]
    assert len(scores) == 16
    best = selection["candidates"][int(np.argmax(scores))]["settings"]
    assert {name: settings[name] for name in best} == selection["chosen"]
    assert max(scores) == next(c["score"] for c in selection["candidates"] if c["settings"] == selection["chosen"])
    assert model.history["steps"][0]["dictionary_sizes"]["en-fr"] == 15
    again = ia.join(spaces, given, pivot="en", **selection["chosen"])
    for name in model:
        np.testing.assert_array_equal(model.space(name), again.space(name))


def test_what_was_given_stays_and_one_candidate_needs_no_judge():
    spaces, given = planted_languages(noise=0.5), dictionaries(STAR, n=30)
    model = ia.join(spaces, given, refine=1, middle=False, select="validation")
    tried = [candidate["settings"] for candidate in model.history["selection"]["candidates"]]
    assert tried == [{"refine": 1, "reweight": reweight, "middle": False} for reweight in (False, True)]
    alone = ia.join(spaces, given, refine=1, middle=False, reweight=False, select="validation")
    assert alone.history["selection"] is None


def test_rounds_are_chosen_for_a_language_that_is_added():
    spaces = planted_languages(noise=0.5)
    old = ia.join({name: spaces[name] for name in ("en", "fr", "ja")}, dictionaries(STAR[:2]))
    new = ia.join_into(old, {"ru": spaces["ru"]}, {("en", "ru"): pairs_of("en", "ru", 30)}, select="validation")
    candidates = new.history["joined"][0]["selection"]["candidates"]
    assert [candidate["settings"]["refine"] for candidate in candidates] == [0, 1, 2, 3]
    assert new.space("fr") is old.space("fr")
