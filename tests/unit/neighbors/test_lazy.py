import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isoalign._core.arrays import unit_rows
from isoalign.neighbors import CSLS, LazySettings, neighborhood_means
from isoalign.neighbors.engine import Best, MeanBounds, choose_engine, lazy_top_k
from isoalign.neighbors.engine._lazy import SortedBounds
from naive_search import assert_same_choice, csls, hubby_pair, random_pair

MANY = 10**6  # queries, for which good bounds pay


def assert_equal_answers(found, expected):
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(one, other)


def no_hubs(rng, n, m, dim):
    return rng.standard_normal((n, dim)), rng.standard_normal((m, dim))


def all_hubs(rng, n, m, dim):
    """All words in one narrow cone: every source is near every target."""
    common = 20 * rng.standard_normal(dim)
    return common + rng.standard_normal((n, dim)), common + rng.standard_normal((m, dim))


def ties(rng, n, m, dim):
    return rng.integers(-1, 2, size=(n, dim)), rng.integers(-1, 2, size=(m, dim))


def duplicates(rng, n, m, dim):
    few = rng.standard_normal((5, dim))
    return few[rng.integers(5, size=n)], few[rng.integers(5, size=m)]


def clusters(rng, n, m, dim):
    centres = rng.standard_normal((8, dim))
    return tuple(centres[rng.integers(8, size=size)] + 0.2 * rng.standard_normal((size, dim)) for size in (n, m))


@settings(max_examples=80, deadline=None)
@given(
    kind=st.sampled_from([no_hubs, all_hubs, ties, duplicates, clusters]),
    n=st.integers(1, 400),
    m=st.integers(1, 400),
    dim=st.integers(1, 12),
    neighbors=st.integers(1, 12),
    k=st.integers(1, 12),
    seed=st.integers(0, 10**6),
)
def test_lazy_answers_are_those_of_the_full_computation_to_the_bit(kind, n, m, dim, neighbors, k, seed):
    X, Y = (unit_rows(side.astype(np.float64)) for side in kind(np.random.default_rng(seed), n, m, dim))
    lazy = CSLS(neighbors, engine="lazy").fit(Y, X).kneighbors(X[:9], k)
    assert_equal_answers(lazy, CSLS(neighbors, engine="full").fit(Y, X).kneighbors(X[:9], k))


@settings(max_examples=40, deadline=None)
@given(
    kind=st.sampled_from([no_hubs, all_hubs, ties, duplicates, clusters]),
    looseness=st.sampled_from([0.0, 1e-7, 0.01, 10.0]),
    width=st.integers(1, 20),
    seed=st.integers(0, 10**6),
)
def test_no_bound_however_bad_changes_an_answer(kind, looseness, width, seed):
    rng = np.random.default_rng(seed)
    X, Y = (unit_rows(side.astype(np.float64)) for side in kind(rng, 300, 350, 6))
    means = neighborhood_means(X, Y)[1]
    lazy = LazySettings(list_length=width, batch=1, max_known=1.0, max_rounds=10**6)
    bounds = MeanBounds(Y, X, 10, settings=lazy, n_queries=MANY)
    bounds.means = np.where(bounds.known, means, means - (looseness * rng.random(350)).astype(np.float32))
    scores, rows, query_means = lazy_top_k(X[:12], bounds, 3)
    expected = CSLS(engine="full").fit(Y, X).kneighbors(X[:12], 3)
    assert_equal_answers((scores - query_means[:, None], rows), expected)


def test_bounds_stay_below_the_means_and_rise_to_them():
    X, Y = hubby_pair(0, 900, 1200, 20)
    means = neighborhood_means(X, Y)[1]
    bounds = MeanBounds(Y, X, 10, settings=LazySettings(), n_queries=MANY)
    first = bounds.means.copy()
    assert (first <= means).all()
    bounds.tighten(np.arange(0, 1200, 2))
    assert (first <= bounds.means).all()
    assert (bounds.means <= means).all()
    assert (means - bounds.means)[::2].mean() < 0.7 * (means - first)[::2].mean()
    bounds.learn(np.arange(1200))
    np.testing.assert_array_equal(bounds.means, means)


def test_bounds_for_a_few_queries_become_good_ones_when_more_come():
    X, Y = hubby_pair(0, 1900, 1200, 20)
    means = neighborhood_means(X, Y)[1]
    lazy = LazySettings(sample_share=0.1, few_sampled=5, few_hubs=10, min_hubs=10, hub_share=0.1, means_per_query=1)
    bounds = MeanBounds(Y, X, 10, settings=lazy, n_queries=3)
    first = bounds.means.copy()
    assert bounds.known.sum() == 5
    assert (first <= means).all()
    assert not bounds.prepare_for(3)
    bounds.learn(np.arange(300))
    assert not bounds.prepare_for(0)
    bounds.learn(np.arange(300, 400))
    assert bounds.prepare_for(0)
    assert ((first <= bounds.means) & (bounds.means <= means)).all()
    assert (means - bounds.means)[400:].mean() < 0.7 * (means - first)[400:].mean()
    np.testing.assert_array_equal(bounds.means[:400], means[:400])


def test_good_bounds_in_the_middle_of_a_search_change_no_answer():
    X, Y = hubby_pair(3, 2000, 2500, 30)
    lazy = LazySettings(few_sampled=1, few_hubs=1, min_hubs=1, around=0, means_per_query=0, batch=1, list_length=500)
    retriever = CSLS(engine="lazy", lazy=lazy).fit(Y, X)
    found = retriever.kneighbors(X[:20], 3)
    assert retriever._bounds._is_prepared
    assert_equal_answers(found, CSLS(engine="full").fit(Y, X).kneighbors(X[:20], 3))


