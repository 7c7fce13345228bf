import numpy as np
import pytest

from isoalign.neighbors import csls_best
from naive_search import assert_same_choice, csls, hubby_pair, mean_of_best, products


@pytest.mark.parametrize(("n", "m", "max_rank"), [(1500, 2100, 700), (700, 600, None), (30, 1200, 50), (3, 2, 1)])
def test_best_words_agree_with_the_naive_scores_in_both_directions(n, m, max_rank):
    X, Y = hubby_pair(0, n, m, 25)
    found = csls_best(X, Y, 3, max_rank=max_rank)
    naive = csls(X, Y, X)
    assert_same_choice(found.forward.rows, found.forward.scores, naive[:max_rank])
    assert_same_choice(found.backward.rows, found.backward.scores, naive.T[:max_rank])
    np.testing.assert_allclose(found.source_means, mean_of_best(products(X, Y), 10), atol=1e-6)
    np.testing.assert_allclose(found.target_means, mean_of_best(products(Y, X), 10), atol=1e-6)


def test_the_memory_for_the_product_changes_the_time_alone():
    X, Y = hubby_pair(1, 1100, 900, 20)
    expected = csls_best(X, Y, 2, max_rank=600, memory=0)
    array = np.empty(1100 * 900 + 5, dtype=np.float32)
    for memory in (4 * 1100 * 900, array, array):
        found = csls_best(X, Y, 2, max_rank=600, memory=memory)
        for one, other in zip(
            (*found[0], *found[1], *found[2:]), (*expected[0], *expected[1], *expected[2:]), strict=True
        ):
            np.testing.assert_array_equal(one, other)
