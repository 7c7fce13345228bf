"""Measures of shape, where the answer is known."""

import json
from itertools import combinations

import numpy as np
import pytest

import isoalign as ia
from isoalign._core.arrays import unit_rows
from isoalign.errors import InvalidValueError, ParameterError
from isoalign.evaluation import (
    bottleneck_distance,
    check_conditions,
    eigenvector_similarity,
    graph_modularity,
    measure_hubness,
    merge_distances,
    relational_similarity,
)
from isoalign.evaluation._graph import nearest_others
from isoalign.evaluation._isomorphism import one_to_one


def clustered(rng, n=240, dim=12):
    """Points around centres of different tightness, as words are: noise then changes the shape, not only the points."""
    centres = rng.normal(size=(8, dim))
    width = np.geomspace(0.05, 0.8, 8)
    labels = rng.integers(0, 8, n)
    return centres[labels] + width[labels][:, None] * rng.normal(size=(n, dim))


def noisy_pair(noise, seed):
    """A space and its rotation with noise; 0 is an isometry."""
    rng = np.random.default_rng(seed)
    X = clustered(rng)
    rotation = np.linalg.qr(rng.normal(size=(12, 12)))[0]
    Y = X @ rotation + noise * rng.normal(size=X.shape)
    return unit_rows(np.float32(X)), unit_rows(np.float32(Y))


def mean_by_noise(measure):
    return [np.mean([measure(*noisy_pair(noise, seed)) for seed in range(5)]) for noise in (0, 0.1, 0.3, 1)]


@pytest.mark.parametrize(
    ("measure", "optimum", "sign"),
    [(eigenvector_similarity, 0, 1), (bottleneck_distance, 0, 1), (relational_similarity, 1, -1)],
)
def test_isometric_spaces_are_optimal_and_noise_makes_them_worse(measure, optimum, sign):
    means = mean_by_noise(measure)
    assert means[0] == pytest.approx(optimum, abs=2e-3)
    assert (np.diff(sign * np.array(means)) > 0).all(), means


def test_eigenvector_similarity_of_known_graphs():
    # k = 1: three separate pairs (eigenvalues 2, 2, 2, 0, 0, 0) against a path of 3 twice (3, 1, 0 each)
    angles_x, angles_y = [0, 1, 100, 101, 200, 201], [0, 1, 2.5, 180, 181, 182.5]
    X, Y = (np.float32([[np.cos(a), np.sin(a)] for a in np.radians(angles)]) for angles in (angles_x, angles_y))
    # 90 % of the sum: 3 of the first spectrum's eigenvalues (6), 4 of the second's (3, 3, 1, 1)
    assert eigenvector_similarity(X, Y, k=1) == pytest.approx((2 - 3) ** 2 + (2 - 3) ** 2 + (2 - 1) ** 2)


def test_merge_distances_are_those_of_single_linkage():
    X = np.float32([[0], [1], [3], [7]])
    np.testing.assert_allclose(merge_distances(X), [1, 2, 4], rtol=1e-6)


def naive_bottleneck(a, b):
    """Over all ways to match points (0, a) and (0, b), where what is left over goes to the diagonal."""
    best = np.inf
    for m in range(min(len(a), len(b)) + 1):
        for some_a in combinations(range(len(a)), m):
            for some_b in combinations(range(len(b)), m):
                pairs = np.abs(np.sort(a[list(some_a)]) - np.sort(b[list(some_b)]))
                rest = np.append(np.delete(a, some_a), np.delete(b, some_b)) / 2
                best = min(best, max(pairs.max(initial=0), rest.max(initial=0)))
    return best


@pytest.mark.parametrize("seed", range(20))
def test_the_bottleneck_distance_is_the_best_of_all_matchings(seed):
    rng = np.random.default_rng(seed)
    X, Y = (np.float32(rng.exponential(size=(n, 1)).cumsum(axis=0)) for n in (rng.integers(2, 7), rng.integers(2, 7)))
    expected = naive_bottleneck(merge_distances(X), merge_distances(Y))
    assert bottleneck_distance(X, Y) == pytest.approx(expected, rel=1e-6)


def test_relational_similarity_is_the_correlation_of_all_pairs_across_blocks():
    rng = np.random.default_rng(0)
    X, Y = (unit_rows(np.float32(rng.normal(size=(1100, 4)) + 1)) for _ in range(2))
    above = np.triu_indices(1100, k=1)
    expected = np.corrcoef((X @ X.T)[above], (Y @ Y.T)[above])[0, 1]
    assert relational_similarity(X, Y) == pytest.approx(expected, abs=1e-5)


def test_modularity_is_lower_aligned_than_unaligned():
    X, Y = noisy_pair(0.1, 0)
    pairs = np.arange(len(X))
    rotated = ia.Procrustes().fit(X[pairs], Y[pairs]).transform(X)
    aligned = graph_modularity(unit_rows(rotated), Y)
    assert aligned < 0.5 < graph_modularity(X, Y)


def test_modularity_of_languages_that_never_meet_is_one():
    X = np.float32([[1, 0], [1, 0.1], [1, 0.2]])
    assert graph_modularity(unit_rows(X), unit_rows(-X), k=1) == pytest.approx(1)


def test_modularity_without_any_similar_words_is_not_defined():
    assert np.isnan(graph_modularity(np.float32([[1, 0]]), np.float32([[-1, 0]])))


