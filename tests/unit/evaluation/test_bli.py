"""Lexicon induction, on models whose answers are known."""

import json

import numpy as np
import pytest

import isoalign as ia
from isoalign.errors import InvalidValueError, IsoalignWarning, ParameterError
from isoalign.evaluation import PROTOCOLS, BliResult
from isoalign.neighbors import CSLS
from ranked_model import ranked_model

MODEL = ranked_model({"one": [0, 1, 2, 3], "two": [4, 5], "three": [2], "t5": [5]})
# one: ranks 2 and 4; two: rank 1, twice; three: one unknown translation, rank 3; four: unknown; five: no known pair
LEXICON = ia.Lexicon(
    [
        ("one", "t1"),
        ("one", "t3"),
        ("two", "t4"),
        ("two", "t4"),
        ("three", "?"),
        ("three", "t1"),
        ("four", "t0"),
        ("t5", "??"),
    ]
)


def evaluate(protocol="muse", **options):
    return ia.evaluate_bli(MODEL, LEXICON, protocol=protocol, **{"retrieval": "nn", "ks": (1, 2, 3), **options})


def test_muse_drops_unknown_pairs_and_takes_any_translation():
    found = evaluate("muse")
    assert found.n == 3
    assert [answer.rank for answer in found.answers] == [2, 1, 3]
    assert found.precision == {1: 1 / 3, 2: 2 / 3, 3: 1.0}
    assert found.mrr == pytest.approx((1 / 2 + 1 + 1 / 3) / 3)
    assert found.mrr_at == 3


def test_fasttext_counts_source_words_without_a_known_pair_as_wrong():
    found = evaluate("fasttext")
    assert found.n == 5
    assert found.precision == {1: 1 / 5, 2: 2 / 5, 3: 3 / 5}
    assert [answer.rank for answer in found.answers] == [2, 1, 3, None, None]
    assert found.answers[3].row is None
    assert found.answers[3].gold == ("t0",)


def test_vecmap_reports_the_share_of_known_source_words():
    found = evaluate("vecmap")
    assert found.precision == evaluate("muse").precision
    assert (found.coverage, found.known_sources, found.n_sources) == (3 / 5, 3, 5)


def test_xling_asks_every_known_line_for_one_answer_and_looks_at_all_ranks():
    found = evaluate("xling", ks=(1,))
    assert [answer.rank for answer in found.answers] == [2, 4, 1, 1, 3]
    assert found.precision == {1: 2 / 5}
    assert found.mrr == pytest.approx((1 / 2 + 1 / 4 + 1 + 1 + 1 / 3) / 5)
    assert found.mrr_at is None


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_without_a_retrieval_the_protocol_decides(protocol):
    found = ia.evaluate_bli(MODEL, LEXICON, protocol=protocol)
    assert found.retrieval == {"csls": "CSLS()", "nn": "Cosine()"}[PROTOCOLS[protocol].retrieval]


def test_ranks_beyond_the_candidates_are_found_on_request_only():
    assert [answer.rank for answer in evaluate("muse", ks=(1,)).answers] == [None, 1, None]
    found = evaluate("muse", ks=(1,), full_ranks=True)
    assert [answer.rank for answer in found.answers] == [2, 1, 3]
    assert found.mrr == evaluate("muse", ks=(1,)).mrr


def test_answers_hold_the_best_candidates_with_their_cosines():
    answer = evaluate("muse").answers[0]
    assert (answer.word, answer.gold, answer.row) == ("one", ("t1", "t3"), 0)
    assert answer.candidates == ("t0", "t1", "t2")
    np.testing.assert_allclose(answer.scores, np.array([6, 5, 4]) / np.sqrt(91), rtol=1e-6)


def test_words_spelled_alike_are_scored_apart_or_left_out():
    lexicon = [("one", "t0"), ("T5", "t5"), ("t5", "t5"), ("t5", "t1")]
    found = ia.evaluate_bli(MODEL, lexicon, retrieval="nn")
    assert {group.name: (group.n, group.precision[1]) for group in found.groups} == {
        "spelled alike": (1, 1.0),
        "spelled differently": (1, 1.0),
    }
    without = ia.evaluate_bli(MODEL, lexicon, retrieval="nn", exclude_identical=True)
    assert (without.n, without.left_out, without.n_sources) == (1, 2, 1)
    assert [answer.word for answer in without.answers] == ["one"]


def test_frequency_bands_are_scored_apart():
    found = evaluate("fasttext", bands=(2, 1))
    assert [(group.name, group.n, group.precision[1]) for group in found.groups] == [
        ("source words 1–1", 1, 0.0),
        ("source words 2–2", 1, 1.0),
        ("source words from 3", 1, 0.0),
        ("no known pair", 2, 0.0),
    ]


