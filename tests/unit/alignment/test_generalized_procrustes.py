"""Rotations of many spaces at once, from cross products."""

import numpy as np
import pytest

from isoalign.alignment import orthogonal_map
from isoalign.alignment._generalized_procrustes import generalized_procrustes, sweep_rotations
from isoalign.alignment._graph import check_edges, components, spanning_tree
from isoalign.alignment._joint_multi_step import joint_multi_step
from isoalign.alignment._vecmap import multi_step_maps
from isoalign.errors import ParameterError
from many_languages import GRAPHS, LANGUAGES
from planted import planted_pair, random_rotation


def cross_products(graph, noise, dim=10, n=100):
    """Return rows of every space, and the cross product of every edge, each learned from words of its own."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n * len(graph), dim)) * rng.uniform(0.5, 2, dim)
    rotations = {name: random_rotation(dim, seed) for seed, name in enumerate(LANGUAGES)}
    spaces = {name: X @ R + noise * rng.standard_normal(X.shape) for name, R in rotations.items()}
    rows = {edge: slice(number * n, (number + 1) * n) for number, edge in enumerate(graph)}
    return rotations, {(a, b): spaces[a][part].T @ spaces[b][part] / n for (a, b), part in rows.items()}


@pytest.mark.parametrize("graph", GRAPHS)
def test_planted_rotations_are_recovered_whatever_the_graph(graph):
    rotations, products = cross_products(GRAPHS[graph], noise=0.0)
    maps = generalized_procrustes(products, {"en": np.eye(10)}).maps
    for name, R in rotations.items():
        np.testing.assert_allclose(maps[name], R.T @ rotations["en"], atol=1e-10)


def test_two_spaces_give_the_procrustes_map_or_its_transpose():
    X, Y, _ = planted_pair(noise=1.0)
    expected = orthogonal_map(X, Y)
    product = {("x", "y"): X.astype(np.float64).T @ Y.astype(np.float64) / len(X)}
    to_target = generalized_procrustes(product, {"y": np.eye(12)}).maps
    np.testing.assert_allclose(to_target["x"], expected, atol=1e-10)
    to_source = generalized_procrustes(product, {"x": np.eye(12)}).maps
    np.testing.assert_allclose(to_source["y"], expected.T, atol=1e-10)


def test_the_objective_never_falls_and_the_end_is_a_fixed_point():
    _, products = cross_products(GRAPHS["triangle"], noise=2.0)
    maps, objective = generalized_procrustes(products, {"en": np.eye(10)}, tol=1e-14)
    assert len(objective) > 4
    assert (np.diff(objective) >= 0).all()
    assert objective[-1] > objective[0] * (1 + 1e-4)
    value = sum(np.trace(maps[a].T @ C @ maps[b]) for (a, b), C in products.items())
    np.testing.assert_allclose(objective[-1], value, rtol=1e-12)
    moved = dict(maps)
    sweep_rotations(products, moved, ["fr", "ja", "ru"])
    for name in maps:
        np.testing.assert_allclose(moved[name], maps[name], atol=1e-5)
        np.testing.assert_allclose(maps[name].T @ maps[name], np.eye(10), atol=1e-12)


def test_the_pivot_changes_the_axes_and_nothing_else():
    _, products = cross_products(GRAPHS["triangle"], noise=0.5)
    one = generalized_procrustes(products, {"en": np.eye(10)}, tol=1e-15).maps
    other = generalized_procrustes(products, {"ja": np.eye(10)}, tol=1e-15).maps
    for name in LANGUAGES:
        np.testing.assert_allclose(one[name] @ one["ja"].T, other[name], atol=1e-5)


def test_fixed_maps_stay_as_they_are():
    _, products = cross_products(GRAPHS["triangle"], noise=0.5)
    fixed = {"en": np.eye(10), "fr": random_rotation(10, 7)}
    maps = generalized_procrustes(products, fixed).maps
    assert maps["en"] is fixed["en"]
    assert maps["fr"] is fixed["fr"]


def test_two_spaces_are_reweighted_as_vecmap_does():
    X, Y, _ = planted_pair(noise=1.0)
    source, target = multi_step_maps(X, Y)
    X64, Y64 = X.astype(np.float64), Y.astype(np.float64)
    grams = {"x": X64.T @ X64, "y": Y64.T @ Y64}
    maps = joint_multi_step({("x", "y"): X64.T @ Y64}, grams, "y").maps
    signs = np.sign((maps["x"] * source).sum(axis=0))
    np.testing.assert_allclose(maps["x"] * signs, source, atol=1e-8)
    np.testing.assert_allclose(maps["y"] * signs, target, atol=1e-8)


def test_the_tree_takes_heavy_edges_first_and_reaches_everything():
    edges = {("a", "b"): 1.0, ("a", "c"): 5.0, ("b", "c"): 3.0, ("d", "b"): 1.0}
    assert spanning_tree("abcd", edges, ["a"]) == [("a", "c"), ("c", "b"), ("b", "d")]
    assert spanning_tree("abcd", edges, ["a", "b", "d"]) == [("a", "c")]
    assert components("abcde", edges) == [["a", "b", "c", "d"], ["e"]]


def test_spaces_that_nothing_connects_are_named_with_what_would():
    with pytest.raises(ParameterError, match=r"connects 'c', 'd' with 'a', 'b'\. Add one, such as \('a', 'c'\)"):
        spanning_tree("abcd", {("a", "b"): 1.0, ("c", "d"): 1.0}, ["a"])


@pytest.mark.parametrize("edge", [("a", "x"), ("a", "a"), "ab", ("a",)])
def test_wrong_edges_are_refused(edge):
    with pytest.raises(ParameterError):
        check_edges([edge], ["a", "b"])
