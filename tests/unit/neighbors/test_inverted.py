import numpy as np
import pytest

from isoalign.errors import ParameterError
from isoalign.neighbors import InvertedNN, InvertedSoftmax
from naive_search import assert_same_choice, hubby_pair, products, random_pair


@pytest.mark.parametrize("beta", [1.0, 30.0, 2000.0])
@pytest.mark.parametrize(("q", "n", "m"), [(40, 700, 900), (1, 3, 2), (600, 1100, 50)])
def test_inverted_softmax_agrees_with_its_definition(beta, q, n, m):
    X, Y = hubby_pair(0, n, m, 20)
    Q = X[:q]
    logs = beta * products(X, Y)
    shifted = logs - logs.max(axis=0)
    naive = beta * products(Q, Y) - logs.max(axis=0) - np.log(np.exp(shifted).sum(axis=0))
    scores, rows = InvertedSoftmax(beta).fit(Y, X).kneighbors(Q, 5)
    # float32 cosines are good to 1e-7, which the exponent multiplies by beta
    np.testing.assert_allclose(scores, -np.sort(-np.exp(naive), axis=1)[:, :5], rtol=max(1e-5, 1e-6 * beta), atol=1e-30)
    assert_same_choice(rows, -np.sort(-naive, axis=1)[:, :5], naive, gap=1e-5 * beta)


def test_a_beta_that_is_not_positive_is_refused():
    X, Y = random_pair(0, 3, 3, 2)
    with pytest.raises(ParameterError, match="beta must be a positive number"):
        InvertedSoftmax(0).fit(Y, X)
    with pytest.raises(ParameterError, match="beta must be a number"):
        InvertedSoftmax("hot").fit(Y, X)


def naive_places(Q, Y, X):
    """Place of every query among the source words around every target."""
    return 1 + (products(X, Y)[None, :, :] > products(Q, Y)[:, None, :] + 1e-9).sum(axis=1)


@pytest.mark.parametrize(("n", "m", "k"), [(500, 300, 4), (90, 120, 120), (3, 2, 2), (1, 5, 3)])
def test_inverted_neighbors_agree_with_their_definition(n, m, k):
    X, Y = hubby_pair(1, n, m, 10)
    Q = X[:30]
    places, cosines = naive_places(Q, Y, X), products(Q, Y)
    order = np.lexsort((np.broadcast_to(np.arange(m), places.shape), -cosines, places), axis=1)[:, :k]
    scores, rows = InvertedNN().fit(Y, X).kneighbors(Q, k)
    np.testing.assert_array_equal(rows, order)
    np.testing.assert_allclose(scores, 1 / np.take_along_axis(places, order, axis=1), rtol=1e-6)


def test_queries_far_from_every_target_are_ranked_too():
    X, Y = hubby_pair(2, 1500, 60, 10)
    Q = np.concatenate([-Y[:5], X[:5]])
    places, cosines = naive_places(Q, Y, X), products(Q, Y)
    order = np.lexsort((np.broadcast_to(np.arange(60), places.shape), -cosines, places), axis=1)[:, :3]
    assert places.min(axis=1).max() > 64
    for depth in (1, 5, 64):  # all lists that fit makes are too short for some queries
        np.testing.assert_array_equal(InvertedNN(depth=depth).fit(Y, X).kneighbors(Q, 3)[1], order)
