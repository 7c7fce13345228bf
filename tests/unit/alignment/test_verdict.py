import numpy as np
import pytest

from isoalign._core.arrays import unit_rows
from isoalign.alignment import Problem, SelfLearning
from isoalign.alignment._verdict import agreement, judge, mutual_pairs, split_start
from isoalign.alignment.starts import Similarity
from isoalign.datasets import load_sample
from isoalign.errors import ShapeError
from planted import random_rotation


def pairs_of(n, shift=0):
    return np.column_stack([np.arange(n), np.arange(n) + shift])


def restarts(X, Z, n=3):
    first = Similarity().find_pairs(Problem(X, Z))
    found = []
    for seed in range(n):
        pairs = split_start(first, np.random.default_rng(seed))
        problem = Problem(X, Z, pairs, random_state=seed, is_guess=True)
        found.append(mutual_pairs(problem, SelfLearning(patience=8).fit_problem(problem).maps_))
    return found


def words(n, dim=25):
    vectors = load_sample().source.vectors[:n]
    vectors = vectors - vectors.mean(axis=0)
    return unit_rows(vectors @ np.linalg.svd(vectors, full_matrices=False)[2][:dim].T)


def test_a_rotated_noised_copy_is_found():
    X = words(150)
    noise = 0.02 * np.random.default_rng(0).standard_normal(X.shape)
    verdict = judge(restarts(X, unit_rows(X @ random_rotation(25) + noise)))
    assert verdict.status == "found"
    assert verdict.agreement > 0.9
    assert "found (restarts agree on" in verdict.text


def test_permuted_columns_and_other_words_are_not_found():
    X, rng = words(150), np.random.default_rng(0)
    permuted = np.column_stack([rng.permutation(column) for column in X.T])
    null = restarts(X, unit_rows(permuted))
    verdict = judge(null)
    assert verdict.status == "failed"
    assert "do not use this map" in verdict.text
    assert judge(restarts(X[::2], unit_rows(X[1::2] @ random_rotation(25))), null=null).status == "failed"


def test_three_restarts_must_agree_and_two_make_a_doubt():
    truth, wrong, other = pairs_of(100), pairs_of(100, 3), pairs_of(100, 5)
    assert judge([wrong, truth, truth, truth]).status == "found"
    assert judge([wrong, truth, truth, truth]).best == 1
    assert judge([truth, wrong, truth]).status == "doubtful"
    assert judge([truth, truth]).status == "doubtful"
    assert judge([truth, wrong, other]).status == "failed"
    assert judge([truth]).status == "doubtful"


def test_more_restarts_need_more_witnesses():
    truth = [pairs_of(100)] * 3
    strangers = [pairs_of(100, shift) for shift in range(1, 6)]
    assert judge([*truth, *strangers[:2]]).status == "found"
    assert judge([*truth, *strangers]).status == "doubtful"


def test_agreement_must_be_above_that_of_the_null():
    half = [np.concatenate([pairs_of(60), pairs_of(40, 100 + 50 * i)]) for i in range(3)]
    assert judge(half).status == "found"
    assert judge(half).agreement == pytest.approx(0.6)
    against_null = judge(half, null=half)
    assert against_null.null_agreement == pytest.approx(0.6)
    assert against_null.status != "found"


def test_agreement_counts_common_pairs():
    assert agreement(pairs_of(10), pairs_of(30)) == 0.5
    assert agreement(pairs_of(0), pairs_of(0)) == 0.0
    with pytest.raises(ShapeError, match="at least one restart"):
        judge([])
