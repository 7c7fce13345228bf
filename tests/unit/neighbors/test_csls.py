import numpy as np
import pytest

from isoalign.errors import NotFittedError, ParameterError, ShapeError
from isoalign.neighbors import CSLS, AbstractRetriever, Cosine, neighborhood_means
from naive_search import assert_same_choice, csls, hubby_pair, products, random_pair


@pytest.mark.parametrize(("n", "m", "dim", "neighbors"), [(800, 1500, 20, 10), (30, 12, 5, 10), (4, 3, 2, 1)])
def test_csls_agrees_with_its_definition(n, m, dim, neighbors):
    X, Y = hubby_pair(0, n, m, dim)
    Q = hubby_pair(1, 60, 60, dim)[0]
    scores, rows = CSLS(neighbors).fit(Y, X).kneighbors(Q, 5)
    assert_same_choice(rows, scores, csls(Q, Y, X, neighbors))


def test_cosine_ignores_lengths_and_inner_does_not():
    Q, Y = random_pair(2, 30, 400, 10, unit=False)
    scores, rows = Cosine().fit(Y).kneighbors(Q, 4)
    lengths = np.linalg.norm(Q.astype(float), axis=1)[:, None] * np.linalg.norm(Y.astype(float), axis=1)
    assert_same_choice(rows, scores, products(Q, Y) / lengths)
    scores, rows = Cosine(metric="inner").fit(Y).kneighbors(Q, 4)
    assert_same_choice(rows, scores, products(Q, Y))
    scores, rows = CSLS(metric="inner").fit(Y, Q).kneighbors(Q, 4)
    assert_same_choice(rows, scores, csls(Q, Y, Q))


def test_stored_means_replace_the_source_words():
    X, Y = hubby_pair(3, 500, 600, 20)
    full = CSLS().fit(Y, X)
    given = CSLS().fit(Y, target_means=neighborhood_means(X, Y)[1])
    assert (full.engine_, given.engine_) == ("full", "given")
    for one, other in zip(full.kneighbors(X, 3), given.kneighbors(X, 3), strict=True):
        np.testing.assert_array_equal(one, other)


def test_rows_of_length_one_are_used_without_a_copy():
    Y = random_pair(4, 5, 100, 8)[1]
    assert np.shares_memory(Cosine().fit(Y).targets_, Y)


def test_wrong_use_says_what_to_do():
    X, Y = random_pair(5, 5, 6, 3)
    with pytest.raises(NotFittedError, match="This CSLS is not fitted"):
        CSLS().kneighbors(X)
    with pytest.raises(TypeError, match="abstract"):
        AbstractRetriever()
    with pytest.raises(ParameterError, match=r"Pass them: fit\(Y, X\)"):
        CSLS().fit(Y)
    with pytest.raises(ParameterError, match="metric must be one of 'cosine', 'inner'"):
        Cosine(metric="euclid").fit(Y)
    with pytest.raises(ShapeError, match="one finite number per target"):
        CSLS().fit(Y, target_means=np.ones(5))
    with pytest.raises(ShapeError, match="Queries and targets must have the same number of columns"):
        Cosine().fit(Y).kneighbors(X[:, :2])
