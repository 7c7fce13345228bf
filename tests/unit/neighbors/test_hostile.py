"""Rows with values near the ends of float32: answered exactly or refused, and never without an end."""

import contextlib
import signal

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from isoalign.errors import InvalidValueError
from isoalign.neighbors import (
    CSLS,
    RETRIEVERS,
    MovingSearch,
    csls_best,
    make_retriever,
    neighborhood_means,
    top_k,
    top_k_both,
)
from naive_search import best, in_float32, products, random_pair


@contextlib.contextmanager
def time_limit(seconds):
    def stop(*_):
        raise TimeoutError(f"no answer within {seconds} seconds")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@pytest.fixture(autouse=True)
def limited():
    with time_limit(60):
        yield


ENTRANCES = {
    "top_k": lambda X, Y: top_k(X, Y, 2),
    "top_k_both": lambda X, Y: top_k_both(X, Y, 2),
    "neighborhood_means": neighborhood_means,
    "csls_best": csls_best,
    "MovingSearch": lambda X, Y: MovingSearch(Y, 2).search(X),
    **{
        name: lambda X, Y, name=name: make_retriever(name, metric="inner").fit(Y, X).kneighbors(X, 2)
        for name in RETRIEVERS
    },
    "lazy": lambda X, Y: CSLS(metric="inner", engine="lazy").fit(Y, X).kneighbors(X, 2),
}

every_entrance = pytest.mark.parametrize("entrance", ENTRANCES.values(), ids=ENTRANCES)


@every_entrance
@pytest.mark.parametrize("value", [1e20, -1e20, 3e38])
@pytest.mark.parametrize("size", [4, 700])
def test_rows_whose_products_overflow_are_refused_by_their_number(entrance, value, size):
    X, Y = random_pair(0, size, size, 2)
    X[3] = Y[2] = value
    with pytest.raises(InvalidValueError, match=r"Row \d of . has length .*: products would overflow\. Scale the vec"):
        entrance(X, Y)


@pytest.mark.parametrize(("where", "name", "row"), [("X", "Q", 5), ("Y", "Y", 1)])
def test_the_longest_row_is_named(where, name, row):
    sides = dict(zip("XY", random_pair(0, 9, 9, 3, unit=False), strict=True))
    sides["X"] *= 1e15
    sides["Y"] *= 1e15
    sides[where][row] = 1e25
    with pytest.raises(InvalidValueError, match=f"Row {row} of {name} has length 1.73e\\+25"):
        top_k(sides["X"], sides["Y"], 2)


@every_entrance
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 1e300])
@pytest.mark.parametrize("side", ["source", "target"])
def test_rows_that_are_not_finite_are_refused_by_their_number(entrance, value, side):
    X, Y = (matrix.astype(np.float64) for matrix in random_pair(0, 30, 40, 3))
    (X if side == "source" else Y)[7, 1] = value
    with pytest.raises(InvalidValueError, match=r"must be finite\. Row 7 contains NaN or infinity"):
        entrance(X, Y)


def test_a_bias_that_is_not_finite_is_refused():
    X, Y = random_pair(0, 4, 5, 3)
    for value in (np.nan, np.inf, 3e38):
        with pytest.raises(InvalidValueError, match="bias must hold finite numbers"):
            top_k(X, Y, 2, bias=np.full(5, value, dtype=np.float32))


@settings(max_examples=60, deadline=None)
@given(
    scales=st.lists(st.sampled_from([1e-45, 1e-30, 1e-20, 1e-10, 1.0, 1e10]), min_size=2, max_size=4),
    x_scale=st.sampled_from([1e-45, 1e-30, 1e-20, 1.0, 1e20, 1e38]),
    k=st.integers(1, 8),
    dim=st.integers(1, 5),
    seed=st.integers(0, 10**6),
)
def test_tiny_and_huge_rows_are_searched_exactly(scales, x_scale, k, dim, seed):
    """Whole numbers times a factor per row, so that the naive products are exact before they are rounded."""
    assume(x_scale * max(scales) < 1e34)
    rng = np.random.default_rng(seed)
    X, Y = rng.integers(-3, 4, size=(40, dim)), rng.integers(-3, 4, size=(60, dim))
    X = (X * np.float32(x_scale)).astype(np.float32)
    Y = (Y * rng.choice(np.float32(scales), size=60)[:, None]).astype(np.float32)
    naive = in_float32(products(X, Y))
    forward, backward = best(naive, k), best(naive.T, k)
    for found, expected in [
        (top_k(X, Y, k), forward),
        (MovingSearch(Y, k).search(X), forward),
        (make_retriever("nn", metric="inner").fit(Y).kneighbors(X, k), forward),
        *zip(top_k_both(X, Y, k), (forward, backward), strict=True),
    ]:
        np.testing.assert_array_equal(found[1], expected[1])
        np.testing.assert_array_equal(found[0], expected[0])


@pytest.mark.parametrize("exponents", [[-100], [66], [127], [-100, 0, 66, 127]])
@pytest.mark.parametrize("name", RETRIEVERS)
def test_cosines_of_tiny_and_huge_rows_are_those_of_their_directions(name, exponents):
    """Powers of two, from 8e-31 to 1.7e38, change no digit of a direction."""
    X, Y = random_pair(1, 50, 60, 6, unit=False)
    scale = np.random.default_rng(0).choice(np.ldexp(1.0, exponents), size=(60, 1))
    expected = make_retriever(name).fit(Y / 8, X / 8).kneighbors(X, 60)
    found = make_retriever(name).fit(Y / 8 * scale, X / 8 * scale[:50]).kneighbors(X / 8 * scale[:50], 60)
    np.testing.assert_array_equal(found[1], expected[1])
    np.testing.assert_array_equal(found[0], expected[0])


@pytest.mark.parametrize("scale", [1e-30, 1e-19, 1.0, 1e10, 1e17])
def test_inverted_neighbors_of_equal_places_are_ordered_by_products_of_any_size(scale):
    """One source word: every query has place 1 or 2 everywhere, so products decide nearly all."""
    rng = np.random.default_rng(3)
    X = np.float32([[1e-3]])
    Y = (rng.permutation(200)[:, None] + 1).astype(np.float32) * np.float32(scale)
    rows = make_retriever("invnn", metric="inner").fit(Y, X).kneighbors(np.float32([[1.0], [-1.0]]), 200)[1]
    np.testing.assert_array_equal(rows[0], np.argsort(-Y[:, 0], kind="stable"))
    np.testing.assert_array_equal(rows[1], np.argsort(Y[:, 0], kind="stable"))


@pytest.mark.parametrize("scale", [1e-23, 3e-22, 1e-20, 1e-18])
def test_products_below_the_normal_numbers_are_ranked_as_if_each_were_rounded_once(scale):
    """A float32 sum of such products may lose every one of them, far more than its relative error."""
    X, Y = (np.float32(scale) * matrix for matrix in random_pair(4, 200, 1500, 40, unit=False))
    naive = in_float32(products(X, Y))
    expected = best(naive, 5)
    for found in (top_k(X, Y, 5), top_k_both(X, Y, 5)[0], MovingSearch(Y, 5).search(X)):
        np.testing.assert_array_equal(found[1], expected[1])
        np.testing.assert_array_equal(found[0], expected[0])
