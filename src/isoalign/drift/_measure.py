"""Measure which words changed between the vectors of two or more periods."""

import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from isoalign._core.progress import Progress, ProgressLike, as_progress, ignore_progress
from isoalign._core.types import DoubleVector, IntVector, Key
from isoalign._core.validate import check_choice, check_count
from isoalign._core.version import VERSION
from isoalign.drift._distances import MEASURES, cosine_distances, nearest_others, neighborhood_distances
from isoalign.drift._null import DistanceSample, benjamini_hochberg, p_values, standardize
from isoalign.drift._periods import PeriodPair, Periods, join_periods
from isoalign.drift._results import Drift, DriftSeries, Movement, WordDrift
from isoalign.errors import InvalidValueError, IsoalignWarning, ParameterError
from isoalign.io import EmbeddingsLike
from isoalign.normalization import DEFAULT_NORMALIZATION, AbstractNormalizer

__all__ = ["measure_drift", "measure_drifts"]


def measure_drift(
    old: EmbeddingsLike,
    new: EmbeddingsLike,
    *,
    names: tuple[str, str] = ("old", "new"),
    words: Iterable[Key] | None = None,
    measures: Sequence[str] = ("cd",),
    normalize: str | AbstractNormalizer = DEFAULT_NORMALIZATION,
    robust: bool = False,
    null: tuple[EmbeddingsLike, EmbeddingsLike] | None = None,
    k: int = 10,
    progress: ProgressLike = ignore_progress,
) -> Drift:
    """Find the words that changed between two periods, corpora or models.

    Parameters
    ----------
    old, new
        Embeddings, or files; most frequent word first. Every word in both is an anchor of the map between them.
    names
        Names of the two periods.
    words
        Words to test; None is all words in both. The others are still used to estimate how far words of similar
        frequency move.
    measures
        ``"cd"``, ``"lnd"`` or both, see :data:`MEASURES`; words are sorted by the first.
    normalize
        As in `align`.
    robust
        Whether to learn the map again without the tenth of the anchors that fits worst, for periods in which much
        changed.
    null
        Two embeddings, or files, between which nothing changed, such as two halves of one corpus. None: the words
        themselves, most of which are assumed to be unchanged.
    k
        Number of neighbours to list, then and now.
    progress
        Progress callback; True draws a bar.

    Returns
    -------
    Drift

    Examples
    --------
    >>> import isoalign as ia
    >>> found = ia.measure_drift("1900.vec", "2000.vec", measures=("cd", "lnd"))  # doctest: +SKIP
    >>> [word.word for word in found.changed(q=0.05)]  # doctest: +SKIP
    """
    if names[0] == names[1]:
        raise ParameterError(f"Two periods need different names. Got {names[0]!r} twice.")
    found = measure_drifts(
        dict(zip(names, (old, new), strict=True)),
        words=words,
        measures=measures,
        normalize=normalize,
        robust=robust,
        null=null,
        k=k,
        progress=progress,
    )
    return found.steps[0]


def measure_drifts(
    spaces: Mapping[str, EmbeddingsLike],
    *,
    words: Iterable[Key] | None = None,
    measures: Sequence[str] = ("cd",),
    normalize: str | AbstractNormalizer = DEFAULT_NORMALIZATION,
    robust: bool = False,
    null: tuple[EmbeddingsLike, EmbeddingsLike] | None = None,
    k: int = 10,
    progress: ProgressLike = ignore_progress,
) -> DriftSeries:
    """Find the words that changed from each of several periods to the next, and from the first to the last.

    All periods are joined in one space. False-discovery rates are computed separately for each step.

    Parameters
    ----------
    spaces
        Embeddings, or files, by name and in order of time.
    words, measures, normalize, robust, null, k, progress
        As in `measure_drift`.

    Returns
    -------
    DriftSeries
    """
    progress = as_progress(progress)
    chosen = tuple(dict.fromkeys(check_choice(name, MEASURES, name="measures") for name in measures))
    if not chosen:
        raise ParameterError(f"measures must name at least one of {', '.join(MEASURES)}.")
    k = check_count(k, name="k")
    periods = join_periods(spaces, normalize=normalize, robust=robust, progress=progress)
    halves = None
    if null is not None:
        same = dict(zip(("first half", "second half"), null, strict=True))
        halves = join_periods(same, normalize=normalize, robust=robust, progress=progress)
    asked = None if words is None else list(dict.fromkeys(words))
    about = {"isoalign": VERSION, "normalize": str(normalize), "robust": robust, "null": "frequency"}
    if halves is not None:
        about["null"] = "two halves"
    return DriftSeries(
        tuple(_compare(periods, step, halves, asked, chosen, k, about, progress) for step in periods.common)
    )


