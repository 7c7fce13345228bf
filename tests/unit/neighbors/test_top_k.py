import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isoalign.errors import ParameterError, ShapeError
from isoalign.neighbors import neighborhood_means, top_k, top_k_both
from isoalign.neighbors.engine import Tiling, TopRows, search, search_both
from naive_search import assert_same_choice, best, hubby_pair, mean_of_best, products, random_pair

SIZES = [(700, 3000, 30, 10), (3, 5000, 8, 4), (1, 40, 5, 1), (1500, 60, 50, 70), (5, 1, 3, 3), (1, 1, 1, 1)]


@pytest.mark.parametrize(("n", "m", "dim", "k"), SIZES)
@pytest.mark.parametrize("unit", [True, False])
def test_top_k_agrees_with_the_naive_search(n, m, dim, k, unit):
    Q, Y = random_pair(0, n, m, dim, unit=unit)
    scores, rows = top_k(Q, Y, k)
    assert scores.shape == rows.shape == (n, min(k, m))
    assert_same_choice(rows, scores, products(Q, Y))


@pytest.mark.parametrize(("n", "m", "dim", "k"), SIZES)
def test_top_k_both_agrees_with_the_naive_search_in_both_directions(n, m, dim, k):
    X, Y = random_pair(1, n, m, dim)
    for_x, for_y = top_k_both(X, Y, k)
    assert_same_choice(for_x.rows, for_x.scores, products(X, Y))
    assert_same_choice(for_y.rows, for_y.scores, products(Y, X))


@pytest.mark.parametrize(("n", "m", "dim", "k"), SIZES)
def test_means_agree_with_the_naive_means(n, m, dim, k):
    X, Y = hubby_pair(2, n, m, dim)
    source_means, target_means = neighborhood_means(X, Y, k)
    np.testing.assert_allclose(source_means, mean_of_best(products(X, Y), k), atol=1e-6)
    np.testing.assert_allclose(target_means, mean_of_best(products(Y, X), k), atol=1e-6)


@settings(max_examples=60, deadline=None)
@given(
    q=st.integers(1, 12), m=st.integers(1, 90), dim=st.integers(1, 4), k=st.integers(1, 100), seed=st.integers(0, 10**6)
)
def test_ties_go_to_the_lower_row(q, m, dim, k, seed):
    rng = np.random.default_rng(seed)
    # Small whole numbers: float32, float64 and every order of summation agree, and most scores are tied.
    Q = rng.integers(-1, 2, size=(q, dim)).astype(np.float32)
    Y = rng.integers(-1, 2, size=(m, dim)).astype(np.float32)
    bias = rng.integers(0, 2, size=m).astype(np.float32)
    for rows, scores, naive in [
        (*top_k(Q, Y, k)[::-1], products(Q, Y)),
        (*top_k(Q, Y, k, scale=2, bias=bias)[::-1], 2 * products(Q, Y) - bias),
        (*top_k_both(Q, Y, k)[0][::-1], products(Q, Y)),
        (*top_k_both(Q, Y, k)[1][::-1], products(Y, Q)),
    ]:
        expected_scores, expected_rows = best(naive, k)
        np.testing.assert_array_equal(scores, expected_scores)
        np.testing.assert_array_equal(rows, expected_rows)


def test_copies_of_a_row_tie_exactly_wherever_they_stand():
    Q, Y = random_pair(3, 600, 700, 300)
    Y = np.concatenate([Y, Y, Y])
    scores, rows = top_k(Q, Y, 9)
    first = rows[:, ::3]
    assert (first < 700).all()
    np.testing.assert_array_equal(rows[:, 1::3], first + 700)
    np.testing.assert_array_equal(scores[:, 1::3], scores[:, ::3])
    copies = top_k_both(Q, Y, 9)[0]
    np.testing.assert_array_equal(copies.rows, rows)
    source_means, target_means = neighborhood_means(Q, Y)
    np.testing.assert_array_equal(target_means[:700], target_means[700:1400])
    assert len(np.unique(source_means)) > 300


