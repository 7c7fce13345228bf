import numpy as np
import pytest

from isoalign._core.arrays import unit_rows
from isoalign.alignment import RCSLS, orthogonal_map
from isoalign.alignment._rcsls import RelaxedCsls, clip_singular_values
from isoalign.errors import ParameterError
from planted import first_pairs, planted_pair, random_rotation


@pytest.fixture(scope="module")
def pair():
    X, Y, _ = planted_pair(n=200, dim=8, noise=0.6, seed=2)
    return X, Y


def naive_loss(W, X, Y, sources, targets, k):
    """The formula, word by word, in float64."""
    total = 0.0
    for x, y in zip(X.astype(float), Y.astype(float), strict=True):
        total += 2 * x @ W @ y
        total -= np.sort(targets @ (x @ W))[-k:].mean() + np.sort(sources @ W @ y)[-k:].mean()
    return -total / len(X)


def test_the_objective_is_the_formula(pair):
    X, Y = pair
    W = random_rotation(8, seed=5)
    value, _ = RelaxedCsls(X[:40], Y[:40], X, Y, 10).evaluate(W)
    assert value == pytest.approx(naive_loss(W, X[:40], Y[:40], X, Y, 10), abs=1e-5)


def test_the_gradient_agrees_with_finite_differences(pair):
    X, Y = pair
    W = random_rotation(8, seed=5)
    objective = RelaxedCsls(X[:40], Y[:40], X, Y, 5)
    _, gradient = objective.evaluate(W)
    rng, step = np.random.default_rng(0), 2e-4
    for _ in range(5):
        direction = rng.standard_normal((8, 8))
        above, below = (objective.evaluate(W + sign * step * direction)[0] for sign in (1, -1))
        assert (above - below) / (2 * step) == pytest.approx((gradient * direction).sum(), abs=0.02)


def test_the_objective_is_homogeneous_of_degree_one(pair):
    X, Y = pair
    W = random_rotation(8, seed=5)
    value, gradient = RelaxedCsls(X[:40], Y[:40], X, Y, 5).evaluate(W)
    assert (gradient * W).sum() == pytest.approx(value, abs=1e-5)  # Euler


def test_words_with_several_translations_are_searched_once_and_count_as_often(pair):
    X, Y = pair
    repeated = np.array([0, 0, 0, 1, 2, 2]), np.array([0, 1, 2, 3, 4, 4])
    objective = RelaxedCsls(X[repeated[0]], Y[repeated[1]], X, Y, 3)
    assert len(objective.source_side.words) == 3
    assert len(objective.target_side.words) == 5
    W = random_rotation(8)
    expected = naive_loss(W, X[repeated[0]], Y[repeated[1]], X, Y, 3)
    assert objective.evaluate(W)[0] == pytest.approx(expected, abs=1e-5)


def test_the_loss_falls_and_starts_at_procrustes(pair):
    X, Y = pair
    aligner = RCSLS(lr=0.1, epochs=5).fit_problem(first_pairs(X, Y, 80))
    losses = [entry["loss"] for entry in aligner.history_]
    assert losses[0] == pytest.approx(naive_loss(orthogonal_map(X[:80], Y[:80]), X[:80], Y[:80], X, Y, 10), abs=1e-5)
    assert len(losses) == 6
    assert (np.diff(losses) < 0).all()


def fit_too_fast(pair, **settings):
    X, Y = pair
    steps = []
    aligner = RCSLS(lr=50, epochs=8, **settings)
    aligner.fit_problem(first_pairs(X, Y, 80), callback=lambda step, maps: steps.append(maps.source.matrix))
    return aligner, steps


def test_after_a_rise_ours_goes_back_and_halves_the_step(pair):
    X, Y = pair
    aligner, steps = fit_too_fast((unit_rows(X), unit_rows(Y)), spectral=True)
    history = aligner.history_
    rises = [i for i in range(1, len(history)) if history[i]["loss"] > min(h["loss"] for h in history[:i])]
    assert rises, "the step must be too long for this test to say anything"
    objective = RelaxedCsls(unit_rows(X)[:80], unit_rows(Y)[:80], unit_rows(X), unit_rows(Y), 10)
    for i in rises:
        accepted = min(range(i), key=lambda j: history[j]["loss"])
        W, lr = steps[accepted], history[i]["lr"]
        expected = clip_singular_values(W - lr / 2 * objective.evaluate(W)[1])
        np.testing.assert_allclose(steps[i + 1], expected, atol=1e-10)