def _compare(
    periods: Periods,
    step: PeriodPair,
    halves: Periods | None,
    asked: list[Key] | None,
    measures: tuple[str, ...],
    k: int,
    about: dict[str, Any],
    progress: Progress,
) -> Drift:
    """Compare two periods that were joined."""
    common, old = periods.common[step], periods.sides[step[0]]
    tested = np.arange(len(common.old)) if asked is None else _find(asked, old.find_rows(asked), common.old, step)
    found: dict[str, list[Movement]] = {}
    for measure in measures:
        sample = _measure(periods, step, measure, progress)
        null = None if halves is None else _measure(halves, next(iter(halves.common)), measure, progress)
        z = standardize(sample, null)[tested]
        columns = (sample.distances[tested], z, p := p_values(z), benjamini_hochberg(p))
        found[measure] = [Movement(*row) for row in zip(*(column.tolist() for column in columns), strict=True)]
    order = np.argsort([-one.z for one in found[measures[0]]], kind="stable")
    rows = [side[tested[order]] for side in common]
    near = [_name_neighbors(periods, name, own, k, progress) for name, own in zip(step, rows, strict=True)]
    words = tuple(
        WordDrift(
            old.index_to_key[then],
            then + 1,
            now + 1,
            {measure: found[measure][place] for measure in measures},
            *neighbors,
        )
        for place, then, now, *neighbors in zip(order.tolist(), *(side.tolist() for side in rows), *near, strict=True)
    )
    return Drift(*step, measures, words, len(common.old), about)


def _measure(periods: Periods, step: PeriodPair, measure: str, progress: Progress) -> DistanceSample:
    """Return the distances of all words that two periods share; LND needs no map."""
    common = periods.common[step]
    spaces = periods.mapped if measure == "cd" else periods.spaces
    X, Y = (np.ascontiguousarray(spaces[name][rows]) for name, rows in zip(step, common, strict=True))
    distances: DoubleVector = (
        cosine_distances(X, Y) if measure == "cd" else neighborhood_distances(X, Y, progress=progress)
    )
    return DistanceSample(distances, common.old + common.new)


def _find(asked: list[Key], rows: IntVector, known: IntVector, step: PeriodPair) -> IntVector:
    """Return the positions of the requested words among those of both periods."""
    places = np.searchsorted(known, rows).clip(max=len(known) - 1)
    is_known = known[places] == rows
    if not is_known.any():
        raise InvalidValueError(f"None of the {len(asked)} words to test is in both {step[0]!r} and {step[1]!r}.")
    if not is_known.all():
        missing = [str(word) for word, here in zip(asked, is_known, strict=True) if not here]
        more = ", …" if len(missing) > 3 else ""
        warnings.warn(
            f"{len(missing)} of {len(asked)} words to test are not in both {step[0]!r} and {step[1]!r}: "
            f"{', '.join(missing[:3])}{more}.",
            IsoalignWarning,
            stacklevel=4,
        )
    found: IntVector = places[is_known]
    return found


def _name_neighbors(
    periods: Periods, name: str, rows: IntVector, k: int, progress: Progress
) -> list[tuple[str | int, ...]]:
    keys = periods.sides[name].index_to_key
    near = nearest_others(periods.spaces[name], rows, k, progress=progress)
    return [tuple(keys[row] for row in some) for some in near.tolist()]
