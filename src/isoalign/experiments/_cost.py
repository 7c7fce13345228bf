"""What a sweep will cost, before it is run: operations counted from sizes, time from a measured rate."""

from dataclasses import dataclass
from time import perf_counter

import numpy as np

from isoalign.alignment import AbstractAligner, Refine, make_aligner
from isoalign.datasets import load_sample
from isoalign.experiments._config import SweepConfig
from isoalign.experiments._data import is_sample, locate
from isoalign.experiments._plan import expand_cells
from isoalign.experiments._records import Cell
from isoalign.io import open_vectors, read_lexicon
from isoalign.neighbors import top_k

__all__ = ["CellCost", "estimate_costs", "measure_rate"]

_ASSUMED_WORDS, _ASSUMED_DIM = 200_000, 300
_ASSUMED_TRAIN, _ASSUMED_TEST = (5_000, 8_000), (1_500, 2_500)


@dataclass(frozen=True)
class CellCost:
    """A cell and the multiplications and additions it needs; work that cells share counts for the first of them."""

    cell: Cell
    operations: float

    def seconds(self, rate: float) -> float:
        """Return the time it takes at so many operations a second."""
        return self.operations / rate


@dataclass(frozen=True)
class _Sizes:
    """Words and columns of a pair, and the different words of both sides of its dictionaries."""

    n: int
    m: int
    dim: int
    train: tuple[int, int]
    test: tuple[int, int]

    @property
    def product(self) -> float:
        """All words with all words, as the means of CSLS and a round of refinement need it."""
        return 2.0 * self.n * self.m * self.dim

    @property
    def questions(self) -> float:
        """The test words with all targets."""
        return 2.0 * self.test[0] * self.m * self.dim

    @property
    def descent(self) -> float:
        """One step of RCSLS at most: the training words of each side with all words of the other.

        A word whose neighbours are known to be the same costs less.
        """
        return 2.0 * self.dim * (self.train[0] * self.m + self.train[1] * self.n)


def measure_rate() -> float:
    """Return the operations a second that this machine reaches in a search like those of a sweep."""
    rng = np.random.default_rng(0)
    queries, targets = (rng.standard_normal((size, _ASSUMED_DIM), dtype=np.float32) for size in (2_048, 16_384))
    top_k(queries[:64], targets[:1_024], 10)  # the kernels are compiled at their first call
    start = perf_counter()
    top_k(queries, targets, 10)
    return 2.0 * len(queries) * len(targets) * _ASSUMED_DIM / (perf_counter() - start)


def estimate_costs(config: SweepConfig) -> list[CellCost]:
    """Return the cells of a sweep with what each needs; files that are not here yet are taken to have usual sizes."""
    spaces = {lang: _space(config, lang) for lang in dict.fromkeys((config.source, *config.targets))}
    sizes = {target: _sizes(config, spaces[config.source], spaces[target], target) for target in config.targets}
    costs, begun = list[CellCost](), set[tuple[object, ...]]()
    for cell in expand_cells(config):
        operations = 0.0
        if cell.kind == "bli" and cell.target is not None and cell.method is not None:
            size, fit = sizes[cell.target], (cell.target, cell.normalize, cell.method)
            aligner = make_aligner(cell.method, **config.settings.get(cell.method, {}))
            operations += size.questions + (size.product if cell.retrieval == "csls" else 0.0)
            if fit not in begun:
                operations += _fitting(aligner, size)
            if config.grid.select != "none" and (*fit, cell.seed) not in begun:
                operations += _selecting(aligner, size)
            begun |= {fit, (*fit, cell.seed)}
        costs.append(CellCost(cell, operations))
    return costs


def _fitting(aligner: AbstractAligner, size: _Sizes) -> float:
    """Count one fit to all pairs, with the accuracy of every round of refinement."""
    if isinstance(aligner, Refine):
        return aligner.n_iter * (size.product + size.questions) + size.product
    steps = [max(trajectory.candidates) for trajectory in aligner.trajectories()]
    params = aligner.get_params(deep=False)
    if not steps and params.get("epochs") is not None:
        steps = [params["epochs"] + 1]
    return max(steps, default=0) * size.descent


def _selecting(aligner: AbstractAligner, size: _Sizes) -> float:
    """Count the fits to four fifths of the words, and judging their candidates."""
    if isinstance(aligner, Refine):
        return aligner.n_iter * (size.product + size.questions) + size.product
    return sum(
        0.8 * max(trajectory.candidates) * size.descent + len(trajectory.candidates) * (size.product + size.questions)
        for trajectory in aligner.trajectories()
    )


def _space(config: SweepConfig, lang: str) -> tuple[int, int]:
    """Return words and columns of a language without reading its vectors."""
    name, limit = config.data.vectors_of(lang), config.data.limit
    path = locate(config, name, limit=config.data.rows_needed)
    if path is None:
        return limit or _ASSUMED_WORDS, _ASSUMED_DIM
    if is_sample(name):
        shape = load_sample().source.vectors.shape  # both sides are of one shape
    else:
        stream = open_vectors(path)
        shape = (stream.n_rows or limit or _ASSUMED_WORDS, stream.dim)
    return min(shape[0], limit or shape[0]), shape[1]


def _sizes(config: SweepConfig, source: tuple[int, int], target: tuple[int, int], lang: str) -> _Sizes:
    train, test = (
        _dictionary(config, config.data.lexicon_of(role, config.source, lang), assumed)
        for role, assumed in (("train", _ASSUMED_TRAIN), ("test", _ASSUMED_TEST))
    )
    return _Sizes(source[0], target[0], source[1], train, test)


def _dictionary(config: SweepConfig, name: str, assumed: tuple[int, int]) -> tuple[int, int]:
    path = locate(config, name)
    if path is None:
        return assumed
    lexicon = read_lexicon(path)
    return len(lexicon.sources), len({target for _, target in lexicon})
