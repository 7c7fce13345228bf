"""Calibrate the confidence of translations on dictionary words that a second model did not see."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from isoalign._core.logistic import Logistic, fit_logistic
from isoalign._core.progress import ProgressLike, as_progress, ignore_progress
from isoalign._core.types import RandomState
from isoalign.alignment import AbstractAligner, Alignment, align
from isoalign.errors import InvalidValueError, ParameterError
from isoalign.evaluation._statistics import percentile_interval, resample_mean
from isoalign.io import LexiconLike, given_lexicon
from isoalign.lexicon import Lexicon
from isoalign.translation import (
    LEVELS,
    Calibration,
    CalibrationTable,
    Rate,
    Translator,
    find_returns,
    gather_evidence,
    name_levels,
)

__all__ = ["calibrate"]

_HELD_OUT = 0.2
_FOLDS = 5
_LEAST_WORDS = 50


def calibrate(
    model: Alignment,
    lexicon: LexiconLike,
    *,
    method: str | AbstractAligner | None = None,
    random_state: int = 0,
    progress: ProgressLike = ignore_progress,
    **options: Any,
) -> CalibrationTable:
    """Calibrate the confidence of translations, and record the result in the model.

    A second model is learned in the same way without a fifth of the source words. Whether it translates these correctly
    is predicted from score, margin and mutual choice by logistic regression. The shares of correct answers come from
    five folds of the held-out words, each predicted by weights learned from the other four. A translation counts as
    correct if it is in the dictionary, so good translations that the dictionary lacks count as wrong.

    Parameters
    ----------
    model
        Two members with their vectors, learned by `align`. ``provenance["confidence"]`` is set.
    lexicon
        The dictionary that it was learned from.
    method
        As in `align`; None is the method of the model.
    random_state
        Seed of the split, and of `align`.
    progress
        Progress callback; True draws a bar.
    options
        Other options of `align` that the model was learned with.

    Returns
    -------
    CalibrationTable
        A list with one calibration for each direction.

    Examples
    --------
    >>> import isoalign as ia
    >>> model = ia.align(en, ja, train, method="procrustes")  # doctest: +SKIP
    >>> ia.calibrate(model, train)[0].rates["clear"]  # doctest: +SKIP
    Rate(right=171, n=212, low=0.75, high=0.86)
    """
    pair = model.pair()
    words = given_lexicon(lexicon)
    kept, held_out = words.split(_HELD_OUT, random_state=random_state)
    sides = (pair.source.raw, pair.target.raw)
    if method is None:
        method = model.provenance.get("recipe") or model.provenance.get("method")
    second = align(*sides, kept, method=method, random_state=random_state, progress=as_progress(progress), **options)
    _check_alike(model, second)
    seen = {target for _, target in kept}
    unseen = Lexicon(entry for entry in held_out.inverse() if entry[0] not in seen)
    ways = [(pair.names, held_out), (pair.names[::-1], unseen)]
    found = CalibrationTable(_calibrate_way(second, names, gold, random_state) for names, gold in ways)
    model.provenance["confidence"] = [calibration.to_dict() for calibration in found]
    return found


def _check_alike(model: Alignment, second: Alignment) -> None:
    ways = [{**one.provenance, "re-ranking": "rerank" in one.provenance} for one in (model, second)]
    for name in ("method", "recipe", "normalize", "re-ranking"):
        first, other = (way.get(name) for way in ways)
        if first != other:
            raise ParameterError(
                f"Calibration must learn in the same way as the model. Its {name} is {first!r}, not {other!r}. "
                "Pass the options that align had."
            )


def _calibrate_way(model: Alignment, names: tuple[str, str], gold: Lexicon, random_state: RandomState) -> Calibration:
    forth, back = (Translator(model, source=a, target=b) for a, b in (names, names[::-1]))
    source, target = model.raw(names[0]), model.raw(names[1])
    known = Lexicon(pair for pair, is_known in zip(gold, gold.known_rows(source, target), strict=True) if is_known)
    answers = known.translations
    if len(answers) < _LEAST_WORDS:
        raise InvalidValueError(
            f"Calibration needs at least {_LEAST_WORDS} held-out words, a fifth of the dictionary. "
            f"Got {len(answers)} from {names[0]} to {names[1]}. Use a larger dictionary."
        )
    found = forth.translate(list(answers), k=2)
    returns = find_returns(back, (some[0].word for some in found))
    evidence = np.array(gather_evidence(found, returns), dtype=np.float64)
    right = np.array([some[0].word in answers[word] for word, some in zip(answers, found, strict=True)])
    folds = np.random.default_rng(random_state).permutation(len(right)) % _FOLDS
    chances = np.empty(len(right))
    for fold in range(_FOLDS):
        own = folds == fold
        chances[own] = _weigh(evidence[~own], right[~own]).probability(evidence[own])
    levels = np.array(name_levels(chances))
    weights = _weigh(evidence, right)
    return Calibration(
        *names,
        weights=(float(weights.weights[0]), float(weights.weights[1]), float(weights.weights[2])),
        intercept=weights.intercept,
        n=len(right),
        rates={level: _rate(right[levels == level]) for level in LEVELS},
    )


def _weigh(evidence: NDArray[np.float64], right: NDArray[np.bool_]) -> Logistic:
    if right.all() or not right.any():  # odds are undefined: add one half to both counts
        odds = (right.sum() + 0.5) / ((~right).sum() + 0.5)
        return Logistic(np.zeros(evidence.shape[1]), float(np.log(odds)))
    return fit_logistic(evidence[right], evidence[~right])


def _rate(right: NDArray[np.bool_]) -> Rate | None:
    if not len(right):
        return None
    low, high = percentile_interval(resample_mean(right.astype(np.float64), np.ones(len(right))))
    return Rate(int(right.sum()), len(right), float(low), float(high))
