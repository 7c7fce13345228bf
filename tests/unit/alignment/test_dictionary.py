import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from isoalign._core.arrays import unit_rows
from isoalign.alignment import DIRECTIONS, CslsSpaces, induce_pairs


def naive_csls(S, T, k):
    """All CSLS scores, (n, m), in float64."""
    cosines = S.astype(float) @ T.T.astype(float)
    r_source = np.sort(cosines, axis=1)[:, -k:].mean(axis=1)
    r_target = np.sort(cosines, axis=0)[-k:].mean(axis=0)
    return 2 * cosines - r_source[:, None] - r_target


def spaces(n, m, seed):
    rng = np.random.default_rng(seed)
    return (unit_rows(rng.standard_normal((size, 6)).astype(np.float32)) for size in (n, m))


@given(st.integers(2, 40), st.integers(2, 40), st.integers(1, 45), st.integers(0, 50))
def test_mutual_pairs_agree_with_the_naive_scores(n, m, max_rank, seed):
    S, T = spaces(n, m, seed)
    scores = naive_csls(S, T, 3)
    forward, backward = scores.argmax(axis=1), scores.argmax(axis=0)
    expected = [(i, j) for i, j in enumerate(forward) if backward[j] == i and i < max_rank and j < max_rank]
    found = induce_pairs(CslsSpaces(S, T), max_rank=max_rank, k=3)
    assert sorted(map(tuple, found.pairs.tolist())) == expected


@pytest.mark.parametrize("direction", [name for name in DIRECTIONS if name != "matching"])
def test_the_margin_is_best_minus_second_and_falls(direction):
    S, T = spaces(30, 25, seed=1)
    scores = naive_csls(S, T, 10)
    found = induce_pairs(CslsSpaces(S, T), direction=direction)
    rows, columns = np.sort(scores, axis=1), np.sort(scores, axis=0)
    gaps = {"forward": rows[:, -1] - rows[:, -2], "backward": columns[-1] - columns[-2]}
    for (i, j), sure in zip(found.pairs, found.margins, strict=True):
        own = []
        if direction != "backward" and scores[i].argmax() == j:
            own.append(gaps["forward"][i])
        if direction != "forward" and scores[:, j].argmax() == i:
            own.append(gaps["backward"][j])
        np.testing.assert_allclose(sure, min(own), atol=1e-5)
    assert (np.diff(found.margins) <= 0).all()


def test_the_word_of_rank_max_rank_is_chosen_only_by_the_quirk():
    S, T = np.eye(4, dtype=np.float32), np.eye(4, dtype=np.float32)[[1, 2, 0, 3]]
    found = induce_pairs(CslsSpaces(S, T), direction="forward", max_rank=2, k=1)
    assert found.pairs.tolist() == [[1, 0]]
    quirk = induce_pairs(CslsSpaces(S, T), direction="forward", max_rank=2, k=1, keep_rank_limit=True)
    assert sorted(quirk.pairs.tolist()) == [[0, 2], [1, 0]]


def test_a_single_word_on_each_side_is_paired():
    one = np.ones((1, 1), dtype=np.float32)
    assert induce_pairs(CslsSpaces(one, one)).pairs.tolist() == [[0, 0]]


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_means_that_are_known_change_the_work_but_not_the_pairs(direction):
    S, T = spaces(60, 50, seed=2)
    expected = induce_pairs(CslsSpaces(S, T), direction=direction, max_rank=(40, 30), k=5)
    cosines = S.astype(float) @ T.T.astype(float)
    source_means = np.sort(cosines, axis=1)[:, -5:].mean(axis=1).astype(np.float32)
    target_means = np.sort(cosines, axis=0)[-5:].mean(axis=0).astype(np.float32)
    found = induce_pairs(
        CslsSpaces(S, T, None, source_means, target_means), direction=direction, max_rank=(40, 30), k=5
    )
    np.testing.assert_array_equal(found.pairs, expected.pairs)
    np.testing.assert_allclose(found.scores, expected.scores, atol=1e-6)
    np.testing.assert_allclose(found.margins, expected.margins, atol=1e-6)


def test_both_ways_may_have_queries_of_their_own():
    S, T = spaces(40, 30, seed=3)
    other = unit_rows(-T)
    found = induce_pairs(CslsSpaces(S, T, (other, S)), direction="backward", k=3)
    expected = naive_csls(other, S, 3).argmax(axis=1)
    assert sorted(map(tuple, found.pairs[:, ::-1].tolist())) == list(enumerate(expected))


def test_the_least_score_is_that_of_csls():
    S, T = spaces(40, 30, seed=4)
    every = induce_pairs(CslsSpaces(S, T), k=3)
    best = induce_pairs(CslsSpaces(S, T), k=3, min_score=float(np.median(every.scores)))
    assert 0 < len(best.pairs) < len(every.pairs)
    np.testing.assert_allclose(best.scores, naive_csls(S, T, 3)[tuple(best.pairs.T)], atol=1e-5)


@given(st.integers(0, 50))
def test_a_matching_of_few_words_is_the_best_assignment(seed):
    S, T = spaces(5, 5, seed)
    scores = naive_csls(S, T, 3)
    found = induce_pairs(CslsSpaces(S, T), direction="matching", k=3)
    rows, columns = linear_sum_assignment(scores, maximize=True)
    assert sorted(map(tuple, found.pairs.tolist())) == list(zip(rows, columns, strict=True))
    for (i, j), score, margin in zip(found.pairs, found.scores, found.margins, strict=True):
        others = max(np.delete(scores[i], j).max(), np.delete(scores[:, j], i).max())
        np.testing.assert_allclose((score, margin), (scores[i, j], scores[i, j] - others), atol=1e-5)


def test_a_matching_pairs_no_word_twice_and_none_beyond_the_limits():
    S, T = spaces(60, 50, seed=2)
    found = induce_pairs(CslsSpaces(S, T), direction="matching", max_rank=(40, 30), k=5)
    assert all(len(np.unique(side)) == len(side) for side in found.pairs.T)
    assert (found.pairs < (40, 30)).all()
    mutual = induce_pairs(CslsSpaces(S, T), max_rank=(40, 30), k=5)
    assert len(found.pairs) > len(mutual.pairs)
