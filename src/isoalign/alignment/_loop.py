"""The loop that runs all iterative methods."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import ceil
from time import perf_counter
from typing import Any, Generic, TypeVar

from isoalign._core.progress import Progress, ignore_progress
from isoalign.alignment._checkpoint import CheckpointPlace, Packed
from isoalign.errors import FormatError, IsoalignError

__all__ = ["AbstractResumableSteps", "AbstractSteps", "ProblemT", "Run", "StepState", "StepT", "run_loop"]


@dataclass(frozen=True, kw_only=True)
class StepState:
    """State of an iterative method; methods add the fields they need.

    Attributes
    ----------
    number
        Number of steps taken.
    record
        Entry of the history for the last step, or None.
    value
        What the method maximises, if the loop should keep the state with the largest value, the first of equal ones;
        None if this state must not be chosen.
    """

    number: int = 0
    record: dict[str, Any] | None = None
    value: float | None = None


ProblemT = TypeVar("ProblemT")
StepT = TypeVar("StepT", bound=StepState)


class AbstractSteps(ABC, Generic[ProblemT, StepT]):
    """An iterative method: a start, a step and a stopping criterion. `run_loop` does the rest."""

    @abstractmethod
    def start(self, problem: ProblemT) -> StepT:
        """Return the state before the first step."""

    @abstractmethod
    def step(self, problem: ProblemT, state: StepT) -> StepT:
        """Return the state after one more step."""

    @abstractmethod
    def max_steps(self) -> int:
        """Return the maximum number of steps."""

    def finished(self, state: StepT) -> bool:  # noqa: ARG002
        """Return whether to stop; the loop also stops after ``max_steps``."""
        return False

    def finish(self, problem: ProblemT, last: StepT, best: StepT | None) -> StepT:  # noqa: ARG002
        """Return the result: the best state if states have values, otherwise the last one."""
        return last if best is None else replace(best, number=last.number)


class AbstractResumableSteps(AbstractSteps[ProblemT, StepT]):
    """An iterative method whose runs can be resumed from a checkpoint."""

    @abstractmethod
    def pack(self, state: StepT) -> Packed:
        """Return the part of a state that ``unpack`` needs."""

    @abstractmethod
    def unpack(self, problem: ProblemT, packed: Packed) -> StepT:
        """Restore a state, bit for bit."""


@dataclass(frozen=True)
class Run(Generic[StepT]):
    """State of a loop.

    Attributes
    ----------
    state
        The state after the last step; the result, after the run.
    best
        The state with the largest value so far; None if no state has a value.
    history
        Records of the steps.
    """

    state: StepT
    best: StepT | None = None
    history: tuple[dict[str, Any], ...] = ()

    @classmethod
    def begin(cls, state: StepT) -> "Run[StepT]":
        """Return the run before the first step."""
        return cls(state).followed_by(state)

    def followed_by(self, state: StepT) -> "Run[StepT]":
        """Return the run after another step."""
        best = self.best
        if state.value is not None and (best is None or best.value is None or state.value > best.value):
            best = state
        return Run(state, best, self.history if state.record is None else (*self.history, state.record))


def run_loop(
    method: AbstractSteps[ProblemT, StepT],
    problem: ProblemT,
    *,
    what: str,
    callback: Callable[[StepT], None] | None = None,
    progress: Progress = ignore_progress,
    place: CheckpointPlace | None = None,
) -> Run[StepT]:
    """Take steps until the method is finished.

    Parameters
    ----------
    method
        Defines the start, the step and the stopping criterion.
    problem
        What the method learns from.
    what
        Name of the method for the progress callback.
    callback
        Called with the state after every step, beginning with the start, 0, and with the result instead of the last
        state; a resumed run begins with the saved step.
    progress
        Progress callback; not called if there is no step to take.
    place
        Where to save the run, at least once a minute and whenever it is interrupted, and to resume it from. Only for
        methods that can be resumed.
    """
    resumable = method if place is not None and isinstance(method, AbstractResumableSteps) else None
    run = None if place is None or resumable is None else _read(resumable, problem, place)
    if run is None:
        run = Run.begin(method.start(problem))
    total, begin, first = method.max_steps(), perf_counter(), run.state.number
    if not total:
        progress = ignore_progress
    try:
        while True:
            state = run.state
            ended = state.number >= total or method.finished(state)
            if ended:
                state = method.finish(problem, state, run.best)
            if callback is not None:
                callback(state)
            pace = (perf_counter() - begin) / max(state.number - first, 1)
            progress(f"{what}{_describe(run, pace * (total - state.number))}", state.number, total)
            if ended:
                break
            run = run.followed_by(method.step(problem, state))
            if place is not None and resumable is not None and place.is_due:
                place.write(_pack(resumable, run))
    finally:
        if place is not None and resumable is not None:
            place.write(_pack(resumable, run))
    progress(what, total, total)
    return replace(run, state=state)


def _describe(run: Run[StepT], seconds_left: float) -> str:
    """Return the figures of the last step, and the remaining time if all steps are taken."""
    figures = run.history[-1].items() if run.history else ()
    shown = [f"{name.replace('_', ' ')} {value:.3g}" for name, value in figures if isinstance(value, float)]
    left = f"at most {ceil(seconds_left / 60)} min left"
    return ": " + ", ".join([*shown, left]) if shown else ""


def _pack(method: AbstractResumableSteps[ProblemT, StepT], run: Run[StepT]) -> Packed:
    arrays, states = {}, {}
    for name, state in (("state", run.state), ("best", run.best)):
        if state is not None:
            packed = method.pack(state)
            arrays.update({f"{name}.{key}": array for key, array in packed.arrays.items()})
            states[name] = {"value": state.value, "values": packed.values}
    return Packed(arrays, {**states, "history": run.history})


def _read(
    method: AbstractResumableSteps[ProblemT, StepT], problem: ProblemT, place: CheckpointPlace
) -> Run[StepT] | None:
    packed = place.read()
    if packed is None:
        return None

    def unpack(name: str) -> StepT:
        prefix = f"{name}."
        arrays = {key.removeprefix(prefix): array for key, array in packed.arrays.items() if key.startswith(prefix)}
        kept = packed.values[name]
        return replace(method.unpack(problem, Packed(arrays, kept["values"])), value=kept["value"])

    try:
        best = unpack("best") if "best" in packed.values else None
        return Run(unpack("state"), best, tuple(packed.values["history"]))
    except (IsoalignError, KeyError, TypeError, ValueError) as error:
        raise FormatError(f"{place.path}: a damaged checkpoint ({error}). Remove it and start again.") from error
