"""The loop that runs all iterative methods."""

from dataclasses import dataclass
from math import ceil
from time import perf_counter
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from isoalign._core.progress import Progress, ignore_progress
from isoalign.alignment._checkpoint import Checkpoint, CheckpointPlace, Packed
from isoalign.alignment._problem import Problem
from isoalign.alignment._registry import name_of
from isoalign.errors import FormatError, IsoalignError

if TYPE_CHECKING:
    from isoalign.alignment._base import AbstractIterativeAligner, LoopState, StepCallback

__all__ = ["Run", "StateT", "run_loop"]

StateT = TypeVar("StateT", bound="LoopState")


@dataclass(frozen=True)
class Run(Generic[StateT]):
    """State of a loop.

    Attributes
    ----------
    state
        The state after the last step.
    history
        Records of the steps.
    """

    state: StateT
    history: tuple[dict[str, Any], ...] = ()

    def followed_by(self, state: StateT) -> "Run[StateT]":
        """Return the run after another step."""
        return Run(state, self.history if state.record is None else (*self.history, state.record))


def run_loop(
    method: "AbstractIterativeAligner[StateT]",
    problem: Problem,
    *,
    callback: "StepCallback",
    progress: Progress = ignore_progress,
    checkpoint: Checkpoint | None = None,
) -> Run[StateT]:
    """Take steps until the method is finished.

    Parameters
    ----------
    method
        Defines the start, the step and the stopping criterion.
    problem
        The learning problem.
    callback
        Called with the number and the maps of every step, beginning with the start, 0; a resumed run begins with the
        saved step.
    progress
        Progress callback.
    checkpoint
        Where to save the run, at least once a minute and whenever it is interrupted, and to resume it from. Nothing is
        saved if this is None or if the method cannot be resumed.
    """
    place = None if checkpoint is None or not method.can_continue else checkpoint.place_of(method, problem)
    run = None if place is None else _read(method, problem, place)
    if run is None:
        start = method.start(problem)
        run = Run(start).followed_by(start)
    total, what, begin, first = method.max_steps(), name_of(method), perf_counter(), run.state.number
    try:
        while True:
            state = run.state
            callback(state.number, state.maps)
            pace = (perf_counter() - begin) / max(state.number - first, 1)
            progress(f"{what}{_describe(run, pace * (total - state.number))}", state.number, total)
            if state.number >= total or method.finished(state):
                break
            run = run.followed_by(method.step(problem, state))
            if place is not None and place.is_due:
                place.write(_pack(method, run))
    finally:
        if place is not None:
            place.write(_pack(method, run))
    progress(what, total, total)
    return run


def _describe(run: Run[StateT], seconds_left: float) -> str:
    """Return the figures of the last step, and the remaining time if all steps are taken."""
    figures = run.history[-1].items() if run.history else ()
    shown = [f"{name.replace('_', ' ')} {value:.3g}" for name, value in figures if isinstance(value, float)]
    left = f"at most {ceil(seconds_left / 60)} min left"
    return ": " + ", ".join([*shown, left]) if shown else ""


def _pack(method: "AbstractIterativeAligner[StateT]", run: Run[StateT]) -> Packed:
    packed = method.pack(run.state)
    return Packed(packed.arrays, {"state": packed.values, "history": run.history})


def _read(method: "AbstractIterativeAligner[StateT]", problem: Problem, place: CheckpointPlace) -> Run[StateT] | None:
    packed = place.read()
    if packed is None:
        return None
    try:
        state = method.unpack(problem, Packed(packed.arrays, packed.values["state"]))
        return Run(state, tuple(packed.values["history"]))
    except (IsoalignError, KeyError, TypeError, ValueError) as error:
        raise FormatError(f"{place.path}: a damaged checkpoint ({error}). Remove it and start again.") from error
