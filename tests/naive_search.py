"""What the search kernels must return, in plain float64 numpy, and matrices that are hard for them."""

import numpy as np

from isoalign._core.arrays import unit_rows


def best(scores, k):
    """Scores and columns of the k best of every row; equal scores go to the lower column."""
    columns = np.broadcast_to(np.arange(scores.shape[1]), scores.shape)
    order = np.lexsort((columns, -scores), axis=1)[:, :k]
    return np.take_along_axis(scores, order, axis=1), order


def products(X, Y):
    return X.astype(np.float64) @ Y.astype(np.float64).T


def in_float32(scores):
    """Scores as searches return them: rounded once to float32."""
    return scores.astype(np.float32).astype(np.float64)


def mean_of_best(scores, k):
    return -np.sort(-scores, axis=1)[:, :k].mean(axis=1)


def csls(Q, Y, X, k=10):
    """CSLS of every query with every target."""
    r_query = mean_of_best(products(Q, Y), k)
    r_target = mean_of_best(products(Y, X), k)
    return 2 * products(Q, Y) - r_query[:, None] - r_target[None, :]


def assert_same_choice(rows, scores, naive_scores, *, gap=1e-5):
    """Rows must be those of the naive search wherever neighbouring naive scores differ by more than the gap."""
    k = rows.shape[1]
    expected_scores, expected_rows = best(naive_scores, k + 1)
    np.testing.assert_allclose(scores, expected_scores[:, :k], atol=1e-5, rtol=1e-5)
    if expected_scores.shape[1] == k:  # all columns were asked for: nothing follows the last
        expected_scores = np.column_stack([expected_scores, np.full(len(rows), -np.inf)])
    apart = np.abs(np.diff(expected_scores, axis=1)) > gap * np.maximum(1, np.abs(expected_scores[:, :k]))
    before = np.column_stack([np.ones(len(rows), dtype=bool), apart[:, :-1]])
    clear = apart & before
    assert clear.mean() > 0.5, "the example is one large tie and tests nothing"
    np.testing.assert_array_equal(rows[clear], expected_rows[:, :k][clear])


def random_pair(seed, n, m, dim, *, unit=True):
    rng = np.random.default_rng(seed)
    X, Y = rng.standard_normal((n, dim)), rng.standard_normal((m, dim))
    return (unit_rows(X), unit_rows(Y)) if unit else (X.astype(np.float32), Y.astype(np.float32))


def hubby_pair(seed, n, m, dim, *, noise=0.6):
    """Two clouds that share clusters and a common direction, so that some words are neighbours of very many."""
    rng = np.random.default_rng(seed)
    centres = rng.standard_normal((12, dim))
    common = rng.standard_normal(dim)
    shared = centres[rng.integers(12, size=max(n, m))] + 0.7 * common + 0.8 * rng.standard_normal((max(n, m), dim))
    X = shared[:n] + noise * rng.standard_normal((n, dim))
    Y = shared[:m] + noise * rng.standard_normal((m, dim))
    return unit_rows(X), unit_rows(Y)
