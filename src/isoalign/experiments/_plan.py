"""Split a sweep into tasks: one language pair with one normalisation, and all cells that share it."""

from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any, TypeAlias

from isoalign._core.progress import Progress, ignore_progress
from isoalign.alignment import resolve_method
from isoalign.experiments._config import DICTIONARY, OWN_NORMALIZATION, SweepConfig
from isoalign.experiments._data import DataFile, find_file
from isoalign.experiments._provenance import describe_origin, make_key
from isoalign.experiments._records import Cell
from isoalign.io import SimilaritySet, read_lexicon, read_similarity
from isoalign.lexicon import Lexicon

__all__ = ["Job", "Plan", "Task", "expand_cells", "make_plan"]

_ELSEWHERE = Path("sent-with-the-task")

Files: TypeAlias = Mapping[tuple[str | None, ...], DataFile]


@dataclass(frozen=True)
class Job:
    """One cell to compute: its key, its settings, its origin."""

    key: str
    cell: Cell
    origin: Mapping[str, Any]


@dataclass(frozen=True)
class Task:
    """Task of a worker: one pair (or one language) with one normalisation.

    Attributes
    ----------
    jobs
        The cells to compute.
    source, target
        Native folders of the normalised languages; ``target`` None for similarity alone.
    train
        Training dictionaries by size; the key is None if the sweep has a single one.
    test
        Test dictionary; None for similarity alone.
    similarity
        Word-similarity sets by name.
    settings
        Settings of the methods.
    select, protocol
        As in the sweep's grid.
    """

    jobs: tuple[Job, ...]
    source: Path
    target: Path | None
    train: Mapping[str | None, Lexicon]
    test: Lexicon | None
    similarity: Mapping[str, SimilaritySet]
    settings: Mapping[str, Mapping[str, Any]]
    select: str | None
    protocol: str

    @property
    def spools(self) -> tuple[Path, ...]:
        """The folders that this task opens."""
        return (self.source,) if self.target is None else (self.source, self.target)

    def without_paths(self) -> "Task":
        """Return the task for a machine without access to these paths, which receives the vectors with it."""
        return replace(self, source=_ELSEWHERE, target=None if self.target is None else _ELSEWHERE)


@dataclass(frozen=True)
class Plan:
    """A sweep with the paths of all its files.

    Attributes
    ----------
    config
        The sweep.
    vectors
        The vector file of every language.
    jobs
        Every cell with its key.
    files
        Dictionaries by (role, source, target, size), similarity sets by ("similarity", name).
    """

    config: SweepConfig
    vectors: Mapping[str, DataFile]
    jobs: tuple[Job, ...]
    files: Files

    def groups(self, *, done: Container[str] = ()) -> list[tuple[Job, ...]]:
        """Group unfinished cells by languages and normalisation, in the order of the sweep."""
        groups: dict[tuple[str | None, ...], list[Job]] = {}
        for job in self.jobs:
            if job.key not in done:
                groups.setdefault((job.cell.source, job.cell.target, job.cell.normalize), []).append(job)
        return [tuple(jobs) for jobs in groups.values()]

    def make_task(self, jobs: tuple[Job, ...], spool: Callable[[str, str], Path]) -> Task:
        """Read the dictionaries of a group; ``spool`` returns the path of a normalised language."""
        grid, first = self.config.grid, jobs[0].cell
        source, target, chain = first.source, first.target, first.normalize
        sets = dict.fromkeys(job.cell.dataset for job in jobs if job.cell.dataset is not None)
        return Task(
            jobs=jobs,
            source=spool(source, chain),
            target=None if target is None else spool(target, chain),
            train={}
            if target is None
            else {size: self._read("train", source, target, size) for size in self.config.sizes},
            test=None if target is None else self._read("test", source, target, None),
            similarity={name: read_similarity(self.files["similarity", name].path) for name in sets},
            settings={name: dict(values) for name, values in self.config.settings.items()},
            select=None if grid.select == "none" else grid.select,
            protocol=grid.protocol,
        )

    def _read(self, *key: str | None) -> Lexicon:
        """Read a dictionary, lower-cased if the vectors are."""
        return read_lexicon(self.files[key].path, lower=self.config.data.lower)


def expand_cells(config: SweepConfig) -> list[Cell]:
    """Return all cells of a sweep, grouped by pair and normalisation."""
    grid = config.grid
    cells = [
        Cell("similarity", config.sources[0], None, chain, dataset=Path(name).stem)
        for chain, name in product(grid.normalize, config.data.similarity)
        if chain != OWN_NORMALIZATION
    ]
    for (source, target), chain in product(config.pairs, grid.normalize):
        own = {}
        if chain == OWN_NORMALIZATION:
            own = {method: str(resolve_method(method).normalize) for method in grid.methods}
        if grid.conditions and not own:
            cells.append(Cell("conditions", source, target, chain))
        for start, size, method, seed, retrieval in product(
            grid.starts, config.sizes, grid.methods, grid.seeds, grid.retrieval
        ):
            begin, size_used = _choose_beginning(method, start, size)
            normalize = own.get(method, chain)
            cells.append(Cell("bli", source, target, normalize, method, retrieval, seed, start=begin, size=size_used))
    return list(dict.fromkeys(cells))


def _choose_beginning(method: str, start: str, size: str | None) -> tuple[str | None, str | None]:
    """Return the start and the size of the dictionary that a method learns from; a recipe may have its own start."""
    begin = resolve_method(method, start=None if start == DICTIONARY else start).start
    return (None, size) if begin is None else (str(begin), None)


def make_plan(config: SweepConfig, *, progress: Progress = ignore_progress) -> Plan:
    """Find or download all files of a sweep, and compute the keys of all cells."""
    data = config.data
    vectors = {
        lang: find_file(config, data.vectors_of(lang), limit=data.rows_needed, progress=progress)
        for lang in config.languages
    }
    parts = [("test", None), *(("train", size) for size in config.sizes)]
    files: dict[tuple[str | None, ...], DataFile] = {
        (role, *pair, size): find_file(config, data.lexicon_of(role, *pair, size), progress=progress)
        for pair in config.pairs
        for role, size in parts
    }
    files |= {("similarity", Path(name).stem): find_file(config, name, progress=progress) for name in data.similarity}
    jobs = []
    for cell in expand_cells(config):
        origin = describe_origin(config, cell, _files_behind(cell, vectors, files))
        jobs.append(Job(make_key(cell, origin), cell, origin))
    return Plan(config, vectors, tuple(jobs), files)


def _files_behind(cell: Cell, vectors: Mapping[str, DataFile], files: Files) -> dict[str, DataFile]:
    behind = {"source": vectors[cell.source]}
    if cell.target is not None:
        behind["target"] = vectors[cell.target]
    if cell.kind == "bli" and cell.target is not None:
        if cell.start is None:
            behind["train"] = files["train", cell.source, cell.target, cell.size]
        behind["test"] = files["test", cell.source, cell.target, None]
    if cell.dataset is not None:
        behind["similarity"] = files["similarity", cell.dataset]
    return behind
