"""The loop that runs all iterative methods."""

from dataclasses import dataclass, replace

import pytest

from isoalign.alignment._loop import AbstractSteps, StepState, run_loop


@dataclass(frozen=True)
class Walk(AbstractSteps[list, StepState]):
    """Steps with the given values; None for a state that must not be chosen."""

    last: int = 99

    def start(self, problem):
        return StepState(value=problem[0])

    def step(self, problem, state):
        number = state.number + 1
        return StepState(number=number, value=problem[number], record={"step": number})

    def max_steps(self):
        return 4

    def finished(self, state):
        return state.number >= self.last


@pytest.mark.parametrize(
    ("values", "best"),
    [([0, 3, 1, 3, 2], 1), ([9, 3, 1, 3, 2], 0), ([None, None, -5, None, None], 2), ([-1, -1, -1, None, 0], 4)],
)
def test_the_result_is_the_first_state_with_the_largest_value(values, best):
    seen = []
    run = run_loop(Walk(), values, what="walk", callback=seen.append)
    assert run.best.number == best
    assert run.state == replace(run.best, number=4)
    assert [state.number for state in seen] == [0, 1, 2, 3, 4]
    assert seen[-1] == run.state
    assert [record["step"] for record in run.history] == [1, 2, 3, 4]


def test_without_values_the_result_is_the_last_state():
    run = run_loop(Walk(last=3), [None] * 5, what="walk")
    assert run.best is None
    assert run.state.record == {"step": 3}


def test_what_comes_after_the_end_does_not_count():
    assert run_loop(Walk(last=2), [0, 1, 0, 0, 7], what="walk").best.number == 1


def test_the_method_makes_its_result_from_the_last_and_the_best_state():
    class Summing(Walk):
        def finish(self, problem, last, best):
            return replace(last, value=last.value + best.value)

    seen = []
    run = run_loop(Summing(), [0, 3, 1, 3, 2], what="walk", callback=seen.append)
    assert run.state.value == seen[-1].value == 5
    assert run.best.value == 3


def test_a_run_without_steps_reports_no_progress():
    class Still(Walk):
        def max_steps(self):
            return 0

    heard = []
    assert run_loop(Still(), [None], what="walk", progress=lambda *report: heard.append(report)).state == StepState()
    assert heard == []


def test_progress_reaches_the_total_even_if_the_run_ends_earlier():
    heard = []
    run_loop(Walk(last=2), [None] * 5, what="walk", progress=lambda *report: heard.append(report))
    assert heard == [("walk", 0, 4), ("walk", 1, 4), ("walk", 2, 4), ("walk", 4, 4)]
