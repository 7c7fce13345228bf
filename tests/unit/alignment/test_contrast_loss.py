import numpy as np
import pytest

from isoalign._core.arrays import unit_rows
from isoalign.alignment._contrast_loss import ContrastiveLoss, MapPair, mine_negatives
from planted import planted_pair


def problem(n=40, dim=6, n_pairs=25):
    """Two noisy spaces, and a dictionary in which some words have two translations."""
    X, Y, W = planted_pair(n=n, dim=dim, noise=0.7)
    pairs = np.column_stack([np.arange(n_pairs), np.arange(n_pairs)])
    pairs = np.concatenate([pairs, [[0, n_pairs + 1], [3, 2], [n_pairs + 2, 5]]])
    return unit_rows(X), unit_rows(Y), pairs, W


def plain_loss(S, T, pairs, negatives, maps, temperature, joint, lengths=None):
    """The loss as its formula reads, pair by pair in float64; the lengths of mapped rows may be given."""
    U, V = (X.astype(np.float64) @ W for X, W in zip((S, T), maps, strict=True))
    u_lengths, v_lengths = lengths or (np.linalg.norm(U, axis=1), np.linalg.norm(V, axis=1))
    e = np.exp((U / u_lengths[:, None]) @ (V / v_lengths[:, None]).T / temperature)
    losses = []
    for i, j in pairs:
        i_sum = sum(e[a, b] for a, b in negatives.targets if a == i)
        j_sum = sum(e[a, b] for a, b in negatives.sources if b == j)
        if joint:
            losses.append(-np.log(e[i, j] / (e[i, j] + i_sum + j_sum)))
        else:
            losses.append(-np.log(e[i, j] / (e[i, j] + i_sum)) / 2 - np.log(e[i, j] / (e[i, j] + j_sum)) / 2)
    return np.mean(losses)


def test_negatives_are_the_nearest_words_but_no_known_translation():
    S, T, pairs, W = problem()
    U = unit_rows(S @ W)
    negatives = mine_negatives(U, T, pairs, 4)
    known = {tuple(pair) for pair in pairs}
    cosines = U @ T.T
    for i in np.unique(pairs[:, 0]):
        nearest = {(i, j) for j in np.argsort(-cosines[i])[:4]}
        assert {tuple(pair) for pair in negatives.targets if pair[0] == i} == nearest - known
    for j in np.unique(pairs[:, 1]):
        nearest = {(i, j) for i in np.argsort(-cosines[:, j])[:4]}
        assert {tuple(pair) for pair in negatives.sources if pair[1] == j} == nearest - known


@pytest.mark.parametrize("joint", [False, True])
@pytest.mark.parametrize("constant_norms", [False, True])
def test_loss_and_gradient_are_those_of_the_formula(joint, constant_norms):
    S, T, pairs, W = problem()
    rng = np.random.default_rng(1)
    maps = MapPair(W + 0.1 * rng.standard_normal(W.shape), np.eye(6) + 0.1 * rng.standard_normal(W.shape))
    negatives = mine_negatives(unit_rows(S @ W), T, pairs, 5)
    objective = ContrastiveLoss(S, T, pairs, negatives, temperature=0.3, joint=joint, constant_norms=constant_norms)
    loss, gradient = objective.evaluate(maps)
    lengths = tuple(np.linalg.norm(X @ M, axis=1) for X, M in zip((S, T), maps, strict=True))

    def plain(moved):
        return plain_loss(S, T, pairs, negatives, moved, 0.3, joint, lengths if constant_norms else None)

    np.testing.assert_allclose(loss, plain(maps), rtol=1e-5)
    for side in (0, 1):
        direction = rng.standard_normal(W.shape)
        moved = [maps._replace(**{maps._fields[side]: maps[side] + sign * 1e-5 * direction}) for sign in (1, -1)]
        slope = (plain(moved[0]) - plain(moved[1])) / 2e-5
        np.testing.assert_allclose((gradient[side] * direction).sum(), slope, rtol=1e-3, atol=1e-5)


def test_small_temperatures_do_not_overflow():
    S, T, pairs, W = problem()
    negatives = mine_negatives(unit_rows(S @ W), T, pairs, 5)
    loss, gradient = ContrastiveLoss(S, T, pairs, negatives, temperature=0.01).evaluate(MapPair(W, np.eye(6)))
    assert np.isfinite(loss)
    assert np.isfinite(gradient.source).all()
