"""Every adapter: planted maps are recovered, and the fitted map keeps the contract of maps."""

import numpy as np
import pytest

from isoalign.migration import ADAPTERS, PairedRows
from isoalign.migration._methods._kernel import fit_kernel
from isoalign.migration._methods._local import _local_change
from isoalign.migration._methods._mlp import fit_mlp
from isoalign.migration._methods._ridge import fit_ridge, ridge_solution
from isoalign.migration._selection import fit_map
from isoalign.testing import check_map
from migrations import planted_change
from planted import planted_pair, random_rotation


@pytest.fixture(scope="module")
def change():
    return planted_change(600)


@pytest.mark.parametrize("name", ADAPTERS)
@pytest.mark.parametrize("backwards", [False, True], ids=["wider", "narrower"])
def test_every_adapter_yields_a_map_that_keeps_the_contract(name, backwards, change):
    X, Y = (change.new, change.old) if backwards else change
    check_map(fit_map(PairedRows.from_rows(X[:100], Y[:100]), name, {}))


@pytest.mark.parametrize("name", ADAPTERS)
def test_rows_come_out_at_length_one_where_the_target_has_it_and_only_there(name, change):
    X, Y = change
    mapped = fit_map(PairedRows.from_rows(X, Y), name, {}).apply(X)
    np.testing.assert_allclose(np.linalg.norm(mapped, axis=1), 1, atol=1e-5)
    longer = fit_map(PairedRows.from_rows(X, 3 * Y), name, {}).apply(X)
    assert np.abs(np.linalg.norm(longer, axis=1) - 1).max() > 0.1


@pytest.mark.parametrize("name", ["procrustes", "shrunk", "ridge", "reduced_rank", "local", "kernel", "mlp"])
def test_a_planted_rotation_between_shifted_spaces_is_recovered(name):
    X, _, _ = planted_pair(400, 6, seed=3)
    Y = (X @ random_rotation(6, seed=4) + 5).astype(np.float32)
    settings = {} if name == "procrustes" else {"ridge": 1e-6}
    if name == "reduced_rank":
        settings["share"] = 1.0
    mapped = fit_map(PairedRows.from_rows(X, Y), name, settings).apply(X)
    np.testing.assert_allclose(mapped, Y, atol=2e-2)


def test_the_adjoint_ranks_as_the_mapped_index_would():
    X, Y = planted_change(300)[::-1]
    mapped = fit_map(PairedRows(X, Y, unit=False), "adjoint", {"ridge": 0.1}).apply(X[:9])
    backwards = fit_map(PairedRows(Y, X, unit=False), "shrunk", {"ridge": 0.1}).apply(Y)
    scores = mapped @ Y.T
    differences = scores - X[:9] @ backwards.T  # the same number for every document of a query
    np.testing.assert_allclose(differences, np.broadcast_to(differences[:, :1], differences.shape), atol=1e-4)


def test_a_ridge_of_zero_is_least_squares_even_of_too_few_pairs():
    X, Y = planted_change(8)
    pairs = PairedRows.from_rows(X, Y)
    expected = np.linalg.lstsq(X - X.mean(0, dtype=float), Y - Y.mean(0, dtype=float), rcond=None)[0]
    np.testing.assert_allclose(ridge_solution(pairs, 0), expected, atol=1e-4)


def test_the_rank_is_limited(change):
    W = fit_map(PairedRows(*change, unit=False), "reduced_rank", {"share": 0.5}).matrix
    assert np.linalg.matrix_rank(W, tol=1e-9) == 6


def bent(n, seed):
    """Return items and a smooth function of them that is not linear."""
    X = np.random.default_rng(seed).standard_normal((n, 5)).astype(np.float32)
    return X, np.column_stack([X, np.abs(X)]).astype(np.float32)


@pytest.mark.parametrize("fit", [fit_kernel, fit_mlp], ids=["kernel", "mlp"])
def test_maps_that_are_not_linear_follow_a_bent_space_better_than_ridge(fit):
    pairs, (X, Y) = PairedRows.from_rows(*bent(1500, 0)), bent(300, 1)
    settings = {"max_epochs": 40} if fit is fit_mlp else {}
    errors = [
        ((one.apply(X) - Y) ** 2).mean() for one in (fit_ridge(pairs, ridge=0.001), fit(pairs, ridge=0.001, **settings))
    ]
    assert errors[1] < 0.7 * errors[0]


def test_the_number_of_anchors_is_capped(change):
    one = fit_map(PairedRows.from_rows(*change), "kernel", {"anchors": 50})
    assert one.maps[0].anchors.shape == (50, 12)


@pytest.mark.parametrize("n", [5, 40])
def test_the_map_of_a_cluster_is_the_ridge_solution_for_few_and_for_many_rows(n):
    rng = np.random.default_rng(n)
    X, Y, overall = rng.standard_normal((n, 12)), rng.standard_normal((n, 7)), rng.standard_normal((12, 7))
    expected = np.linalg.inv(X.T @ X + 0.5 * np.eye(12)) @ X.T @ (Y - X @ overall)
    np.testing.assert_allclose(_local_change(X, Y, overall, 0.5), expected, atol=1e-9)