def test_both_directions_use_the_same_spaces():
    there, back = ia.evaluate_bli(MODEL, LEXICON), ia.evaluate_bli(MODEL.reverse(), LEXICON.inverse())
    assert back.n == 3  # t1, t3, t4
    assert {word for answer in back.answers for word in answer.candidates} == set(MODEL.raw("aa").index_to_key)
    assert there.n == 3


def test_stored_means_of_the_same_k_are_used():
    model = ranked_model({"one": [0, 1], "two": [1, 0]})
    expected = ia.evaluate_bli(model, [("one", "t0"), ("two", "t0")], full_ranks=True)
    model.compute_means(k=10)
    assert ia.evaluate_bli(model, [("one", "t0"), ("two", "t0")], full_ranks=True).answers == expected.answers
    model.means["aa", "bb"].values[0] = 9  # a mean so large that t0 comes last: were it not used, nothing would change
    assert [a.rank for a in ia.evaluate_bli(model, [("one", "t0")], full_ranks=True).answers] == [6]
    assert [a.rank for a in ia.evaluate_bli(model, [("one", "t0")], retrieval=CSLS(k=2), full_ranks=True).answers] == [
        1
    ]


def test_intervals_hold_the_score_and_follow_the_seed():
    rng = np.random.default_rng(0)
    orders = {f"w{i}": rng.permutation(6).tolist() for i in range(60)}
    model, lexicon = ranked_model(orders), [(word, f"t{order[rng.integers(3)]}") for word, order in orders.items()]
    first, again, other = (ia.evaluate_bli(model, lexicon, retrieval="nn", random_state=seed) for seed in (0, 0, 1))
    assert first.to_dict() | {"provenance": None} == again.to_dict() | {"provenance": None}
    assert first.mrr_ci95 != other.mrr_ci95
    low, high = first.ci95[1]
    assert low < first.precision[1] < high
    # the normal approximation of a share of 60 words
    assert high - low == pytest.approx(2 * 1.96 * np.sqrt(first.precision[1] * (1 - first.precision[1]) / 60), rel=0.15)


def test_answers_to_one_word_are_drawn_together():
    # one word with 40 lines, all right, and one with 40, all wrong: two units, so the interval is all of 0 to 1
    model = ranked_model({"good": [0], "bad": [1]})
    found = ia.evaluate_bli(model, [("good", "t0")] * 40 + [("bad", "t5")] * 40, protocol="xling")
    assert (found.n, found.precision[1], found.ci95[1]) == (80, 0.5, (0.0, 1.0))


def test_results_survive_json():
    found = evaluate("fasttext", bands=(1,))
    assert BliResult.from_dict(json.loads(json.dumps(found.to_dict()))) == found


def test_a_result_shows_protocol_interval_and_size():
    text = repr(evaluate("fasttext", ks=(1,)))
    assert text.startswith("BliResult(fasttext, Cosine(): P@1 20.0 [0.0, 60.0]")
    assert text.endswith("n=5, coverage 60.0%)")


def test_provenance_says_what_was_measured():
    found = evaluate("muse").provenance
    assert (found["source_words"], found["target_words"], found["lexicon_pairs"]) == (4, 6, 8)
    assert found["model"]["method"] == "given matrix"


def test_low_coverage_is_warned_about():
    with pytest.warns(IsoalignWarning, match="aa → bb: 1 of 4 dictionary pairs"):
        ia.evaluate_bli(MODEL, [("one", "t0"), ("a", "b"), ("c", "d"), ("e", "f")])


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"protocol": "mues"}, ParameterError, "Did you mean 'muse'"),
        ({"retrieval": "clss"}, ParameterError, "Did you mean 'csls'"),
        ({"ks": ()}, ParameterError, "at least one"),
        ({"ks": (0,)}, ParameterError, "ks must be"),
        ({"bands": (0,)}, ParameterError, "bands must be"),
        ({"n_resamples": 0}, ParameterError, "n_resamples"),
    ],
)
def test_wrong_settings_are_refused(options, error, message):
    with pytest.raises(error, match=message):
        evaluate(**options)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_dictionary_of_another_language_is_refused(protocol):
    with pytest.raises(InvalidValueError, match="No test pair"):
        ia.evaluate_bli(MODEL, [("x", "y")], protocol=protocol)


def test_numbers_as_keys_are_not_spelled_alike():
    X = np.random.default_rng(0).standard_normal((200, 8)).astype(np.float32)
    model = ia.align(X, X[:, ::-1], [(row, row) for row in range(150)], method="procrustes")
    found = ia.evaluate_bli(model, [(row, row) for row in range(150, 200)], n_resamples=10)
    assert found.precision[1] == 1
    assert found.groups == ()
    assert json.loads(json.dumps(found.to_dict()))["n"] == 50
