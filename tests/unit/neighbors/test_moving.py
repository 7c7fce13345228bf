import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isoalign.errors import ShapeError
from isoalign.neighbors import MovingSearch, top_k
from naive_search import hubby_pair, random_pair

SIZES = [
    (700, 3000, 30, 10),
    (3, 5000, 8, 4),
    (1, 40, 5, 1),
    (150, 60, 50, 70),
    (5, 1, 3, 3),
    (40, 900, 6, 300),
    (3, 0, 4, 2),
    (0, 9, 4, 2),
]


def assert_as_top_k(search, Q, Y, k):
    for ours, theirs in zip(search.search(Q), top_k(Q, Y, k), strict=True):
        np.testing.assert_array_equal(ours, theirs)
        assert ours.dtype == theirs.dtype


@pytest.mark.parametrize(("n", "m", "dim", "k"), SIZES)
@pytest.mark.parametrize("pair", [random_pair, hubby_pair])
def test_moving_queries_are_answered_as_if_they_had_come_alone(n, m, dim, k, pair):
    Q, Y = pair(0, n, m, dim)
    rng = np.random.default_rng(1)
    search = MovingSearch(Y, k)
    for step in (0, 0.001, 0.01, 0.03, 0.01, 1, 0, 0.01, 100):
        Q = Q + np.float32(step / dim**0.5) * rng.standard_normal(Q.shape, dtype=np.float32)
        assert_as_top_k(search, Q, Y, k)


@pytest.mark.parametrize("list_length", [1, 50, 1000])
@pytest.mark.parametrize("max_failed", [0.0, 1.0])
def test_neither_the_length_of_lists_nor_their_failures_change_an_answer(list_length, max_failed):
    Q, Y = hubby_pair(2, 60, 900, 12)
    search = MovingSearch(Y, 5, list_length=list_length, max_failed=max_failed)
    for step in range(6):
        assert_as_top_k(search, Q + np.float32(0.02 * step) * Y[:60], Y, 5)


@settings(max_examples=40, deadline=None)
@given(
    q=st.integers(1, 12), m=st.integers(1, 600), dim=st.integers(1, 4), k=st.integers(1, 30), seed=st.integers(0, 10**6)
)
def test_ties_go_to_the_lower_row_however_many_they_are(q, m, dim, k, seed):
    rng = np.random.default_rng(seed)
    Y = rng.integers(-1, 2, size=(m, dim)).astype(np.float32)
    search = MovingSearch(Y, k)
    for _ in range(3):
        assert_as_top_k(search, rng.integers(-1, 2, size=(q, dim)).astype(np.float32), Y, k)


@pytest.fixture
def listed(monkeypatch):
    """How many queries were compared with all rows to make their lists, call by call."""
    counts = []
    make_lists = MovingSearch._make_lists

    def count(self, which, *rest):
        counts.append(len(which))
        make_lists(self, which, *rest)

    monkeypatch.setattr(MovingSearch, "_make_lists", count)
    return counts


def test_a_query_near_its_last_place_is_not_compared_with_all_rows(listed):
    Q, Y = random_pair(0, 200, 5000, 20)
    search = MovingSearch(Y, 10)
    search.search(Q)
    Q = Q * np.float32(1.01)
    assert_as_top_k(search, Q, Y, 10)
    Q[7] = Y[123]
    assert_as_top_k(search, Q, Y, 10)
    assert listed == [200, 1]


def test_lists_that_never_last_are_seldom_made(listed):
    Y = random_pair(0, 1, 3000, 20)[1]
    search = MovingSearch(Y, 10)
    for seed in range(16):
        assert_as_top_k(search, random_pair(seed, 100, 1, 20)[0], Y, 10)
    assert listed == [100] * 3


def test_lists_are_made_again_once_queries_move_less(listed):
    Q, Y = random_pair(0, 100, 3000, 20)
    search = MovingSearch(Y, 10)
    for number in range(8):
        assert_as_top_k(search, Q if number > 1 else -Q, Y, 10)
    assert listed == [100, 100]


def test_other_queries_than_before_start_from_scratch():
    Q, Y = random_pair(0, 50, 700, 20)
    search = MovingSearch(Y, 5)
    for some in (Q, Q[:20], Q):
        assert_as_top_k(search, some, Y, 5)


def test_queries_and_rows_must_have_the_same_columns():
    Q, Y = random_pair(0, 5, 7, 20)
    with pytest.raises(ShapeError, match="19 and 20"):
        MovingSearch(Y, 5).search(Q[:, :19])
