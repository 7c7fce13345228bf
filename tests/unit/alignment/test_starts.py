"""Every start finds the planted rotation of a structured cloud, and accepts small vocabularies."""

import sys

import numpy as np
import pytest

from isoalign._core.arrays import unit_rows
from isoalign._core.progress import ignore_progress
from isoalign.alignment import STARTS, Problem
from isoalign.alignment._loop import run_loop
from isoalign.alignment.starts._from_map import pairs_from_plan
from isoalign.alignment.starts._gromov_wasserstein import _Annealing, _mean_distance, _Spaces, _weights
from isoalign.datasets import load_sample
from isoalign.errors import MissingExtraError, ShapeError
from planted import random_rotation

QUICK = {
    "similarity": {},
    "gromov_wasserstein": {"epsilons": (2e-2, 1e-2), "max_iter": 6, "max_rank": 200},
    "wasserstein": {"start_iter": 10, "n_iter": 40, "batch": 200, "epochs": 1},
    "icp": {"n_starts": 20, "n_components": 8},
    "adversarial": {"hidden": 64, "batch": 64, "epochs": 2, "epoch_size": 640},
    "clusters": {"n_rounds": 3, "n_refine": 20, "refine_points": 200},
}
MAPS = ("wasserstein", "icp", "adversarial", "clusters")


def structured_pair(n, dim=8, noise=0.05, seed=0):
    """Return real words in their main directions, and a rotated, noised copy."""
    rng = np.random.default_rng(seed)
    words = load_sample().source.vectors[: 2 * n : 2]
    words = words - words.mean(axis=0)
    _, _, axes = np.linalg.svd(words, full_matrices=False)
    X = unit_rows(words @ axes[:dim].T)
    X = unit_rows(X - X.mean(axis=0))
    Y = X @ random_rotation(dim, seed + 1) + noise / dim**0.5 * rng.standard_normal(X.shape)
    return X, unit_rows(Y)


def clustered_pair(n, dim=8, clusters=12, seed=0):
    """Return a cloud of clear clusters, and a rotated copy in another order with the place of every row in it."""
    rng = np.random.default_rng(seed)
    centers = rng.standard_normal((clusters, dim))
    X = centers[rng.integers(clusters, size=n)] + 0.3 * rng.standard_normal((n, dim))
    X = unit_rows(X - X.mean(axis=0))
    order = rng.permutation(n)
    return X, unit_rows(X @ random_rotation(dim, seed + 1))[order], np.argsort(order)


def find_pairs(name, X, Y, **settings):
    return STARTS.make(name, {**QUICK[name], **settings}).find_pairs(Problem(X, Y))


@pytest.mark.parametrize("name", ["similarity", "gromov_wasserstein", "wasserstein", "icp"])
def test_a_planted_rotation_is_found(name):
    pairs = find_pairs(name, *structured_pair(400))
    assert (pairs[:, 0] == pairs[:, 1]).mean() > 0.5


def test_clusters_find_far_more_pairs_of_a_clustered_cloud_in_any_order_than_chance():
    X, Y, place = clustered_pair(600)
    pairs = find_pairs("clusters", X, Y, n_clusters=12)
    assert (place[pairs[:, 0]] == pairs[:, 1]).mean() > 0.05


@pytest.mark.parametrize("name", MAPS)
def test_the_map_is_a_rotation_and_a_function_of_the_generator(name):
    X, Y = structured_pair(80)
    start = STARTS.make(name, QUICK[name])
    one, again = (start._find_map(X, Y, np.random.default_rng(3), ignore_progress) for _ in range(2))
    np.testing.assert_allclose(one @ one.T, np.eye(8), atol=1e-6)
    np.testing.assert_array_equal(one, again)


@pytest.mark.parametrize(
    ("name", "row"),
    [
        ("icp", [-0.268736, 0.156661, 0.318647, -0.654371]),
        ("adversarial", [1.0, 0.000465, 0.000359, -0.000243]),
        ("wasserstein", [0.103219, 0.249341, 0.047245, -0.692883]),
        ("clusters", [0.103083, 0.250178, 0.046653, -0.694606]),
    ],
)
def test_the_maps_stay_as_they_are(name, row):
    start = STARTS.make(name, QUICK[name])
    W = start._find_map(*structured_pair(80), np.random.default_rng(3), ignore_progress)
    np.testing.assert_allclose(W[0, :4], row, atol=1e-5)


