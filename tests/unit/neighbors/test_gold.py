import numpy as np
import pytest

from isoalign.errors import ShapeError
from isoalign.neighbors import BEYOND, CSLS, Cosine, LazySettings, csls_precision_at_1, group_pairs, rank_gold
from naive_search import best, csls, hubby_pair, products, random_pair


def test_pairs_are_grouped_by_source_without_repeats():
    gold = group_pairs(np.array([[5, 2], [1, 9], [5, 0], [1, 9]]))
    np.testing.assert_array_equal(gold.sources, [1, 5])
    np.testing.assert_array_equal(gold.starts, [0, 1, 3])
    np.testing.assert_array_equal(gold.targets, [9, 0, 2])


@pytest.mark.parametrize("retrieval", ["nn", "csls"])
def test_full_ranks_are_places_in_the_sorted_list(retrieval):
    X, Y = hubby_pair(0, 300, 900, 15)
    Y[450:] = Y[:450]  # every target has a copy: ties decide half of the ranks
    retriever = {"nn": Cosine, "csls": CSLS}[retrieval]().fit(Y, X)
    naive = {"nn": products(X, Y), "csls": csls(X, Y, X)}[retrieval].round(6)
    rng = np.random.default_rng(0)
    gold = group_pairs(np.column_stack([rng.integers(300, size=700), rng.integers(900, size=700)]))
    ranking = rank_gold(retriever, X[gold.sources], gold.starts, gold.targets, k=10, full=True)
    order = best(naive[gold.sources], 900)[1]
    for query, rank in enumerate(ranking.ranks):
        right = np.isin(order[query], gold.targets[gold.starts[query] : gold.starts[query + 1]])
        assert abs(rank - (1 + right.argmax())) <= 1  # the naive scores are rounded, so neighbours may change places


def test_ranks_beyond_the_candidates_have_a_mark_and_the_others_agree_with_full_ranks():
    X, Y = hubby_pair(1, 200, 800, 15)
    retriever = Cosine().fit(Y)
    starts, targets = np.arange(201), np.arange(200)
    short = rank_gold(retriever, X, starts, targets, k=3).ranks
    full = rank_gold(retriever, X, starts, targets, k=3, full=True).ranks
    found = short != BEYOND
    assert 0 < found.sum() < 200
    np.testing.assert_array_equal(short[found], full[found])
    assert (full[~found] > 3).all()


def test_a_query_without_a_right_answer_is_never_found():
    X, Y = random_pair(2, 3, 50, 5)
    ranking = rank_gold(Cosine().fit(Y), X, np.array([0, 1, 1, 2]), np.array([4, 7]), k=50, full=True)
    assert ranking.ranks[1] == BEYOND
    assert (ranking.ranks[[0, 2]] <= 50).all()


def test_precision_at_1_counts_words_not_pairs():
    X, Y = random_pair(3, 40, 40, 20)
    assert csls_precision_at_1(Y, Y, np.column_stack([np.arange(40)] * 2)) == 1
    pairs = np.array([[0, 0], [0, 1], [0, 2], [1, 5]])
    assert csls_precision_at_1(Y, Y, pairs) == 0.5
    assert csls_precision_at_1(X, Y, np.empty((0, 2), dtype=int)) == 0


def test_starts_that_do_not_fit_are_refused():
    X, Y = random_pair(4, 3, 50, 5)
    with pytest.raises(ShapeError, match="starts must rise from 0 to 2"):
        rank_gold(Cosine().fit(Y), X, np.array([0, 1, 2]), np.array([4, 7]))
    with pytest.raises(ShapeError, match="one target row below 50 per query"):
        Cosine().fit(Y).rank_targets(X, np.array([1, 2, 50]))


def test_precision_at_1_of_few_words_needs_few_means_and_is_the_same(monkeypatch):
    X, Y = hubby_pair(1, 400, 600, 12)
    pairs = np.repeat(np.arange(25)[:, None], 2, axis=1)
    expected = csls_precision_at_1(X, Y, pairs)
    engines, kneighbors = [], CSLS.kneighbors

    def note(self, *args, **kwargs):
        found = kneighbors(self, *args, **kwargs)
        engines.append(self.engine_)
        return found

    monkeypatch.setattr(CSLS, "kneighbors", note)
    lazy = LazySettings(min_targets=600, max_share=1 / 20)
    assert csls_precision_at_1(X, Y, pairs, lazy=lazy) == expected
    csls_precision_at_1(X, Y, np.repeat(np.arange(60)[:, None], 2, axis=1), lazy=lazy)
    assert engines == ["lazy", "full"]