def test_sources_around_a_few_queries_bound_the_means_of_their_candidates():
    """Clusters have no common hubs, so hubs alone say little about the targets near a query."""
    rng = np.random.default_rng(4)
    centres = np.repeat(rng.standard_normal((100, 16)), 50, axis=0)
    X, Y = (unit_rows((centres + 0.5 * rng.standard_normal(centres.shape)).astype(np.float32)) for _ in range(2))
    queries = X[2525:2528]  # one cluster, far from the first rows
    means = neighborhood_means(X, Y)[1]
    lazy = LazySettings(few_sampled=10, few_hubs=10, means_per_query=0, around=300)
    bounds = MeanBounds(Y, X, 10, settings=lazy, n_queries=3)
    candidates = np.unique(CSLS(engine="full").fit(Y, X).kneighbors(queries, 20)[1])
    before = bounds.means[candidates]
    bounds.look_around(queries)
    bounds.tighten(candidates)
    assert (bounds.means <= means).all()
    assert (means[candidates] - bounds.means[candidates]).mean() < 0.1 * (means[candidates] - before).mean()
    assert bounds.known.sum() == 10


def test_few_queries_need_few_means_and_later_ones_use_what_is_known():
    X, Y = hubby_pair(1, 3000, 3000, 40)
    retriever = CSLS(engine="lazy").fit(Y, X)
    scores, rows = retriever.kneighbors(X[:5], 1)
    assert_same_choice(rows, scores, csls(X[:5], Y, X))
    known = retriever._bounds.known.sum()
    assert retriever.engine_ == "lazy"
    assert known < 300
    retriever.kneighbors(X[:5], 1)
    assert retriever._bounds.known.sum() == known


def test_only_lists_with_an_open_target_at_the_top_look_ahead():
    rows = np.array([[0, 1, 2], [3, 4, 0]])
    lists = SortedBounds(np.arange(2), Best(np.zeros((2, 3), dtype=np.float32), rows), complete=True)
    done = np.zeros(5, dtype=bool)
    assert lists.first_open(done, 1, ahead=1).tolist() == [0, 1, 3, 4]
    done[0] = True
    assert lists.first_open(done, 1, ahead=1).tolist() == [3, 4]
    assert lists.first_open(done, 1, ahead=2).tolist() == [3, 4]
    assert lists.first_open(done, 2).tolist() == [1, 3, 4]


def test_the_engine_follows_the_size():
    X, Y = random_pair(2, 400, 500, 8)
    full = CSLS(engine="full").fit(Y, X)
    lazy = LazySettings(min_targets=500)
    retriever = CSLS(lazy=lazy).fit(Y, X)
    assert (retriever.engine_, retriever.target_means_) == ("lazy", None)
    assert_equal_answers(retriever.kneighbors(X[:19], 2), full.kneighbors(X[:19], 2))
    assert retriever.engine_ == "lazy"
    assert_equal_answers(retriever.kneighbors(X, 2), full.kneighbors(X, 2))
    assert retriever.engine_ == "full"
    np.testing.assert_array_equal(retriever.target_means_, full.target_means_)
    assert CSLS(lazy=lazy).fit(Y[:499], X).engine_ == "full"


@pytest.mark.parametrize("lazy", [LazySettings(min_hubs=320), LazySettings(max_rounds=3, max_unsettled=1.0)])
@pytest.mark.parametrize("k", [1, 10])
def test_lists_that_do_not_settle_give_way_to_the_full_computation(lazy, k):
    """Fifty vectors, a hundred copies of each: no bound tells the copies apart."""
    rng = np.random.default_rng(0)
    few = rng.standard_normal((50, 8)).astype(np.float32)
    X, Y, Q = (few[rng.integers(50, size=size)] for size in (5000, 5000, 190))
    rounds = []
    retriever = CSLS(engine="lazy", lazy=lazy).fit(Y, X)
    found = retriever.kneighbors(Q, k, progress=lambda what, *_: rounds.append(what) if what == "CSLS" else None)
    assert retriever.engine_ == "full"
    assert len(rounds) <= lazy.max_rounds + 3  # one more for each of the lists
    assert_equal_answers(found, CSLS(engine="full").fit(Y, X).kneighbors(Q, k))


def test_the_engine_is_chosen_by_size_unless_it_is_given():
    lazy = LazySettings(min_targets=100, max_share=0.1)
    assert choose_engine("auto", 100, 9, settings=lazy) == "lazy"
    assert choose_engine("auto", 100, 10, settings=lazy) == "full"
    assert choose_engine("auto", 99, 1, settings=lazy) == "full"
    assert choose_engine("lazy", 2, 2, settings=lazy) == "lazy"
    assert choose_engine("full", 100, 1, settings=lazy) == "full"


def test_ranks_of_a_lazy_retriever_use_all_means():
    X, Y = hubby_pair(3, 300, 400, 10)
    lazy, full = (CSLS(engine=engine).fit(Y, X) for engine in ("lazy", "full"))
    lazy.kneighbors(X[:2], 1)
    rows = np.arange(100)
    np.testing.assert_array_equal(lazy.rank_targets(X[:100], rows), full.rank_targets(X[:100], rows))
    assert lazy.engine_ == "full"
