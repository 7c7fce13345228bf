from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from isoalign._core.arrays import unit_rows
from isoalign._core.threads import limit_threads
from isoalign.alignment._self_learning_kernel import (
    SelfLearningSettings,
    rotation,
    start,
    step,
)
from isoalign.errors import ParameterError
from planted import planted_pair

QUICK = SelfLearningSettings(limits=(400, 400), patience=5)


@pytest.fixture(scope="module")
def pair():
    X, Y, W = planted_pair(n=400, dim=10, noise=0.15, seed=3)
    return unit_rows(X), unit_rows(Y), W


def pairs_of(n):
    return np.column_stack([np.arange(n), np.arange(n)])


def run(X, Y, settings, seeds=10, max_iter=2000):
    states = [start(X, Y, pairs_of(seeds), settings)]
    while not states[-1].done and len(states) <= max_iter:
        states.append(step(X, Y, pairs_of(seeds), states[-1], settings))
    return states


def test_the_probability_doubles_to_one_whenever_the_objective_stagnates(pair):
    states = run(*pair[:2], QUICK)
    kept = [state.keep for state in states]
    assert list(dict.fromkeys(kept)) == [0.1, 0.2, 0.4, 0.8, 1.0]
    for before, after in pairwise(states):
        if after.keep > before.keep:
            assert after.last_gain == after.iteration
        else:
            assert after.iteration - after.last_gain <= QUICK.patience or after.done


def test_a_dictionary_that_repeats_ends_the_run(pair):
    settings = replace(QUICK, patience=10_000, keep=1.0)
    states = run(*pair[:2], settings)
    assert len(states) < 100
    previous = [state.pairs for state in states[-3:-1]]
    assert any(np.array_equal(states[-1].pairs, pairs) for pairs in previous)


def test_given_pairs_stay_in_every_dictionary_unless_vecmaps_rule_drops_them(pair):
    X, Y, _ = pair
    wrong = np.array([[0, 399], [1, 398]])
    seeds = np.concatenate([pairs_of(20)[2:], wrong])

    def holds_the_wrong_pairs(settings):
        pairs = step(X, Y, seeds, start(X, Y, seeds, settings), settings).pairs
        return {(0, 399), (1, 398)} <= set(map(tuple, pairs.tolist()))

    assert holds_the_wrong_pairs(QUICK)
    assert not holds_the_wrong_pairs(replace(QUICK, keep_seed=False))
    assert not holds_the_wrong_pairs(replace(QUICK, quirks="vecmap"))


def test_a_run_goes_on_from_any_state_to_the_same_end(pair):
    X, Y, _ = pair
    states = run(X, Y, QUICK)
    again = replace(states[len(states) // 2], choices=None)
    while not again.done:
        again = step(X, Y, pairs_of(10), again, QUICK)
    np.testing.assert_array_equal(again.pairs, states[-1].pairs)
    assert again.objective == states[-1].objective


def test_threads_change_nothing_and_seeds_do(pair):
    X, Y, _ = pair
    many = run(X, Y, QUICK, max_iter=8)[-1]
    with limit_threads(1):
        one = run(X, Y, QUICK, max_iter=8)[-1]
    np.testing.assert_array_equal(many.pairs, one.pairs)
    np.testing.assert_array_equal(many.W, one.W)
    other = run(X, Y, replace(QUICK, seed=1), max_iter=8)[-1]
    assert many.pairs.shape != other.pairs.shape or (many.pairs != other.pairs).any()


def test_only_frequent_words_choose_and_are_chosen(pair):
    X, Y, _ = pair
    settings = replace(QUICK, limits=(50, 40), keep_seed=False)
    pairs = step(X, Y, pairs_of(60), start(X, Y, pairs_of(60), settings), settings).pairs
    assert (pairs.max(axis=0) < (50, 40)).all()


def test_the_dictionary_stays_where_no_entry_is_kept(pair):
    X, Y, _ = pair
    nothing = replace(QUICK, keep=1e-9, keep_seed=False)
    state = step(X, Y, pairs_of(3), start(X, Y, pairs_of(3), nothing), nothing)
    np.testing.assert_array_equal(state.pairs, pairs_of(3))
    np.testing.assert_array_equal(state.W, rotation(X, Y, pairs_of(3)))


def test_weights_count_in_the_first_rotation(pair):
    X, Y, _ = pair
    pairs = np.concatenate([pairs_of(20), [[0, 399], [1, 398]]])
    weights = np.r_[np.ones(20), np.zeros(2)]
    np.testing.assert_allclose(
        start(X, Y, pairs, QUICK, weights=weights).W, start(X, Y, pairs_of(20), QUICK).W, atol=1e-6
    )


@pytest.mark.parametrize(
    "settings",
    [{"direction": "both"}, {"quirks": "muse"}, {"keep": 0}, {"growth": 1}, {"k": -1}, {"seed": 0.5}],
)
def test_wrong_settings_are_refused(settings):
    with pytest.raises(ParameterError, match=next(iter(settings))):
        replace(QUICK, **settings)
