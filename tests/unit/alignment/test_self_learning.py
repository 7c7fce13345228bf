"""Self-learning as an aligner: few pairs grow to the whole dictionary."""

import re
from dataclasses import replace

import numpy as np
import pytest

from isoalign._core.arrays import unit_rows
from isoalign.alignment import Problem, Procrustes, SelfLearning, Sizes
from isoalign.errors import ParameterError
from planted import planted_pair


@pytest.fixture(scope="module")
def problem():
    X, Y, _ = planted_pair(n=400, dim=10, noise=0.15, seed=3)
    return Problem(unit_rows(X), unit_rows(Y), np.stack([np.arange(7)] * 2, axis=1))


def accuracy(aligner, problem):
    S, T = aligner.fit_problem(problem).maps_.spaces(problem.X, problem.Y)
    return ((S @ T.T).argmax(axis=1) == np.arange(len(S))).mean()


@pytest.mark.parametrize("direction", ["union", "forward", "matching"])
@pytest.mark.parametrize("final", ["vecmap", "orthogonal"])
def test_few_pairs_grow_to_the_whole_dictionary(problem, direction, final):
    assert accuracy(SelfLearning(patience=5, direction=direction, final=final), problem) > 0.9
    assert accuracy(Procrustes(), problem) < 0.7


def test_history_shows_the_probability_grow_to_one(problem):
    aligner = SelfLearning(patience=5).fit_problem(problem)
    assert list(dict.fromkeys(step["keep"] for step in aligner.history_)) == [0.1, 0.2, 0.4, 0.8, 1.0]
    assert [step["iteration"] for step in aligner.history_] == list(range(1, len(aligner.history_) + 1))
    assert aligner.history_[-1]["mutual_share"] > 0.8


@pytest.mark.parametrize("quirks", [None, "vecmap"])
def test_the_maps_are_learned_from_the_best_dictionary_and_vecmaps_from_the_last(quirks):
    X, Y, _ = planted_pair(n=400, dim=10, noise=0.4, seed=1)
    problem = Problem(unit_rows(X), unit_rows(Y), np.stack([np.arange(7)] * 2, axis=1))
    rotations = []
    aligner = SelfLearning(keep=1.0, patience=5, final="orthogonal", quirks=quirks)
    aligner.fit_problem(problem, callback=lambda _, maps: rotations.append(maps.source.to_matrix()))
    *_, last = aligner.history_
    best = max(aligner.history_, key=lambda step: step["objective"])
    assert best["iteration"] < last["iteration"] == len(rotations) - 1
    W = aligner.source_map_.to_matrix()
    np.testing.assert_array_equal(rotations[-1], W)
    like_best = np.abs(rotations[best["iteration"]] - W).max() < 1e-5
    assert like_best == (quirks is None)


def test_progress_shows_the_figures_of_every_iteration_and_the_time_left(problem):
    heard = []
    SelfLearning(max_iter=2).fit_problem(problem, progress=lambda *report: heard.append(report))
    assert [report[1:] for report in heard] == [(0, 2), (1, 2), (2, 2), (2, 2)]
    figures = r"self_learning: keep 0\.1, objective 0\.\d+, mutual share 0\.\d+, at most [01] min left"
    assert all(re.fullmatch(figures, what) for what, *_ in heard[1:3])
    assert heard[0][0] == heard[3][0] == "self_learning"


def test_given_pairs_stay_and_the_guess_of_a_start_goes(problem):
    wrong = np.array([[0, 399], [1, 398]])
    seeds = np.concatenate([np.stack([np.arange(2, 20)] * 2, axis=1), wrong])
    given = problem.with_pairs(seeds)
    aligner = SelfLearning(patience=5, max_iter=3)
    sizes = [aligner.fit_problem(one).history_[0]["dictionary_size"] for one in (given, replace(given, is_guess=True))]
    assert sizes[0] == sizes[1] + len(seeds)


def test_candidates_limit_what_is_induced(problem):
    limited = replace(problem, candidates=(50, 40))
    assert SelfLearning(patience=2).fit_problem(limited).history_[-1]["dictionary_size"] <= 50 + 40 + 7


def test_seeds_change_the_random_choices(problem):
    one, other = (
        SelfLearning(patience=3, max_iter=5).fit_problem(replace(problem, random_state=seed)) for seed in (0, 1)
    )
    assert one.history_ != other.history_


def test_the_cost_grows_with_the_frequent_words_only():
    small, large = (SelfLearning().cost(Sizes(n, n, 300, (10, 10))) for n in (20_000, 200_000))
    assert small == large > 0


def test_wrong_settings_are_refused(problem):
    for settings in ({"final": "both"}, {"max_rank": 0}, {"max_iter": 0}, {"keep": 2.0}):
        with pytest.raises(ParameterError, match=next(iter(settings))):
            SelfLearning(**settings).fit_problem(problem)
