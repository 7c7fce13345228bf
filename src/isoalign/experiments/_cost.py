"""Cost estimates of a sweep: operations from the sizes, time from a measured rate."""

from dataclasses import dataclass
from time import perf_counter

import numpy as np

from isoalign.alignment import AbstractAligner, Sizes, resolve_method
from isoalign.datasets import load_sample
from isoalign.experiments._config import SweepConfig
from isoalign.experiments._config_values import LanguagePair
from isoalign.experiments._data import is_sample, locate
from isoalign.experiments._plan import expand_cells
from isoalign.experiments._records import Cell
from isoalign.io import open_vectors, read_lexicon

__all__ = ["CellCost", "estimate_costs", "measure_rate"]

_ASSUMED_WORDS, _ASSUMED_DIM = 200_000, 300
# Operations that take as long as everything except search: for each number that is read, normalised and kept, and
# for each score whatever does not grow with the vocabularies (factorisations, intervals).
_READING, _SCORING = 8_000, 16e9
_ASSUMED_TRAIN, _ASSUMED_TEST = (5_000, 8_000), (1_500, 2_500)
_RATE_RUNS = 30  # about a second; the fastest counts


@dataclass(frozen=True)
class CellCost:
    """A cell and the number of its operations; work shared by several cells is counted for the first of them."""

    cell: Cell
    operations: float

    def seconds(self, rate: float) -> float:
        """Return the time at a rate of operations per second."""
        return self.operations / rate


def measure_rate() -> float:
    """Measure the operations per second of this machine in matrix products, the unit of all costs."""
    rng = np.random.default_rng(0)
    queries, targets = (rng.standard_normal((size, _ASSUMED_DIM), dtype=np.float32) for size in (512, 16_384))
    product = np.empty((len(queries), len(targets)), dtype=np.float32)
    times = list[float]()
    for _ in range(_RATE_RUNS):
        start = perf_counter()
        np.matmul(queries, targets.T, out=product)
        times.append(perf_counter() - start)
    return 2.0 * product.size * _ASSUMED_DIM / min(times)


def estimate_costs(config: SweepConfig) -> list[CellCost]:
    """Return the cells of a sweep with their costs.

    Typical sizes are assumed for files that have not been downloaded; the cost of starts is not included.
    """
    spaces = {lang: _space(config, lang) for lang in config.languages}
    sizes = {
        (*pair, size): _sizes(config, spaces[pair[0]], spaces[pair[1]], pair, size)
        for pair in config.pairs
        for size in config.sizes
    }
    costs, begun = list[CellCost](), set[tuple[object, ...]]()
    for cell in expand_cells(config):
        unread = [lang for lang in (cell.source, cell.target) if lang in spaces and (lang,) not in begun]
        operations = sum(float(_READING * rows * columns) for rows, columns in map(spaces.__getitem__, unread))
        begun |= {(lang,) for lang in unread}
        if cell.kind == "bli" and cell.target is not None and cell.method is not None:
            size = sizes[cell.source, cell.target, cell.size if cell.start is None else config.sizes[-1]]
            fit = (cell.source, cell.target, cell.normalize, cell.system, cell.size)
            method = resolve_method(cell.method, settings=config.settings.get(cell.method))
            operations += _SCORING
            operations += size.csls(best=10) if cell.retrieval == "csls" else size.questions
            if fit not in begun:
                operations += _fitting(method.aligner, size)
            select = config.grid.select if method.recipe is None else method.select or "none"
            if select != "none" and (*fit, cell.seed) not in begun:
                operations += _selecting(method.aligner, size)
            begun |= {fit, (*fit, cell.seed)}
        costs.append(CellCost(cell, operations))
    return costs


def _fitting(aligner: AbstractAligner, size: Sizes) -> float:
    """Count one fit to all pairs, with the accuracy after every step if it is recorded."""
    judged = [step for trajectory in aligner.trajectories() for step in trajectory.candidates]
    judging = len(judged) * aligner.judging_cost(size) + size.csls(best=1) if aligner.judges_steps else 0.0
    return aligner.cost(size) + judging


def _selecting(aligner: AbstractAligner, size: Sizes) -> float:
    """Count the fits to four fifths of the words, and scoring their candidates."""
    learned_from = size.with_share(0.8)
    return sum(
        aligner.unfitted_copy().set_params(**trajectory.settings).cost(learned_from)
        + len(trajectory.candidates) * aligner.judging_cost(size)
        for trajectory in aligner.trajectories()
    )


def _space(config: SweepConfig, lang: str) -> tuple[int, int]:
    """Return words and columns of a language without reading its vectors."""
    name, limit = config.data.vectors_of(lang), config.data.limit
    path = locate(config, name, limit=config.data.rows_needed)
    if path is None:
        return limit or _ASSUMED_WORDS, _ASSUMED_DIM
    if is_sample(name):
        shape = load_sample().source.vectors.shape  # both sides have the same shape
    else:
        stream = open_vectors(path)
        shape = (stream.n_rows or limit or _ASSUMED_WORDS, stream.dim)
    return min(shape[0], limit or shape[0]), shape[1]


def _sizes(
    config: SweepConfig, source: tuple[int, int], target: tuple[int, int], pair: LanguagePair, size: str | None
) -> Sizes:
    train, test = (
        _dictionary(config, config.data.lexicon_of(role, *pair, some), assumed)
        for role, some, assumed in (("train", size, _ASSUMED_TRAIN), ("test", None, _ASSUMED_TEST))
    )
    return Sizes(source[0], target[0], source[1], train, test)


def _dictionary(config: SweepConfig, name: str, assumed: tuple[int, int]) -> tuple[int, int]:
    path = locate(config, name)
    if path is None:
        return assumed
    lexicon = read_lexicon(path)
    return len(lexicon.sources), len({target for _, target in lexicon})
