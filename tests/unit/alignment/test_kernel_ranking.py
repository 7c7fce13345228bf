import numpy as np
import pytest

from isoalign._core.arrays import unit_rows
from isoalign.alignment import Kernel, Problem, Sizes
from isoalign.alignment._kernel_ranking import _gradient, rank_correction
from isoalign.maps import KernelCorrection
from planted import planted_pair


def spaces(n=80, dim=5):
    X, Y, W = planted_pair(n=n, dim=dim, noise=0.5)
    pairs = np.repeat(np.arange(n // 2)[:, None], 2, axis=1)
    return unit_rows((X @ W).astype(np.float32)), unit_rows(Y), np.concatenate([pairs, [[3, 60], [3, 61]]])


def plain_loss(corrected, V, pairs, negatives, temperature=0.1):
    """Mean over translations, then sum over anchors, of the contrastive loss."""
    U = corrected / np.linalg.norm(corrected, axis=1, keepdims=True)
    total = 0.0
    for i, u in enumerate(U):
        known = pairs[pairs[:, 0] == i, 1]
        rivals = np.exp([u @ V[j] / temperature for j in negatives[i] if j not in known]).sum()
        scores = np.exp(V[known] @ u / temperature)
        total -= np.log(scores / (scores + rivals)).mean()
    return total


def test_the_gradient_is_that_of_the_contrastive_loss():
    U, V, pairs = spaces()
    pairs = np.unique(pairs, axis=0)
    rows = (1.3 * U[:40]).astype(np.float64)
    negatives = np.argsort(-U[:40] @ V.T, axis=1)[:, :8]
    is_known = np.array([[j in pairs[pairs[:, 0] == i, 1] for j in near] for i, near in enumerate(negatives)])
    found = 10 * _gradient(rows.astype(np.float32), V, pairs[:, 0], pairs[:, 1], negatives, is_known, 0.1)
    expected = np.zeros_like(rows)
    for place in np.ndindex(rows.shape):
        step = np.zeros_like(rows)
        step[place] = 1e-5
        ends = [plain_loss(rows + sign * step, V, pairs, negatives) for sign in (1, -1)]
        expected[place] = (ends[0] - ends[1]) / 2e-5
    np.testing.assert_allclose(found, expected, atol=2e-3)


def test_steps_lower_the_loss_of_words_never_seen_where_the_bend_is_smooth():
    U = unit_rows(np.random.default_rng(0).standard_normal((400, 5)).astype(np.float32))
    V = unit_rows(U + 0.4 * np.abs(U[:, ::-1]) - 0.2)
    pairs = np.repeat(np.arange(400)[:, None], 2, axis=1)
    ridge = KernelCorrection.fit(U, V, pairs[:200], penalty=30.0, omit_self=True)
    ranked = rank_correction(ridge, V, np.arange(200), pairs[:200], n_steps=4)
    new, gold = U[200:], pairs[200:] - [200, 0]
    negatives = np.argsort(-ridge.apply(new) @ V.T, axis=1)[:, :30]
    before, after = (plain_loss(one.apply(new), V, gold, negatives) for one in (ridge, ranked))
    assert after < before
    assert ranked.omit_self


@pytest.mark.parametrize("steps", [0, 4])
def test_steps_are_a_setting_of_the_kernel_in_both_directions(steps):
    X, Y, _ = planted_pair(n=80, dim=5, noise=0.5)
    task = Problem(X, Y, np.repeat(np.arange(40)[:, None], 2, axis=1))
    plain, found = (Kernel("procrustes", **some).fit_problem(task).maps_ for some in ({}, {"ranking_steps": steps}))
    for name in ("forward", "backward"):
        same = np.array_equal(getattr(plain, name).coefficients, getattr(found, name).coefficients)
        assert same == (steps == 0)


def test_ranking_steps_are_counted_where_there_are_any():
    sizes = Sizes(1000, 1200, 10, (100, 120), (50, 60))
    plain, four, eight = (Kernel(ranking_steps=steps).cost(sizes) for steps in (0, 4, 8))
    assert four - plain == pytest.approx(2 * 10 * (100 * 1200 + 120 * 1000 + 5 * (100**2 + 120**2)))
    assert eight - four == pytest.approx(2 * 10 * 4 * (100**2 + 120**2))
