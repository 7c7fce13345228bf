"""The demonstration: the paper's experiment on the embedded sample, in about a minute."""

from dataclasses import dataclass
from hashlib import sha256
from time import perf_counter
from typing import Any

from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.types import IntVector
from isoalign._core.version import VERSION
from isoalign.alignment import Alignment, align
from isoalign.datasets import Sample, load_sample
from isoalign.evaluation import BliResult, evaluate_bli
from isoalign.experiments import Cell, Record, bli_values, condition_values, stamp
from isoalign.lexicon import Lexicon
from isoalign.neighbors import DEFAULT_RETRIEVAL, count_occurrences, top_k
from isoalign.normalization import normalize
from isoalign.reporting._neighborhoods import Neighborhood, find_neighborhoods
from isoalign.translation import Translation, Translator
from isoalign.vectors import Embeddings

__all__ = ["CAT", "FIGURE_1", "Demo", "Lookup", "run_demo"]

NORMALIZATIONS = ("none", "center_length", "iternorm")
METHODS: dict[str, dict[str, Any]] = {
    "procrustes": {},
    "refine": {},
    # The estimator's defaults without selection, to keep the demonstration short: selecting only the number of epochs
    # on validation words increased the total time from 45 s to 69 s.
    "rcsls": {"lr": 10, "epochs": 10},
    "vecmap": {},
}
FIGURE_1 = ("girl", "少女")
CAT = "猫"
N_LOOKUPS = 10

_FILES = {"source": "en", "target": "ja", "train": "train", "test": "test"}


@dataclass(frozen=True)
class Lookup:
    """A test word, its translations by the model, and its translations in the dictionary."""

    word: str
    found: tuple[Translation, ...]
    gold: tuple[str, ...]

    @property
    def right(self) -> bool:
        """Whether the first translation is in the dictionary."""
        return self.found[0].word in self.gold


@dataclass(frozen=True)
class Demo:
    """Results of the demonstration.

    Attributes
    ----------
    sample
        The data.
    records
        Accuracy of every normalisation and method, and the two conditions for every normalisation.
    neighborhoods
        Figure 1 of the paper: neighbours of each word before and after normalisation.
    forward, backward
        Test words translated from source to target and from target to source.
    hubs
        How often each target word is a neighbour, by normalisation.
    models
        Procrustes alignments by normalisation.
    ranking
        All target words as translations of ``FIGURE_1[0]``, best first.
    translator
        Description of the model that translated ``forward`` and ``backward``.
    """

    sample: Sample
    records: list[Record]
    neighborhoods: list[list[Neighborhood]]
    forward: list[Lookup]
    backward: list[Lookup]
    hubs: dict[str, IntVector]
    models: dict[str, Alignment]
    ranking: tuple[str, ...]
    translator: str = "RCSLS after Iterative Normalization"


def run_demo(*, sample: Sample | None = None, progress: Progress = ignore_progress) -> Demo:
    """Align English and Japanese with all normalisations and methods, and evaluate the results.

    Parameters
    ----------
    sample
        Data to use. None loads the embedded sample.
    progress
        Progress callback.
    """
    sample = sample or load_sample()
    records, models = _run_grid(sample, progress)
    translator = Translator(models["rcsls", "iternorm"])
    procrustes = {name: models["procrustes", name] for name in ("none", "iternorm")}
    return Demo(
        sample=sample,
        records=records,
        neighborhoods=[
            find_neighborhoods(side, word) for side, word in zip((sample.source, sample.target), FIGURE_1, strict=True)
        ],
        forward=_look_up(translator, sample.test, sample.source, reverse=False),
        backward=_look_up(translator, sample.test.inverse(), sample.target, reverse=True),
        hubs={name: _count_occurrences(model) for name, model in procrustes.items()},
        models=procrustes,
        ranking=tuple(found.word for found in translator.translate(FIGURE_1[0], k=len(sample.target))),
    )


def _count_occurrences(model: Alignment) -> IntVector:
    pair = model.pair()
    return count_occurrences(top_k(pair.sources, pair.targets, 10)[1], len(pair.targets))


def _run_grid(sample: Sample, progress: Progress) -> tuple[list[Record], dict[tuple[str, str], Alignment]]:
    records: list[Record] = []
    models: dict[tuple[str, str], Alignment] = {}
    total = len(NORMALIZATIONS) * len(METHODS)
    for name in NORMALIZATIONS:
        records.append(_record_conditions(sample, name))
        for method, settings in METHODS.items():
            progress("alignments", len(models), total)
            start = perf_counter()
            model = align(
                sample.source,
                sample.target,
                sample.train,
                method=method,
                settings=settings,
                normalize=name,
                progress=progress,
            )
            result = evaluate_bli(model, sample.test, progress=progress)
            models[method, name] = model
            records.append(_record_accuracy(method, name, model, result, perf_counter() - start))
    progress("alignments", total, total)
    return records, models


def _record_accuracy(method: str, name: str, model: Alignment, result: BliResult, seconds: float) -> Record:
    selection = model.history["selection"]
    cell = Cell("bli", "en", "ja", name, method=method, retrieval=DEFAULT_RETRIEVAL)
    values = {**bli_values(result), "chosen": selection and selection["chosen"], "best_on_test": None}
    return _record(cell, values, seconds, settings=model.provenance["settings"], protocol=result.protocol)


def _record_conditions(sample: Sample, name: str) -> Record:
    start = perf_counter()
    values = condition_values(normalize(sample.source, name), normalize(sample.target, name))
    return _record(Cell("conditions", "en", "ja", name), values, perf_counter() - start)


def _record(cell: Cell, values: dict[str, Any], seconds: float, **settings: Any) -> Record:
    data = {role: {"name": f"sample:{name}"} for role, name in _FILES.items()}
    provenance = stamp({"isoalign": VERSION, "data": data, **settings})
    return Record(sha256(repr((cell, VERSION)).encode()).hexdigest()[:16], cell, values, provenance, seconds)


def _look_up(translator: Translator, test: Lexicon, words: Embeddings, *, reverse: bool) -> list[Lookup]:
    """Translate test words evenly spaced by frequency, so that none is chosen for its result."""
    by_frequency = sorted(test.sources, key=words.key_to_index.__getitem__)
    step = len(by_frequency) / N_LOOKUPS
    chosen = [by_frequency[int((number + 0.5) * step)] for number in range(N_LOOKUPS)]
    found = translator.translate(chosen, k=3, reverse=reverse)
    gold = test.translations
    return [Lookup(word, tuple(some), tuple(gold[word])) for word, some in zip(chosen, found, strict=True)]