def test_zero_rows_score_zero_and_win_over_negative_ones():
    Q, Y = random_pair(4, 20, 600, 6)
    Q[3] = 0
    Y[[50, 100, 599]] = 0
    scores, rows = top_k(Q, Y, 600)
    np.testing.assert_array_equal(rows[3], np.arange(600))
    np.testing.assert_array_equal(scores[3], 0)
    assert_same_choice(np.delete(rows, 3, axis=0), np.delete(scores, 3, axis=0), np.delete(products(Q, Y), 3, axis=0))
    for_q, for_y = top_k_both(Q, Y, 5)
    np.testing.assert_array_equal(for_q.rows, rows[:, :5])
    np.testing.assert_array_equal(for_y.rows[50], np.arange(5))


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6))
def test_permuting_the_rows_permutes_the_answer(seed):
    Q, Y = random_pair(seed, 30, 400, 12)
    order = np.random.default_rng(seed).permutation(400)
    scores, rows = top_k(Q, Y, 5)
    permuted_scores, permuted_rows = top_k(Q, Y[order], 5)
    np.testing.assert_array_equal(permuted_scores, scores)
    np.testing.assert_array_equal(order[permuted_rows], rows)


def test_a_rotation_of_both_sides_changes_nothing():
    Q, Y = random_pair(5, 50, 2000, 20)
    rotation = np.linalg.qr(np.random.default_rng(0).standard_normal((20, 20)))[0]
    scores, _ = top_k(Q, Y, 7)
    turned_scores, turned_rows = top_k((Q @ rotation).astype(np.float32), (Y @ rotation).astype(np.float32), 7)
    np.testing.assert_allclose(turned_scores, scores, atol=1e-6)
    assert_same_choice(turned_rows, turned_scores, products(Q, Y))


@pytest.mark.parametrize("tiling", [Tiling(64, 64, 1), Tiling(100, 333, 3), Tiling(1000, 2000, 2), Tiling(7, 1300, 5)])
def test_neither_block_size_nor_threads_change_a_bit(tiling):
    X, Y = hubby_pair(6, 900, 1300, 40)
    expected = top_k(X, Y, 6), *top_k_both(X, Y, 6)
    found = *search(X, Y, [TopRows(6)], tiling=tiling), *search_both(X, Y, 6, tiling=tiling)
    for ours, default in zip(found, expected, strict=True):
        np.testing.assert_array_equal(ours.scores, default.scores)
        np.testing.assert_array_equal(ours.rows, default.rows)


@pytest.mark.parametrize("bias", [None, "random"])
def test_scores_that_need_not_be_exact_are_close_lower_bounds(bias):
    X, Y = random_pair(0, 300, 2100, 40)
    if bias is not None:
        bias = np.random.default_rng(0).random(2100, dtype=np.float32)
    found, exact = search(X, Y, [TopRows(7, scale=2, bias=bias, exact=flag) for flag in (False, True)])
    assert (found.scores <= exact.scores).all()
    np.testing.assert_allclose(found.scores, exact.scores, atol=1e-4 * np.abs(exact.scores).max())
    assert (found.rows == exact.rows).mean() > 0.99


def test_any_layout_and_float_type_and_read_only_files_are_accepted(tmp_path):
    Q, Y = random_pair(7, 40, 500, 10)
    expected = top_k(Q, Y, 5)
    np.save(tmp_path / "Y.npy", Y)
    wide = np.zeros((500, 20), dtype=np.float32)
    wide[:, ::2] = Y
    for other in (Y.astype(np.float64), np.asfortranarray(Y), wide[:, ::2], np.load(tmp_path / "Y.npy", mmap_mode="r")):
        for found, wanted in zip(top_k(Q, other, 5), expected, strict=True):
            np.testing.assert_array_equal(found, wanted)


def test_progress_ends_at_the_total_and_only_rises():
    heard = []
    X, Y = random_pair(8, 3000, 3000, 8)
    neighborhood_means(X, Y, progress=lambda what, done, total: heard.append((what, done, total)))
    assert {what for what, _, _ in heard} == {"neighbourhood means"}
    assert [done for _, done, _ in heard] == list(range(1, heard[-1][2] + 1))


def test_wrong_settings_say_what_to_do():
    Q, Y = random_pair(9, 2, 3, 4)
    with pytest.raises(ParameterError, match="k must be a whole number of at least 1"):
        top_k(Q, Y, 0)
    with pytest.raises(ShapeError, match=r"same number of columns\. Got 4 and 3"):
        top_k(Q, Y[:, :3], 1)
