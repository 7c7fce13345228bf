"""Run the unfinished cells of a sweep with any executor."""

from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass, fields
from typing import Any, ClassVar

from isoalign._core.display import Tabular
from isoalign._core.executor import Executor, InProcess
from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.types import PathName
from isoalign.experiments._config import SweepConfig
from isoalign.experiments._plan import Job, Plan, Task, make_plan
from isoalign.experiments._records import Cell, Record
from isoalign.experiments._run import Failure, run_task
from isoalign.experiments._spools import Spools
from isoalign.experiments._store import Store

__all__ = ["SweepResult", "sweep"]


@dataclass(frozen=True, repr=False)
class SweepResult(Tabular):
    """Result of a sweep.

    Attributes
    ----------
    records
        Records of all finished cells, in the order of the sweep.
    computed, found
        Number of cells that this call computed, and that the folder already contained.
    failures
        Cells that failed.
    """

    records: tuple[Record, ...]
    computed: int
    found: int
    failures: tuple[Failure, ...]

    columns: ClassVar = (*(one.name for one in fields(Cell)), "measure", "score", "low", "high", "n", "seconds")

    def to_records(self) -> list[dict[str, Any]]:
        """Return one row per finished cell: its settings, its score with the interval, and its time.

        Cells of the kind ``conditions`` have no score; their values are in `records`.
        """
        return [dict(zip(self.columns, _row(record), strict=True)) for record in self.records]

    def __repr__(self) -> str:
        failed = f", {len(self.failures):,} failed" if self.failures else ""
        return f"SweepResult({len(self.records):,} cells: {self.computed:,} computed, {self.found:,} found{failed})"


def _row(record: Record) -> tuple[Any, ...]:
    measure, score, low, high = None, None, None, None
    if record.cell.kind == "bli":
        measure, (score, (low, high)) = record.measure, record.score
    elif record.cell.kind == "similarity":
        measure, score, (low, high) = "Spearman", record.values["spearman"], record.values["ci95"]
    return (*astuple(record.cell), measure, score, low, high, record.values.get("n"), record.seconds)


def sweep(
    config: SweepConfig,
    results: PathName,
    *,
    executor: Executor | None = None,
    progress: Progress = ignore_progress,
) -> SweepResult:
    """Compute the cells of a sweep that are not yet in a results folder.

    Every record is on disk before the next one begins, so an interrupted or killed sweep resumes where it stopped; with
    several processes, with the unfinished tasks. A second sweep of the same folder waits for the first.

    Parameters
    ----------
    config
        See `read_config`.
    results
        Results folder.
    executor
        Executor; None is `InProcess`.
    progress
        Progress callback.
    """
    with Store(results) as store:
        plan = make_plan(config, progress=progress)
        spools = Spools(store.spools, config, dict(plan.vectors))
        before = len(_finished(plan, store))
        computed, failures = 0, list[Failure]()
        progress("cells", before, len(plan.jobs))
        for task, outcomes in (executor or InProcess()).run(run_task, _prepared(plan, store, spools, progress)):
            for outcome in outcomes:
                if isinstance(outcome, Failure):
                    failures.append(outcome)
                else:
                    computed += store.append(outcome)
                progress("cells", before + computed + len(failures), len(plan.jobs))
            spools.release(task.spools)
        spools.clear()
        return SweepResult(tuple(_finished(plan, store)), computed, before, tuple(failures))


def _finished(plan: Plan, store: Store) -> list[Record]:
    return [store.records[job.key] for job in plan.jobs if job.key in store.records]


def _prepared(plan: Plan, store: Store, spools: Spools, progress: Progress) -> Iterator[Task]:
    """Yield the remaining tasks, creating their spools just before."""
    groups = plan.groups(done=store.records)
    needed: dict[str, list[str]] = {}
    for lang, chain in (use for jobs in groups for use in _uses(jobs)):
        spools.reserve(lang, chain)
        if chain not in needed.setdefault(lang, []):
            needed[lang].append(chain)
    for jobs in groups:
        for lang, _ in _uses(jobs):
            spools.prepare(lang, needed.pop(lang, ()), progress=progress)
        yield plan.make_task(jobs, spools.path)


def _uses(jobs: Sequence[Job]) -> list[tuple[str, str]]:
    cell = jobs[0].cell
    return [(lang, cell.normalize) for lang in (cell.source, cell.target) if lang is not None]
