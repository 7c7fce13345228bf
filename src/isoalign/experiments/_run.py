"""One run: a language pair under one normalisation, all cells of it, every piece of shared work done once."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from time import perf_counter
from typing import Any, TypeVar

from isoalign import __version__
from isoalign._arrays import unit_rows
from isoalign._types import RowPairs
from isoalign.alignment import (
    AbstractAligner,
    Alignment,
    Maps,
    Refine,
    apply_map,
    make_aligner,
    select_settings,
)
from isoalign.errors import InvalidValueError, IsoalignError, ParameterError
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
    """A cell that could not be computed, and why; it is not recorded, so the next start tries again."""

    cell: Cell
    reason: str


Outcome = Record | Failure


def run_task(task: Task, source: Embeddings | None = None, target: Embeddings | None = None) -> Iterator[Outcome]:
    """Compute the cells of a task, in order; equal tasks give equal records, apart from dates and times.

    Parameters
    ----------
    task
        What to do.
    source, target
        The normalised languages, where they do not lie at the task's paths.
    """
    _check_version(task)
    S = read_vectors(task.source) if source is None else source
    T = S if task.target is None else read_vectors(task.target) if target is None else target
    learner = _Learner(task, S, T)
    for _, group in groupby(task.jobs, key=lambda job: (job.cell.kind, job.cell.method, job.cell.dataset)):
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
    if planned != {__version__}:
        raise ParameterError(
            f"This worker has isoalign {__version__}, the sweep {', '.join(sorted(planned))}. Install the same on both."
        )


def _compute(job: Job, task: Task, S: Embeddings, T: Embeddings, learner: "_Learner") -> dict[str, Any]:
    if job.cell.kind == "conditions":
        return condition_values(S, T)
    if job.cell.kind == "similarity" and job.cell.dataset is not None:
        return similarity_values(evaluate_similarity(S, task.similarity[job.cell.dataset]))
    return learner.score(job.cell)


class _Learner:
    """Fit and score the methods of one task, each selection, each map and each evaluation once."""

    def __init__(self, task: Task, S: Embeddings, T: Embeddings) -> None:
        self.task, self.S, self.T = task, S, T
        self._kept: dict[tuple[object, ...], Any] = {}

    def score(self, cell: Cell) -> dict[str, Any]:
        """Return the values of a cell."""
        method, retrieval = str(cell.method), str(cell.retrieval)
        aligner = make_aligner(method, **self.task.settings.get(method, {}))
        chosen = self._once(lambda: self._choose(aligner, cell.seed), "choose", method, cell.seed)
        rounds: list[float] | None = None
        if isinstance(aligner, Refine):
            maps_by_round, accuracies = self._once(lambda: self._follow_rounds(aligner), "rounds", method)
            wanted = aligner.n_iter if chosen is None else chosen["n_iter"]
            maps = maps_by_round[min(wanted, len(maps_by_round) - 1)]  # of refinement that stopped, the last map stays
            rounds = accuracies if retrieval == "csls" else None
        else:
            fitted = aligner.set_params(**(chosen or {}))
            maps = self._once(lambda: self._fit(fitted), "fit", repr(fitted))
        result = self._once(lambda: self._evaluate(maps, retrieval), "evaluate", method, str(chosen), retrieval)
        return {
            **bli_values(result),
            "chosen": chosen,
            "rounds": rounds,
            "best_on_test": None if rounds is None else max(rounds),
        }

    def _once(self, make: Callable[[], _T], *key: object) -> _T:
        if key not in self._kept:
            self._kept[key] = make()
        kept: _T = self._kept[key]
        return kept

    def _choose(self, aligner: AbstractAligner, seed: int) -> dict[str, Any] | None:
        if self.task.select is None:
            return None
        selection = select_settings(
            aligner,
            self.S.vectors,
            self.T.vectors,
            self._train,
            criterion=self.task.select,
            random_state=seed,
        )
        return None if selection is None else selection.chosen

    def _fit(self, aligner: AbstractAligner, **options: Any) -> Maps:
        S, T, pairs = self.S.vectors, self.T.vectors, self._train
        return aligner.fit(S[pairs[:, 0]], T[pairs[:, 1]], source_space=S, target_space=T, **options).maps_

    def _follow_rounds(self, aligner: AbstractAligner) -> tuple[list[Maps], list[float]]:
        """Refine once with all training pairs; keep the map of every round and its CSLS P@1 on the test words."""
        maps_by_round: list[Maps] = []
        accuracies: list[float] = []

        def keep(_: int, maps: Maps) -> None:
            source = unit_rows(apply_map(self.S.vectors, maps.source))
            target = unit_rows(apply_map(self.T.vectors, maps.target))
            accuracies.append(csls_precision_at_1(source, target, self._test, target_means=maps.target_means))
            maps_by_round.append(Maps(maps.source, maps.target))

        self._fit(aligner, callback=keep)
        return maps_by_round, accuracies

    def _evaluate(self, maps: Maps, retrieval: str) -> BliResult:
        model = Alignment.from_matrix(maps.source, target_map=maps.target, source=self.S, target=self.T)
        return evaluate_bli(model, self.task.test or (), protocol=self.task.protocol, retrieval=retrieval)

    @cached_property
    def _train(self) -> RowPairs:
        return self._pairs(self.task.train)

    @cached_property
    def _test(self) -> RowPairs:
        return self._pairs(self.task.test)

    def _pairs(self, lexicon: Lexicon | None) -> RowPairs:
        pairs = (lexicon or Lexicon([])).row_pairs(self.S, self.T)
        if not len(pairs):
            raise InvalidValueError("No dictionary pair has both words in the vocabularies.")
        return pairs
