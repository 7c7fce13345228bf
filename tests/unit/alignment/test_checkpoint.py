"""A run that was stopped continues from its checkpoint, bit for bit."""

import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import isoalign as ia
from isoalign._core.arrays import unit_rows
from isoalign.alignment import Problem, SelfLearning
from isoalign.alignment._checkpoint import Checkpoint
from isoalign.alignment.starts import Similarity
from isoalign.errors import FileAccessError, FormatError, ParameterError
from planted import planted_pair

QUICK = {"patience": 3}


@pytest.fixture(scope="module")
def problem():
    X, Y, _ = planted_pair(n=200, dim=10, noise=0.15, seed=3)
    return Problem(unit_rows(X), unit_rows(Y), np.stack([np.arange(7)] * 2, axis=1))


@pytest.fixture(scope="module")
def undisturbed(problem):
    return SelfLearning(**QUICK).fit_problem(problem)


def stop_at(step, error=KeyboardInterrupt):
    """Interrupt when a step is called back."""

    def callback(number, _maps):
        if number == step:
            raise error

    return callback


def steps_of(problem, checkpoint, **settings):
    """Fit, and return the fitted aligner and the steps that were called back."""
    steps = []
    fitted = SelfLearning(**QUICK, **settings).fit_problem(
        problem, callback=lambda number, _: steps.append(number), checkpoint=checkpoint
    )
    return fitted, steps


def assert_same(one, other):
    for side in ("source_map_", "target_map_"):
        np.testing.assert_array_equal(getattr(one, side).to_matrix(), getattr(other, side).to_matrix())
    assert one.history_ == other.history_


@pytest.mark.parametrize("step", [0, 1, 12])
def test_an_interrupted_run_continues_where_it_was_with_the_same_result(problem, undisturbed, tmp_path, step):
    checkpoint = Checkpoint(tmp_path / "c")
    with pytest.raises(KeyboardInterrupt):
        SelfLearning(**QUICK).fit_problem(problem, callback=stop_at(step), checkpoint=checkpoint)
    fitted, steps = steps_of(problem, checkpoint)
    assert steps[0] == step
    assert_same(fitted, undisturbed)


def test_a_run_can_be_interrupted_again_and_again(problem, undisturbed, tmp_path):
    for step in range(0, len(undisturbed.history_), 5):
        with pytest.raises(KeyboardInterrupt):
            SelfLearning(**QUICK).fit_problem(problem, callback=stop_at(step), checkpoint=Checkpoint(tmp_path))
    assert_same(steps_of(problem, Checkpoint(tmp_path))[0], undisturbed)


def test_states_are_written_while_the_run_goes_on(problem, undisturbed, tmp_path):
    """A copy of the folder is what a killed process leaves."""

    def copy(number, _maps):
        if number == 9:
            shutil.copytree(tmp_path / "c", tmp_path / "killed")

    SelfLearning(**QUICK).fit_problem(problem, callback=copy, checkpoint=Checkpoint(tmp_path / "c", seconds=0))
    fitted, steps = steps_of(problem, Checkpoint(tmp_path / "killed"))
    assert steps[0] == 9
    assert_same(fitted, undisturbed)


def test_a_run_that_has_ended_is_not_repeated(problem, undisturbed, tmp_path):
    checkpoint = Checkpoint(tmp_path)
    steps_of(problem, checkpoint)
    fitted, steps = steps_of(problem, checkpoint)
    assert steps == [len(undisturbed.history_)]
    assert_same(fitted, undisturbed)


def test_other_runs_begin_at_their_own_start(problem, tmp_path):
    checkpoint = Checkpoint(tmp_path)
    steps_of(problem, checkpoint, max_iter=2)
    for other in (
        replace(problem, random_state=1),
        replace(problem, pairs=problem.pairs[:5]),
        replace(problem, X=-problem.X),
        replace(problem, is_guess=True),
        replace(problem, candidates=(150, 200)),
    ):
        assert steps_of(other, checkpoint, max_iter=2)[1] == [0, 1, 2]
    assert steps_of(problem, checkpoint, k=5, max_iter=2)[1] == [0, 1, 2]
    assert len(list(tmp_path.iterdir())) == 7


def test_damaged_checkpoints_are_refused(problem, tmp_path):
    steps_of(problem, Checkpoint(tmp_path))
    (run,) = tmp_path.iterdir()
    about = run / "checkpoint.json"
    for text, words in (
        ("{", "damaged"),
        ('{"kind": "isoalign-checkpoint", "version": 9}', "written in version 9"),
        (
            '{"kind": "isoalign-checkpoint", "version": 2, "state": {"values": {"keap": 1}}, "history": []}',
            "a damaged checkpoint",
        ),
    ):
        about.write_text(text)
        with pytest.raises(FormatError, match=words):
            steps_of(problem, Checkpoint(tmp_path))
    (tmp_path / "file").write_text("")
    with pytest.raises(FileAccessError, match="cannot create the folder"):
        steps_of(problem, Checkpoint(tmp_path / "file"))


@pytest.fixture
def sides():
    X, Y, _ = planted_pair(n=120, dim=10, noise=0.05, seed=1)
    return ia.Embeddings([f"s{i}" for i in range(120)], X), ia.Embeddings([f"t{i}" for i in range(120)], Y)


@pytest.mark.filterwarnings("ignore:doubtful", "ignore:failed")
def test_restarts_and_the_null_continue_too(sides, tmp_path, monkeypatch):
    def model(progress=lambda *_: None, **options):
        return ia.align(*sides, start="similarity", restarts=2, settings=QUICK, progress=progress, **options)

    ended = []

    def count(what, done, total):
        if what == "self_learning" and done == total:
            ended.append(done)
        if len(ended) == 7:
            raise KeyboardInterrupt

    expected = model(progress=count)
    assert len(ended) == 4  # two restarts, and two of the null
    with pytest.raises(KeyboardInterrupt):
        model(progress=count, checkpoint=tmp_path / "c")
    monkeypatch.setattr(Similarity, "find_pairs", None)  # what the start found is kept
    found = model(checkpoint=tmp_path / "c")
    for name in expected.names:
        np.testing.assert_array_equal(found[name].map.to_matrix(), expected[name].map.to_matrix())
    assert found.verdict == expected.verdict


def test_methods_that_cannot_continue_say_so(sides, tmp_path):
    with pytest.raises(ParameterError, match=r"procrustes cannot resume from a checkpoint.*'self_learning'"):
        ia.align(*sides, [("s0", "t0")], method="procrustes", checkpoint=tmp_path)


@pytest.mark.slow
def test_a_killed_run_continues_with_the_same_map(tmp_path):
    single = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
    program = Path(__file__).with_name("kill_self_learning.py")
    done = subprocess.run(
        [sys.executable, str(program), str(tmp_path), "10"],
        env={**os.environ, **single},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "10 killed, same map\n"
