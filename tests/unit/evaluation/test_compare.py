"""Two systems on the same words."""

import pytest

import isoalign as ia
from isoalign.errors import InvalidValueError, IsoalignWarning, ParameterError
from isoalign.evaluation import Disagreement, compare_ranks
from ranked_model import ranked_model

WORDS = [f"w{i}" for i in range(40)]
LEXICON = [(word, "t0") for word in WORDS]


def system(n_right, n_words=40):
    """A system that answers the first so many words rightly, and puts the right answer second elsewhere."""
    return ranked_model({word: [0, 1] if i < n_right else [1, 0] for i, word in enumerate(WORDS[:n_words])})


def evaluate(model, lexicon=LEXICON, **options):
    return ia.evaluate_bli(model, lexicon, retrieval="nn", **options)


def test_a_difference_comes_with_its_interval_and_tests():
    found = ia.compare(evaluate(system(30)), evaluate(system(20)))
    one = found.difference[1]
    assert (found.n, found.n_words, found.left_out) == (40, 40, 0)
    assert (one.a, one.b, one.value, one.only_a, one.only_b) == (0.75, 0.5, 0.25, 10, 0)
    assert 0 < one.ci95[0] < 0.25 < one.ci95[1] < 0.5
    assert one.p_mcnemar == pytest.approx(2 / 2**10)
    assert one.p_bootstrap < 0.01
    assert str(one).startswith("+25.0 [+")
    assert found.difference[5].value == 0


def test_pairing_makes_the_interval_narrower_than_two_separate_ones():
    a, b = evaluate(system(21)), evaluate(system(20))
    paired = ia.compare(a, b).difference[1].ci95
    apart = (a.ci95[1][0] - b.ci95[1][1], a.ci95[1][1] - b.ci95[1][0])
    assert paired[1] - paired[0] < (apart[1] - apart[0]) / 4


def test_the_same_system_twice_has_no_difference():
    one = ia.compare(evaluate(system(20)), evaluate(system(20))).difference[1]
    assert (one.value, one.ci95, one.p_bootstrap, one.p_mcnemar) == (0, (0, 0), 1, 1)
    assert one.verdict == "undecided"


def test_exchanging_the_systems_changes_the_sign():
    a, b = evaluate(system(30)), evaluate(system(20))
    there, back = ia.compare(a, b).difference[1], ia.compare(b, a).difference[1]
    assert (back.value, back.only_a, back.only_b) == (-there.value, there.only_b, there.only_a)
    assert back.ci95 == pytest.approx((-there.ci95[1], -there.ci95[0]))
    assert back.p_bootstrap == there.p_bootstrap
    assert (there.verdict, back.verdict) == ("better", "worse")


def test_words_on_which_systems_differ_are_listed():
    found = ia.compare(evaluate(system(21)), evaluate(system(20)))
    assert found.disagreements == (Disagreement("w20", ("t0",), 1, 2, "t0", "t1"),)


def test_only_common_questions_are_compared_with_a_warning():
    smaller = evaluate(system(10, n_words=30))
    with pytest.warns(IsoalignWarning, match="10 questions were asked of one system only"):
        found = ia.compare(evaluate(system(20)), smaller)
    assert (found.n, found.left_out) == (30, 10)
    assert found.difference[1].a == pytest.approx(20 / 30)


def test_lines_that_stand_twice_are_paired_one_by_one():
    twice = LEXICON + LEXICON[:5]
    a, b = (evaluate(system(n), twice, protocol="xling") for n in (20, 10))
    found = ia.compare(a, b)
    assert (found.n, found.n_words) == (45, 40)
    assert (found.difference[1].a, found.difference[1].b) == (25 / 45, 15 / 45)


def test_ranks_of_different_questions_are_refused():
    with pytest.raises(InvalidValueError, match="Got 2 words, 2 and 1 ranks"):
        compare_ranks(["a", "b"], [1, 2], [1])


def test_results_that_do_not_fit_are_refused():
    a = evaluate(system(20))
    with pytest.raises(ParameterError, match="'muse' and 'vecmap'"):
        ia.compare(a, evaluate(system(20), protocol="vecmap"))
    with pytest.raises(ParameterError, match="share a k"):
        ia.compare(a, evaluate(system(20), ks=(2,)))
    with pytest.raises(InvalidValueError, match="share no question"):
        ia.compare(evaluate(system(20), LEXICON[:3]), evaluate(system(20), LEXICON[3:]))
