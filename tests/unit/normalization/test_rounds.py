import numpy as np
import pytest

from isoalign.normalization import make_normalizer
from isoalign.normalization._rounds import RoundSearch, RoundTable


def make_rows(n=300, dim=12, seed=0):
    rng = np.random.default_rng(seed)
    return (rng.standard_normal((n, dim)) * rng.uniform(0.2, 3, (n, 1)) + rng.standard_normal(dim)).astype(np.float32)


def naive_neighbors(X, row, k):
    unit = X / np.linalg.norm(X.astype(np.float64), axis=1, keepdims=True)
    cosines = unit @ unit[row]
    cosines[row] = -np.inf
    order = np.argsort(-cosines, kind="stable")[:k]
    return order, cosines[order]


def follow(X, normalizer, row, k=10):
    return RoundSearch(X, normalizer).nearest(X[[row]], k, own_rows=np.array([row]))[0]


@pytest.mark.parametrize(
    "name", ["none", "unit", "center", "center_length", "iternorm", "unit,center,unit", "whiten", "iternorm,remove_top"]
)
def test_first_and_last_round_are_the_neighbors_before_and_after_normalisation(name):
    X = make_rows()
    normalizer = make_normalizer(name).fit(X)
    stages = follow(X, normalizer, 7)
    for stage, rows in ((stages[0], X), (stages[-1], normalizer.transform(X))):
        order, cosines = naive_neighbors(rows, 7, 10)
        assert stage.rows == order.tolist()
        np.testing.assert_allclose(stage.cosines, cosines, atol=2e-6)


def test_every_round_of_iternorm_is_that_of_fewer_rounds():
    X = make_rows()
    stages = follow(X, make_normalizer("iternorm").fit(X), 3)
    assert len(stages) == 6
    for n_iter in range(1, 6):
        order, cosines = naive_neighbors(make_normalizer("iternorm", n_iter=n_iter).fit_transform(X), 3, 10)
        assert stages[n_iter].rows == order.tolist()
        np.testing.assert_allclose(stages[n_iter].cosines, cosines, atol=2e-6)


def test_several_words_at_once_are_each_as_alone():
    X = make_rows()
    table = RoundSearch(X, make_normalizer("iternorm").fit(X))
    together = table.nearest(X[[1, 5, 9]], 4, own_rows=np.array([1, 5, 9]))
    for row, found in zip((1, 5, 9), together, strict=True):
        alone = table.nearest(X[[row]], 4, own_rows=np.array([row]))[0]
        assert [stage.rows for stage in found] == [stage.rows for stage in alone]


def test_a_vector_without_a_row_leaves_no_row_out():
    X = make_rows()
    table = RoundTable(X, [])
    assert table.nearest(2 * X[[4]], 1, own_rows=np.array([-1]))[0][0].rows == [4]


def test_rows_without_a_direction_are_nobodys_neighbors():
    X = make_rows(n=20)
    X[3] = 0
    with pytest.warns(match="zero"):
        normalizer = make_normalizer("iternorm").fit(X)
    for stage in follow(X, normalizer, 5, k=20):
        assert stage.cosines[stage.rows.index(3)] == 0
    assert set(follow(X, normalizer, 3, k=20)[-1].cosines) == {0.0}


def test_whitening_is_not_a_matter_of_scaling():
    X = make_rows()
    assert make_normalizer("whiten").fit(X).scaling_steps() is None
    assert make_normalizer("unit,whiten").fit(X).scaling_steps() is None
