from itertools import pairwise

import numpy as np

from isoalign._core.arrays import unit_rows
from isoalign.alignment import AbstractDirectAligner, Contrastive, Maps, Problem
from isoalign.alignment._contrast_loss import ContrastiveLoss, MapPair, joint_norm, mine_negatives, step_along
from isoalign.maps import IdentityMap
from isoalign.neighbors import csls_precision_at_1
from planted import planted_pair


def distorted(n=400, dim=16):
    """Two copies of one space, one of them stretched so that neighbours are mistaken for translations."""
    X, _, _ = planted_pair(n=n, dim=dim)
    stretch = np.eye(dim) + 0.25 * np.random.default_rng(3).standard_normal((dim, dim))
    pairs = np.column_stack([np.arange(n), np.arange(n)])
    return unit_rows(X @ stretch), unit_rows(X), pairs


class Still(AbstractDirectAligner):
    """Leave both spaces as they are."""

    def _solve(self, problem):
        return Maps(IdentityMap(problem.X.shape[1]), IdentityMap(problem.Y.shape[1]))


def contrast(U, V, pairs, **settings):
    """The maps after 0, 1, … steps, beginning with both spaces as they are."""
    steps = []
    Contrastive(Still(), **settings).fit_problem(
        Problem(U, V, pairs),
        callback=lambda number, maps: steps.append(MapPair(np.asarray(maps.source), np.asarray(maps.target))),
    )
    return steps


def test_steps_start_at_the_identity_and_have_the_lengths_of_the_schedule():
    U, V, pairs = distorted()
    maps = contrast(U, V, pairs[:200], n_steps=4, step_length=0.2)
    np.testing.assert_array_equal(maps[0].source, np.eye(16))
    np.testing.assert_array_equal(maps[0].target, np.eye(16))
    lengths = [joint_norm(MapPair(b.source - a.source, b.target - a.target)) for a, b in pairwise(maps)]
    np.testing.assert_allclose(lengths, [0.2, 0.15, 0.1, 0.05], rtol=1e-9)


def test_the_loss_falls_and_words_never_seen_are_found_more_often():
    U, V, pairs = distorted()
    learn, judge = pairs[:200], pairs[200:]
    objective = ContrastiveLoss(U, V, learn, mine_negatives(U, V, learn, 30), temperature=0.1)
    steps = contrast(U, V, learn)
    losses = [objective.evaluate(maps)[0] for maps in steps]
    assert losses[-1] < 0.7 * losses[0]

    def precision(maps):
        return csls_precision_at_1(unit_rows(U @ maps.source), unit_rows(V @ maps.target), judge)

    assert precision(steps[-1]) > precision(steps[0]) + 0.05


def test_no_direction_is_no_step():
    maps = MapPair(np.eye(2), np.eye(2))
    still = MapPair(np.zeros((2, 2)), np.zeros((2, 2)))
    np.testing.assert_array_equal(step_along(maps, still, 1.0).source, np.eye(2))
