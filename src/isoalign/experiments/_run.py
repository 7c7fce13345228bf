"""Run one task: all cells of a language pair with one normalisation, computing shared work once."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from time import perf_counter
from typing import Any, NamedTuple, TypeVar

from isoalign._core.types import RowPairs
from isoalign._core.validate import check_matrix
from isoalign._core.version import VERSION
from isoalign.alignment import (
    AbstractAligner,
    Alignment,
    Maps,
    Problem,
    guess_pairs,
    learn,
    make_start,
    resolve_method,
    select_settings,
)
from isoalign.errors import IsoalignError, ParameterError
from isoalign.evaluation import BliResult, evaluate_bli, evaluate_similarity
from isoalign.experiments._plan import Job, Task
from isoalign.experiments._provenance import stamp
from isoalign.experiments._records import Cell, Record
from isoalign.experiments._values import bli_values, condition_values, similarity_values
from isoalign.io import read_vectors
from isoalign.lexicon import Lexicon
from isoalign.neighbors import csls_precision_at_1
from isoalign.vectors import Embeddings

__all__ = ["Failure", "Outcome", "run_task"]

_T = TypeVar("_T")


@dataclass(frozen=True)
class Failure:
    """A cell that failed, and the reason; it is not recorded, so the next run tries it again."""

    cell: Cell
    reason: str


Outcome = Record | Failure


class _Step(NamedTuple):
    """The maps after a step, and their accuracy on the test words."""

    maps: Maps
    accuracy: float


def run_task(task: Task, source: Embeddings | None = None, target: Embeddings | None = None) -> Iterator[Outcome]:
    """Compute the cells of a task, in order; equal tasks give equal records, apart from dates and times.

    Parameters
    ----------
    task
        The task.
    source, target
        The normalised languages, if they are not at the paths of the task.
    """
    _check_version(task)
    S = read_vectors(task.source) if source is None else source
    T = S if task.target is None else read_vectors(task.target) if target is None else target
    learner = _CellFitter(task, S, T)
    for _, group in groupby(task.jobs, key=lambda job: (job.cell.kind, *_fit(job.cell), job.cell.dataset)):
        jobs = list(group)
        start = perf_counter()
        try:
            for job in jobs:
                values = _compute(job, task, S, T, learner)
                seconds = perf_counter() - start
                yield Record(job.key, job.cell, values, stamp(job.origin), round(seconds, 3))
                start = perf_counter()
        except IsoalignError as error:
            yield from (Failure(job.cell, str(error)) for job in jobs[jobs.index(job) :])


def _check_version(task: Task) -> None:
    planned = {job.origin["isoalign"] for job in task.jobs}
    if planned != {VERSION}:
        raise ParameterError(
            f"This worker has isoalign {VERSION}, the sweep {', '.join(sorted(planned))}. Install the same on both."
        )


def _compute(job: Job, task: Task, S: Embeddings, T: Embeddings, learner: "_CellFitter") -> dict[str, Any]:
    if job.cell.kind == "conditions":
        return condition_values(S, T)
    if job.cell.kind == "similarity" and job.cell.dataset is not None:
        return similarity_values(evaluate_similarity(S, task.similarity[job.cell.dataset]))
    return learner.score(job.cell)


def _fit(cell: Cell) -> tuple[str | None, ...]:
    """Return the key of a fit within a task, apart from seeds and settings."""
    return cell.system, cell.size


class _CellFitter:
    """Fit and score the methods of one task, computing each selection, map and evaluation once."""

    def __init__(self, task: Task, S: Embeddings, T: Embeddings) -> None:
        self.task, self.S, self.T = task, S, T
        self._kept: dict[tuple[object, ...], Any] = {}

    def score(self, cell: Cell) -> dict[str, Any]:
        """Return the values of a cell."""
        name, retrieval = str(cell.method), str(cell.retrieval)
        method = resolve_method(name, settings=self.task.settings.get(name), random_state=cell.seed)
        aligner, select = method.aligner, self.task.select if method.recipe is None else method.select
        problem = self._problem(method.random_state, cell)
        selection = None
        if select is not None:
            selection = self._once(
                lambda: select_settings(problem, aligner, criterion=select), "select", *_fit(cell), method.random_state
            )
        settings = None if selection is None else selection.chosen
        seed = method.random_state if aligner.is_random or cell.start is not None else None
        rounds: list[float] | None = None
        if aligner.judges_steps:
            steps = self._once(lambda: self._follow(problem, aligner), "follow", *_fit(cell), seed)
            wanted = len(steps) - 1 if selection is None else selection.step
            maps = steps[min(wanted, len(steps) - 1)].maps  # if the fit stopped earlier, use the last map
            rounds = [step.accuracy for step in steps] if retrieval == "csls" else None
        else:
            maps = self._once(
                lambda: learn(problem, aligner, select=selection).maps, "learn", *_fit(cell), str(settings), seed
            )
        result = self._once(
            lambda: self._evaluate(maps, retrieval), "evaluate", *_fit(cell), str(settings), seed, retrieval
        )
        return {
            **bli_values(result),
            "chosen": settings,
            "rounds": rounds,
            "best_on_test": None if rounds is None else max(rounds),
        }

    def _once(self, make: Callable[[], _T], *key: object) -> _T:
        if key not in self._kept:
            self._kept[key] = make()
        kept: _T = self._kept[key]
        return kept

    def _problem(self, seed: int, cell: Cell) -> Problem:
        X, Y = (check_matrix(side.vectors, finite=False) for side in (self.S, self.T))
        problem, start = Problem(X, Y, random_state=seed), cell.start
        if start is None:
            return replace(problem, pairs=self._pairs(self.task.train[cell.size]))
        return self._once(lambda: self._guess(problem, start), "start", start, seed)

    def _guess(self, problem: Problem, start: str) -> Problem:
        """Return the problem with the first dictionary of a start."""
        made = make_start(start, self.task.settings.get(start))
        return replace(problem, pairs=guess_pairs(made, problem, (self.S, self.T)), is_guess=True)

    def _follow(self, problem: Problem, aligner: AbstractAligner) -> list[_Step]:
        """Learn once from all training pairs; return the maps of every step and their CSLS P@1 on the test words."""
        steps: list[_Step] = []
        test = self._pairs(self.task.test)

        def keep(_: int, maps: Maps) -> None:
            S, T = maps.spaces(problem.X, problem.Y)
            accuracy = csls_precision_at_1(S, T, test, target_means=maps.target_means)
            steps.append(_Step(maps._replace(target_means=None), accuracy))

        learn(problem, aligner, callback=keep)
        return steps

    def _evaluate(self, maps: Maps, retrieval: str) -> BliResult:
        stages = (maps.forward, maps.backward)
        model = Alignment.from_maps((maps.source, maps.target), self.S, self.T, stages=stages)
        return evaluate_bli(model, self.task.test or (), protocol=self.task.protocol, retrieval=retrieval)

    def _pairs(self, lexicon: Lexicon | None) -> RowPairs:
        return (lexicon or Lexicon([])).require_pairs(self.S, self.T)
