import numpy as np
import pytest

from isoalign._arrays import unit_rows
from isoalign.alignment import RCSLS, Procrustes, Refine, mean_cosine
from isoalign.alignment._selection import hold_out, select_settings
from isoalign.errors import ParameterError
from isoalign.neighbors import csls_precision_at_1
from planted import planted_pair


@pytest.fixture(scope="module")
def spaces():
    X, Y, _ = planted_pair(n=300, dim=8, noise=0.5, seed=4)
    pairs = np.repeat(np.arange(120)[:, None], 2, axis=1)
    return unit_rows(X), unit_rows(Y), np.vstack([pairs, [[0, 200], [5, 201]]])


def test_the_split_goes_by_source_word(spaces):
    pairs = spaces[2]
    learn, judge = hold_out(pairs, 0)
    assert not set(learn[:, 0]) & set(judge[:, 0])
    assert len(set(judge[:, 0])) == 24
    assert len(learn) + len(judge) == len(pairs)


def test_the_split_is_seeded(spaces):
    pairs = spaces[2]
    np.testing.assert_array_equal(hold_out(pairs, 1)[1], hold_out(pairs, 1)[1])
    assert hold_out(pairs, 1)[1].tolist() != hold_out(pairs, 2)[1].tolist()


def test_two_source_words_leave_one_to_learn_from():
    learn, judge = hold_out(np.array([[3, 1], [3, 2], [7, 5]]), 0)
    assert len(set(learn[:, 0])) == len(set(judge[:, 0])) == 1


def test_validation_scores_are_those_of_maps_that_never_saw_the_held_out_words(spaces):
    S, T, pairs = spaces
    found = select_settings(Refine(n_iter=2), S, T, pairs, random_state=3)
    learn, judge = hold_out(pairs, 3)
    for candidate in found.candidates:
        fitted = Refine(n_iter=candidate.step).fit(S[learn[:, 0]], T[learn[:, 1]], source_space=S, target_space=T)
        score = csls_precision_at_1(unit_rows(fitted.transform(S)), T, judge)
        assert candidate.score == pytest.approx(score)
    assert found.n_words == 24
    assert found.criterion == "validation"
    assert found.chosen == max(found.candidates, key=lambda c: c.score).settings


class Scripted(Procrustes):
    """Offer three candidates by two trajectories, whose maps differ only in a scale that no score sees."""

    def trajectories(self):
        return RCSLS().trajectories()[:2]

    def set_params(self, **params):
        return self

    def _learn(self, X, Y, sources, targets, callback, progress):
        super()._learn(X, Y, sources, targets, lambda step, maps: None, progress)
        for step in (0, 11, 21):
            callback(step, self.maps_)


def test_ties_go_to_fewer_steps_then_to_the_smaller_step_length(spaces):
    found = select_settings(Scripted(), *spaces)
    assert len({candidate.score for candidate in found.candidates}) == 1
    assert found.chosen == {"lr": 1.0, "epochs": 10}


def test_the_unsupervised_criterion_is_the_mean_cosine_without_a_split(spaces):
    S, T, pairs = spaces
    found = select_settings(Refine(n_iter=1), S, T, pairs, criterion="unsupervised")
    fitted = Refine(n_iter=1).fit(S[pairs[:, 0]], T[pairs[:, 1]], source_space=S, target_space=T)
    assert found.candidates[1].score == pytest.approx(mean_cosine(unit_rows(fitted.transform(S)), T))
    assert found.n_words is None


def test_rcsls_runs_each_step_length_once(spaces, monkeypatch):
    fits = []
    learn = RCSLS._learn
    monkeypatch.setattr(RCSLS, "_learn", lambda self, *rest: (fits.append(self.lr), learn(self, *rest))[1])
    found = select_settings(RCSLS(), *spaces)
    assert fits == [1, 10, 25, 50]
    assert len(found.candidates) == 8


def test_runs_side_by_side_choose_the_same(spaces):
    assert select_settings(RCSLS(), *spaces, n_jobs=2) == select_settings(RCSLS(), *spaces)


def test_a_descent_that_ends_early_counts_for_both_numbers_of_epochs(spaces, monkeypatch):
    monkeypatch.setattr("isoalign.alignment._rcsls._LR_GRID", (5e-5,))
    found = select_settings(RCSLS(), *spaces)
    assert found.candidates[0].score == found.candidates[1].score
    assert found.chosen["epochs"] == 10


def test_nothing_is_selected_where_nothing_is_open(spaces):
    assert select_settings(Procrustes(), *spaces) is None
    assert select_settings(RCSLS(lr=1.0, epochs=1), *spaces) is None


def test_wrong_settings_are_refused(spaces):
    with pytest.raises(ParameterError, match="select must be one of"):
        select_settings(Refine(), *spaces, criterion="best")
    with pytest.raises(ParameterError, match="needs the test dictionary"):
        select_settings(Refine(), *spaces, criterion="test")
    with pytest.raises(ParameterError, match="n_jobs"):
        select_settings(Refine(), *spaces, n_jobs=0)