def test_after_a_rise_the_quirk_goes_on_from_where_it_is_unclipped(pair):
    aligner, steps = fit_too_fast(pair, spectral=True, quirks="fasttext")
    losses = [entry["loss"] for entry in aligner.history_]
    rise = next(i for i in range(1, len(losses)) if losses[i] > losses[i - 1])
    X, Y = (unit_rows(rows) for rows in pair)
    objective = RelaxedCsls(X[:80], Y[:80], X, Y, 10)
    gradient = objective.evaluate(steps[rise])[1]
    lr = aligner.history_[rise]["lr"]
    np.testing.assert_allclose(steps[rise + 1], steps[rise] - lr * gradient, atol=1e-4)
    assert np.linalg.norm(steps[rise + 1], 2) > 1 + 1e-3
    assert aligner.history_[rise + 1]["lr"] == lr / 2


def test_the_quirk_scales_vectors_to_length_one(pair):
    X, Y = pair
    quirk = RCSLS(lr=0.1, epochs=2, quirks="fasttext").fit(X, Y)
    ours = RCSLS(lr=0.1, epochs=2).fit(unit_rows(X), unit_rows(Y))
    np.testing.assert_allclose(quirk.source_map_, ours.source_map_, atol=1e-5)
    assert not np.allclose(RCSLS(lr=0.1, epochs=2).fit(X, Y).source_map_, ours.source_map_, atol=1e-3)


def test_it_stops_when_the_step_has_become_tiny(pair):
    X, Y = pair
    assert len(RCSLS(lr=5e-5, epochs=10).fit(X, Y).history_) == 0


def test_spectral_keeps_singular_values_in_the_unit_interval(pair):
    X, Y = pair
    W = RCSLS(lr=1.0, epochs=5, spectral=True).fit(X, Y).source_map_
    assert np.linalg.norm(W, 2) <= 1 + 1e-12
    assert np.linalg.norm(RCSLS(lr=1.0, epochs=5).fit(X, Y).source_map_, 2) > 1.01


def test_only_the_first_words_may_be_neighbors(pair):
    X, Y = pair
    few = RCSLS(lr=0.1, epochs=2, max_neg=50).fit_problem(first_pairs(X, Y, 30))
    cut = RCSLS(lr=0.1, epochs=2).fit_problem(first_pairs(X[:50], Y[:50], 30))
    np.testing.assert_array_equal(few.source_map_, cut.source_map_)


def test_a_longer_run_passes_through_the_shorter_one(pair):
    X, Y = pair
    steps = {}
    RCSLS(lr=0.5, epochs=6).fit(X, Y, callback=lambda step, maps: steps.update({step: maps.source}))
    np.testing.assert_array_equal(RCSLS(lr=0.5, epochs=3).fit(X, Y).source_map_, steps[4])


def test_open_settings_make_one_trajectory_per_step_length():
    assert RCSLS(lr=1.0, epochs=3).trajectories() == []
    grid = RCSLS().trajectories()
    assert [t.settings for t in grid] == [{"lr": lr, "epochs": 20} for lr in (1, 10, 25, 50)]
    assert grid[1].candidates == {11: {"lr": 10, "epochs": 10}, 21: {"lr": 10, "epochs": 20}}
    assert len(RCSLS(lr=3.0).trajectories()) == 1


@pytest.mark.parametrize(
    "settings", [{"lr": 0}, {"lr": -1.0}, {"lr": "fast"}, {"epochs": -1}, {"k": 0}, {"max_neg": 0}, {"quirks": "muse"}]
)
def test_wrong_settings_are_refused(pair, settings):
    with pytest.raises(ParameterError, match=next(iter(settings))):
        RCSLS(**settings).fit(*pair)
