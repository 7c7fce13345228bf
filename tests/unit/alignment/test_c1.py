import numpy as np

from benchmarks._plain_contrast import plain_c1
from isoalign._core.arrays import unit_rows
from isoalign.alignment import Problem
from isoalign.alignment._c1 import C1, C1State, c1_step, confident_pairs
from isoalign.alignment._contrast_loss import MapPair, joint_norm
from isoalign.alignment._vecmap import multi_step_maps
from isoalign.neighbors import csls_precision_at_1
from planted import planted_pair

SETTINGS = {"n_negatives": 10, "lr": 1.5, "clip": 0.15}


def problem(n=300, noise=0.5):
    X, Y, _ = planted_pair(n=n, noise=noise)
    pairs = np.column_stack([np.arange(150), np.arange(150)])
    return unit_rows(X), unit_rows(Y), np.concatenate([pairs, [[0, 151], [152, 4]]])


def start(X, Y):
    return MapPair(*multi_step_maps(X, Y))


def descend(S, T, pairs, maps, n_steps, **settings):
    """The maps after 0, 1, …, n_steps steps."""
    steps = [C1State(maps)]
    for _ in range(n_steps):
        steps.append(c1_step(S, T, pairs, steps[-1], **settings))
    return [state.maps for state in steps]


def test_steps_are_those_of_a_plain_descent_with_dense_gathers():
    S, T, pairs = problem()
    maps = start(S[pairs[:, 0]], T[pairs[:, 1]])
    *_, found = descend(S, T, pairs, maps, n_steps=6, mine_every=1, **SETTINGS)
    expected = plain_c1(S, T, pairs, maps, n_steps=6, decay=0.99, **SETTINGS)
    np.testing.assert_allclose(found.source, expected[0], atol=1e-4)
    np.testing.assert_allclose(found.target, expected[1], atol=1e-4)
    assert joint_norm(MapPair(found.source - maps.source, found.target - maps.target)) > 0.01


def test_words_beyond_max_rank_are_neither_negatives_nor_learned_from():
    S, T, pairs = problem()
    maps = start(S[pairs[:, 0]], T[pairs[:, 1]])
    settings = {"n_steps": 3, "max_rank": 100, **SETTINGS}
    *_, found = descend(S, T, pairs, maps, **settings)
    within = pairs[(pairs < 100).all(axis=1)]
    *_, expected = descend(S[:100], T[:100], within, maps, **settings)
    np.testing.assert_allclose(found.source, expected.source, atol=1e-12)


def test_confident_pairs_are_new_and_the_surest_come_first():
    S, T, pairs = problem(noise=0.05)
    maps = start(S[pairs[:, 0]], T[pairs[:, 1]])
    U, V = unit_rows(S @ maps.source), unit_rows(T @ maps.target)
    few, many = (confident_pairs(U, V, pairs, n) for n in (20, 1000))
    assert not np.isin(many[:, 0], pairs[:, 0]).any()
    assert not np.isin(many[:, 1], pairs[:, 1]).any()
    assert 20 <= len(few) <= 40 < len(many)
    assert (few[:, 0] == few[:, 1]).all()


def test_rounds_with_added_pairs_help_a_small_dictionary():
    S, T, _ = (unit_rows(rows) for rows in planted_pair(n=600, dim=50, noise=1.0))
    seeds, judge = (np.column_stack([rows, rows]) for rows in (np.arange(60), np.arange(60, 600)))

    def precision(aligner):
        maps = aligner.fit_problem(Problem(S, T, seeds)).maps_
        return csls_precision_at_1(*maps.spaces(S, T), judge)

    settings = {"n_steps": 5, "n_added": 300, "learn_added": True, **SETTINGS}
    one, three = (precision(C1(n_rounds=n, **settings)) for n in (1, 3))
    assert three > one + 0.02


def test_every_step_of_all_rounds_is_reported_and_the_last_is_the_result():
    S, T, pairs = problem()
    settings = {"n_rounds": 2, "n_steps": 3, "n_added": 20, "n_negatives": 10}
    steps, said = [], []
    aligner = C1(**settings).fit_problem(
        Problem(S, T, pairs),
        callback=lambda number, maps: steps.append((number, np.asarray(maps.source))),
        progress=lambda what, done, total: said.append((done, total)),
    )
    first = descend(S, T, pairs, start(S[pairs[:, 0]], T[pairs[:, 1]]), 3, n_negatives=10)
    U, V = (unit_rows(X @ W.astype(np.float32)) for X, W in zip((S, T), first[-1], strict=True))
    more = np.concatenate([pairs, confident_pairs(U, V, pairs, 20)])
    second = descend(S, T, pairs, start(S[more[:, 0]], T[more[:, 1]]), 3, n_negatives=10)
    expected = [maps.source for maps in (*first, *second)]
    assert [number for number, _ in steps] == list(range(8))
    np.testing.assert_array_equal([matrix for _, matrix in steps], expected)
    np.testing.assert_array_equal(np.asarray(aligner.source_map_), expected[-1])
    assert said[0] == (0, 7)
    assert said[-1] == (7, 7)
