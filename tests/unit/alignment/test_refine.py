import numpy as np
import pytest

from isoalign.alignment import DIRECTIONS, LeastSquares, Procrustes, Refine, VecMap
from isoalign.errors import IsoalignWarning, ParameterError
from planted import first_pairs, planted_pair


@pytest.fixture(scope="module")
def pair():
    return planted_pair(n=400, dim=10, noise=0.15, seed=3)


def fit(aligner, pair, n_seed=15, callback=None):
    X, Y, _ = pair
    return aligner.fit_problem(first_pairs(X, Y, n_seed), callback=callback)


def sizes(aligner):
    return [entry["dictionary_size"] for entry in aligner.history_]


def test_five_rounds_come_nearer_to_the_planted_rotation(pair):
    seed_only = np.linalg.norm(fit(Procrustes(), pair).source_map_.matrix - pair.W)
    refined = fit(Refine(), pair)
    assert np.linalg.norm(refined.source_map_.matrix - pair.W) < seed_only / 2
    assert sizes(refined)[0] == 15
    assert len(refined.history_) == 6
    assert sizes(refined)[-1] > 300


def test_round_zero_is_the_inner_aligner(pair):
    for inner in (None, LeastSquares(ridge=1.0), VecMap()):
        expected = fit(inner or Procrustes(), pair).source_map_
        np.testing.assert_array_equal(fit(Refine(inner, n_iter=0), pair).source_map_, expected)


def test_the_inner_aligner_may_be_named(pair):
    named, given = fit(Refine("vecmap", n_iter=1), pair), fit(Refine(VecMap(), n_iter=1), pair)
    np.testing.assert_array_equal(named.source_map_, given.source_map_)
    with pytest.raises(ParameterError, match="Did you mean 'vecmap'"):
        Refine("vecmpa").fit(np.eye(3), np.eye(3))


def test_every_step_is_called_back_with_the_means_of_its_space(pair):
    steps = []
    fitted = fit(Refine(n_iter=3), pair, callback=lambda step, maps: steps.append((step, maps)))
    assert [step for step, _ in steps] == [0, 1, 2, 3]
    assert [maps.target_means is None for _, maps in steps] == [False, False, False, True]
    np.testing.assert_array_equal(steps[-1][1].source, fitted.source_map_)
    np.testing.assert_array_equal(steps[0][1].source, fit(Procrustes(), pair).source_map_)


def test_mutual_pairs_are_those_of_both_directions_and_the_union_those_of_either():
    pair = planted_pair(n=400, dim=10, noise=1.0, seed=3)
    found = {
        direction: sizes(fit(Refine(n_iter=1, direction=direction, max_rank=None), pair))[1] for direction in DIRECTIONS
    }
    assert found["forward"] == found["backward"] == 400
    assert found["mutual"] < 400 < found["union"]
    assert found["mutual"] + found["union"] == 800
    assert found["mutual"] < found["matching"] <= 400


def test_matched_words_lead_to_the_planted_rotation_too(pair):
    seed_only = np.linalg.norm(fit(Procrustes(), pair).source_map_.matrix - pair.W)
    matched = fit(Refine(direction="matching"), pair)
    assert np.linalg.norm(matched.source_map_.matrix - pair.W) < seed_only / 2


def test_only_words_up_to_max_rank_choose_and_are_chosen(pair):
    assert sizes(fit(Refine(n_iter=1, max_rank=50), pair))[1] <= 50
    muse = fit(Refine(n_iter=1, direction="forward", max_rank=50, quirks="muse"), pair)
    ours = fit(Refine(n_iter=1, direction="forward", max_rank=50), pair)
    assert sizes(muse)[1] - sizes(ours)[1] in (0, 1)


def test_a_least_margin_drops_unclear_pairs_and_min_size_keeps_the_clearest(pair):
    free = sizes(fit(Refine(n_iter=1), pair))[1]
    strict = sizes(fit(Refine(n_iter=1, min_margin=0.2), pair))[1]
    assert 0 < strict < free
    assert sizes(fit(Refine(n_iter=1, min_margin=10.0, min_size=30), pair))[1] == 30
    assert sizes(fit(Refine(n_iter=1, max_size=20), pair))[1] == 20


def test_keep_seed_adds_the_given_pairs(pair):
    alone = sizes(fit(Refine(n_iter=1), pair))[1]
    assert sizes(fit(Refine(n_iter=1, keep_seed=True), pair))[1] == alone + 15


def test_an_empty_dictionary_keeps_the_last_map_and_says_so(pair):
    steps = []
    with pytest.warns(IsoalignWarning, match="Round 1 of refinement found no pair"):
        fitted = fit(Refine(min_margin=10.0), pair, callback=lambda step, maps: steps.append(step))
    np.testing.assert_array_equal(fitted.source_map_, fit(Procrustes(), pair).source_map_)
    assert steps == [0]
    assert sizes(fitted) == [15]
    assert sizes(fit(Refine(min_margin=10.0, keep_seed=True, n_iter=2), pair)) == [15, 15, 15]


@pytest.mark.parametrize(
    "settings",
    [
        {"n_iter": -1},
        {"direction": "both"},
        {"quirks": "vecmap"},
        {"k": 0},
        {"max_rank": -3},
        {"min_margin": "abc"},
        {"max_size": -1},
        {"min_size": 0.5},
    ],
)
def test_wrong_settings_are_refused(pair, settings):
    with pytest.raises(ParameterError, match=next(iter(settings))):
        fit(Refine(**settings), pair)
