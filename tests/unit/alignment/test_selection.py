from dataclasses import replace

import numpy as np
import pytest

from isoalign._core.arrays import unit_rows
from isoalign.alignment import RCSLS, Problem, Procrustes, Refine, mean_cosine
from isoalign.alignment._selection import hold_out, select_settings
from isoalign.errors import ParameterError
from isoalign.neighbors import csls_precision_at_1
from planted import planted_pair


@pytest.fixture(scope="module")
def problem():
    X, Y, _ = planted_pair(n=300, dim=8, noise=0.5, seed=4)
    pairs = np.repeat(np.arange(120)[:, None], 2, axis=1)
    return Problem(unit_rows(X), unit_rows(Y), np.vstack([pairs, [[0, 200], [5, 201]]]))


def test_the_split_goes_by_source_word(problem):
    held_out = hold_out(problem.pairs, 0)
    learn, judge = problem.pairs[~held_out], problem.pairs[held_out]
    assert not set(learn[:, 0]) & set(judge[:, 0])
    assert len(set(judge[:, 0])) == 24


def test_the_split_is_seeded(problem):
    np.testing.assert_array_equal(hold_out(problem.pairs, 1), hold_out(problem.pairs, 1))
    assert hold_out(problem.pairs, 1).tolist() != hold_out(problem.pairs, 2).tolist()


def test_two_source_words_leave_one_to_learn_from():
    pairs = np.array([[3, 1], [3, 2], [7, 5]])
    held_out = hold_out(pairs, 0)
    assert len(set(pairs[held_out, 0])) == len(set(pairs[~held_out, 0])) == 1


def test_validation_scores_are_those_of_maps_that_never_saw_the_held_out_words(problem):
    problem = replace(problem, random_state=3)
    found = select_settings(problem, Refine(n_iter=2))
    held_out = hold_out(problem.pairs, 3)
    for candidate in found.candidates:
        fitted = Refine(n_iter=candidate.step).fit_problem(problem.without(held_out))
        score = csls_precision_at_1(unit_rows(fitted.transform(problem.X)), problem.Y, problem.pairs[held_out])
        assert candidate.score == pytest.approx(score)
    assert [row["score"] for row in found.to_records()] == [candidate.score for candidate in found.candidates]
    assert found.n_words == 24
    assert found.criterion == "validation"
    assert found.chosen == max(found.candidates, key=lambda c: c.score).settings


class Scripted(Procrustes):
    """Offer three candidates by two trajectories, whose maps differ only in a scale that no score sees."""

    def trajectories(self):
        return RCSLS().trajectories()[:2]

    def set_params(self, **params):
        return self

    def _learn(self, problem, callback, progress, checkpoint):
        maps = self._solve(problem)
        for step in (0, 11, 21):
            callback(step, maps)
        return maps, []


def test_ties_go_to_fewer_steps_then_to_the_smaller_step_length(problem):
    found = select_settings(problem, Scripted())
    assert len({candidate.score for candidate in found.candidates}) == 1
    assert found.chosen == {"lr": 1.0, "epochs": 10}


def test_the_unsupervised_criterion_is_the_mean_cosine_without_a_split(problem):
    found = select_settings(problem, Refine(n_iter=1), criterion="unsupervised")
    fitted = Refine(n_iter=1).fit_problem(problem)
    assert found.candidates[1].score == pytest.approx(mean_cosine(unit_rows(fitted.transform(problem.X)), problem.Y))
    assert found.n_words is None


def test_rcsls_runs_each_step_length_once(problem, monkeypatch):
    fits = []
    learn = RCSLS._learn
    monkeypatch.setattr(RCSLS, "_learn", lambda self, *rest: (fits.append(self.lr), learn(self, *rest))[1])
    found = select_settings(problem, RCSLS())
    assert fits == [1, 10, 25, 50]
    assert len(found.candidates) == 8


def test_runs_side_by_side_choose_the_same(problem):
    assert select_settings(problem, RCSLS(), n_jobs=2) == select_settings(problem, RCSLS())


def test_a_descent_that_ends_early_counts_for_both_numbers_of_epochs(problem, monkeypatch):
    monkeypatch.setattr("isoalign.alignment._rcsls._LR_GRID", (5e-5,))
    found = select_settings(problem, RCSLS())
    assert found.candidates[0].score == found.candidates[1].score
    assert found.chosen["epochs"] == 10


def test_nothing_is_selected_where_nothing_is_open(problem):
    assert select_settings(problem, Procrustes()) is None
    assert select_settings(problem, RCSLS(lr=1.0, epochs=1)) is None


def test_wrong_settings_are_refused(problem):
    with pytest.raises(ParameterError, match="select must be one of"):
        select_settings(problem, Refine(), criterion="best")
    with pytest.raises(ParameterError, match="needs the test dictionary"):
        select_settings(problem, Refine(), criterion="test")
    with pytest.raises(ParameterError, match="n_jobs"):
        select_settings(problem, Refine(), n_jobs=0)
