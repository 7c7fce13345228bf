import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from isoalign._arrays import unit_rows
from isoalign.alignment import DIRECTIONS, induce_pairs


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
    found = induce_pairs(S, T, max_rank=max_rank, k=3)
    assert sorted(map(tuple, found.pairs.tolist())) == expected


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_confidence_is_best_minus_second_and_falls(direction):
    S, T = spaces(30, 25, seed=1)
    scores = naive_csls(S, T, 10)
    found = induce_pairs(S, T, direction=direction)
    rows, columns = np.sort(scores, axis=1), np.sort(scores, axis=0)
    gaps = {"forward": rows[:, -1] - rows[:, -2], "backward": columns[-1] - columns[-2]}
    for (i, j), sure in zip(found.pairs, found.confidence, strict=True):
        own = []
        if direction != "backward" and scores[i].argmax() == j:
            own.append(gaps["forward"][i])
        if direction != "forward" and scores[:, j].argmax() == i:
            own.append(gaps["backward"][j])
        np.testing.assert_allclose(sure, min(own), atol=1e-5)
    assert (np.diff(found.confidence) <= 0).all()


def test_the_word_of_rank_max_rank_is_chosen_only_by_the_quirk():
    S, T = np.eye(4, dtype=np.float32), np.eye(4, dtype=np.float32)[[1, 2, 0, 3]]
    found = induce_pairs(S, T, direction="forward", max_rank=2, k=1)
    assert found.pairs.tolist() == [[1, 0]]
    quirk = induce_pairs(S, T, direction="forward", max_rank=2, k=1, keep_rank_limit=True)
    assert sorted(quirk.pairs.tolist()) == [[0, 2], [1, 0]]


def test_a_single_word_on_each_side_is_paired():
    one = np.ones((1, 1), dtype=np.float32)
    assert induce_pairs(one, one).pairs.tolist() == [[0, 0]]