def test_modularity_of_a_graph_by_hand():
    # angles 0 and 1 (source), 3 and 3.5 (target), k = 1: edges 0–1 and 3–3.5, chosen by both ends, nothing across;
    # with k = 2, also 1–3 (chosen by 1, 3 and not lost twice), 0–3 and 1–3.5
    X, Y = (np.float32([[np.cos(a), np.sin(a)] for a in np.radians(angles)]) for angles in ([0, 1], [3, 3.5]))
    cos = lambda degrees: np.cos(np.radians(degrees))  # noqa: E731
    within, across = cos(1) + cos(0.5), cos(2) + cos(3) + cos(2.5)
    ends = np.array([2 * cos(1) + across, 2 * cos(0.5) + across]) / (2 * (within + across))
    expected = (within / (within + across) - (ends**2).sum()) / (1 - (ends**2).sum())
    assert graph_modularity(X, Y, k=2) == pytest.approx(expected, abs=1e-5)


def test_a_planted_hub_is_found():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 40)) + 1
    Y = rng.normal(size=(300, 40))
    without = measure_hubness(unit_rows(np.float32(X)), unit_rows(np.float32(Y)))
    Y[123] = X.mean(axis=0)
    found = measure_hubness(unit_rows(np.float32(X)), unit_rows(np.float32(Y)))
    assert (found.largest_row, found.largest) == (123, 300)
    assert found.skewness > without.skewness + 1


def test_hubness_of_counts_by_hand():
    Y = np.eye(4, dtype=np.float32)
    found = measure_hubness(Y[[0, 0, 0, 1]], Y, k=1)  # chosen 3, 1, 0, 0 times
    assert (found.largest, found.largest_row, found.anti_hubs) == (3, 0, 0.5)
    counts = np.array([3, 1, 0, 0])
    assert found.skewness == pytest.approx(((counts - 1) ** 3).mean() / counts.std() ** 3)
    assert measure_hubness(Y, Y, k=1).skewness == 0


def test_conditions_by_hand():
    found = check_conditions(np.float32([[1, 0], [3, 0]]), np.float32([[0, 2], [0, -2], [2, 0], [2, 0]]))
    assert (found.source_spread, found.target_spread) == (0.5, 0)
    assert (found.source_mean, found.target_mean, found.mean_difference) == (1, 0.5, 0.5)


def test_a_row_is_not_its_own_neighbor_even_among_equals():
    X = np.ones((5, 2), dtype=np.float32)
    _, rows = nearest_others(X, 2)
    assert (rows != np.arange(5)[:, None]).all()
    assert nearest_others(X[:2], 10)[1].tolist() == [[1], [0]]


def test_pairs_are_taken_one_to_one():
    assert one_to_one(np.array([[0, 5], [0, 6], [1, 5], [1, 7]])).tolist() == [[0, 5], [1, 7]]
    assert one_to_one(np.empty((0, 2), dtype=np.int64)).shape == (0, 2)


def embeddings(seed=0, noise=0.1):
    X, Y = noisy_pair(noise, seed)
    rng = np.random.default_rng(seed)
    X, Y = X * rng.uniform(1, 5, (len(X), 1)) + 1, Y * rng.uniform(1, 5, (len(Y), 1)) - 2
    return ia.Embeddings([f"s{i}" for i in range(240)], X), ia.Embeddings([f"t{i}" for i in range(240)], Y)


def test_normalisation_meets_the_conditions():
    source, target = embeddings()
    found = ia.evaluate_isomorphism(source, target, [(f"s{i}", f"t{i}") for i in range(240)], n_words=100)
    assert (found.n_words, found.paired, found.change) == (100, True, "iternorm")
    assert found.before.conditions.mean_difference > 0.05
    assert found.after.conditions.mean_difference < 1e-3
    assert found.after.conditions.source_spread < 1e-4
    assert found.after.relational > found.before.relational
    json.dumps(found.to_dict(), allow_nan=False)


def test_an_alignment_is_measured_before_and_after_its_map():
    source, target = embeddings()
    pairs = [(f"s{i}", f"t{i}") for i in range(240)]
    model = ia.align(source, target, pairs, method="procrustes")
    found = ia.evaluate_isomorphism(model, lexicon=pairs)
    assert found.change == "procrustes"
    assert found.after.modularity < found.before.modularity
    with pytest.raises(ParameterError, match="contains both sides"):
        ia.evaluate_isomorphism(model, target)


def test_without_a_dictionary_frequent_words_are_measured():
    source, target = embeddings()
    found = ia.evaluate_isomorphism(source, target, normalize=None, n_words=50)
    assert (found.n_words, found.paired, found.after, found.before.relational) == (50, False, None, None)


def test_spaces_of_different_dimension_have_no_shared_graph():
    source, target = embeddings()
    found = ia.evaluate_isomorphism(source, ia.Embeddings(target.vocabulary, target.vectors[:, :5]), normalize=None)
    assert found.before.modularity is None
    assert found.before.hubness is None


def test_too_few_words_are_refused():
    source, target = embeddings()
    with pytest.raises(InvalidValueError, match="at least 2 known words"):
        ia.evaluate_isomorphism(source, target, [("s0", "t0")])
    with pytest.raises(ParameterError, match="two embeddings"):
        ia.evaluate_isomorphism(source)