@pytest.mark.parametrize(
    ("name", "stages"),
    [
        ("icp", {"icp, random starts": 20, "icp": 100}),
        ("adversarial", {"adversarial": 20}),
        ("wasserstein", {"wasserstein, relaxed": 10, "wasserstein": 40}),
        ("clusters", {"clusters, matching": 3, "clusters, refinement": 20}),
        ("gromov_wasserstein", {"gromov_wasserstein": 2}),
    ],
)
def test_iterative_starts_report_every_step(name, stages):
    reports = {}
    start = STARTS.make(name, QUICK[name])
    start.find_pairs(
        Problem(*structured_pair(80)),
        progress=lambda what, done, total: reports.setdefault(what.partition(":")[0], []).append((done, total)),
    )
    assert {what: some[-1] for what, some in reports.items()} == {what: (n, n) for what, n in stages.items()}
    for some in reports.values():
        assert [done for done, _ in some[:-1]] == list(range(len(some) - 1))


def test_an_entropy_too_small_for_the_solver_ends_the_series():
    rng = np.random.default_rng(0)
    X, Y = (unit_rows(rng.standard_normal((80, 8)).astype(np.float32)) for _ in range(2))
    one, stopped = (find_pairs("gromov_wasserstein", X, Y, epsilons=some) for some in ((2e-2,), (2e-2, 1e-7, 1e-2)))
    np.testing.assert_array_equal(one, stopped)


@pytest.mark.parametrize("name", QUICK)
def test_only_candidates_are_paired(name):
    X, Y = structured_pair(60)
    pairs = STARTS.make(name, QUICK[name]).find_pairs(Problem(X, Y, candidates=(50, 30)))
    assert len(pairs) > 0
    assert (pairs.max(axis=0) < (50, 30)).all()


@pytest.mark.parametrize("name", ["similarity", "gromov_wasserstein"])
def test_starts_that_compare_distances_take_spaces_of_different_dimensions(name):
    X, Y = structured_pair(100)
    wide = np.ascontiguousarray(np.pad(Y, ((0, 0), (0, 3))))
    np.testing.assert_array_equal(find_pairs(name, X, wide), find_pairs(name, X, Y))


@pytest.mark.parametrize("name", MAPS)
def test_starts_that_rotate_refuse_spaces_of_different_dimensions(name):
    assert STARTS.load(name).same_dim
    with pytest.raises(ShapeError, match="columns"):
        find_pairs(name, np.eye(4, dtype=np.float32), np.eye(5, dtype=np.float32))


def test_without_pot_the_install_command_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "ot", None)
    with pytest.raises(MissingExtraError, match=r"\[ot\]"):
        find_pairs("wasserstein", np.eye(4, dtype=np.float32), np.eye(4, dtype=np.float32))


@pytest.mark.parametrize("weights", ["uniform", "frequency"])
def test_the_gromov_wasserstein_plan_is_that_of_pot(weights):
    gromov = pytest.importorskip("ot.gromov")
    X, Y = structured_pair(30)
    Y = np.ascontiguousarray(Y[:25])
    p, q = (_weights(len(side), weights) for side in (X, Y))
    spaces = _Spaces(X, Y, p, q, _mean_distance(X), _mean_distance(Y))
    state = run_loop(_Annealing((0.05,), 500), spaces, what="").state
    A, B = (1 - np.float64(side) @ side.T for side in (X, Y))
    options = {"symmetric": True, "max_iter": 500, "tol": 1e-10, "log": True, "warn": False}
    plan, log = gromov.entropic_gromov_wasserstein(
        A / A.mean(), B / B.mean(), np.float64(p) / p.sum(), np.float64(q) / q.sum(), epsilon=0.05, **options
    )
    assert np.abs(state.plan - plan).sum() < 2e-3
    assert state.record["objective"] == pytest.approx(log["gw_dist"], abs=1e-4)


def test_the_marginals_of_a_gromov_wasserstein_plan_are_the_weights():
    X, Y = structured_pair(60)
    p = _weights(60, "frequency")
    spaces = _Spaces(X, Y, p, p, _mean_distance(X), _mean_distance(Y))
    plan = run_loop(_Annealing((0.02, 0.01), 100), spaces, what="").state.plan
    np.testing.assert_allclose(plan.sum(axis=0), p, rtol=1e-5)
    assert np.abs(plan.sum(axis=1) - p).sum() < 1e-3


def test_the_largest_entries_of_a_plan_are_pairs_both_ways():
    plan = np.array([[0.5, 0.1, 0.4], [0.2, 0.3, 0.9]])
    np.testing.assert_array_equal(pairs_from_plan(plan), [[0, 0], [1, 2], [0, 0], [1, 1], [1, 2]])
