"""Periods in one space: every word that two of them share is an anchor."""

from collections.abc import Mapping
from itertools import pairwise
from typing import NamedTuple, TypeAlias

import numpy as np

from isoalign._core.arrays import unit_rows
from isoalign._core.progress import Progress
from isoalign._core.types import IntVector, Matrix
from isoalign.alignment import join
from isoalign.drift._distances import cosine_distances
from isoalign.errors import InvalidValueError, ParameterError
from isoalign.io import EmbeddingsLike, given_spaces
from isoalign.lexicon import Lexicon
from isoalign.normalization import AbstractNormalizer
from isoalign.normalization import normalize as normalize_embeddings
from isoalign.vectors import Embeddings

__all__ = ["LEAST_COMMON", "Common", "PeriodPair", "Periods", "join_periods"]

PeriodPair: TypeAlias = tuple[str, str]
"""Names of two periods that are compared."""

LEAST_COMMON = 100
"""Minimum number of words that two periods must share to estimate how words of similar frequency vary."""

_TRIMMED = 0.1  # share of the anchors that a robust fit omits


class Common(NamedTuple):
    """Rows of the words that two periods share, in the order of the first, (n,) each."""

    old: IntVector
    new: IntVector


class Periods(NamedTuple):
    """Periods that were joined.

    Attributes
    ----------
    sides
        Raw vectors by name, for their words.
    spaces
        Normalised unit rows, each in its own space.
    mapped
        The same in the shared space.
    common
        Words that the two periods of every step share.
    """

    sides: dict[str, Embeddings]
    spaces: dict[str, Matrix]
    mapped: dict[str, Matrix]
    common: dict[PeriodPair, Common]


def join_periods(
    spaces: Mapping[str, EmbeddingsLike], *, normalize: str | AbstractNormalizer, robust: bool, progress: Progress
) -> Periods:
    """Map periods into one space, using the words that consecutive ones share.

    Parameters
    ----------
    spaces
        Embeddings, or files, by name and in order.
    normalize
        As in `align`.
    robust
        Whether to learn the maps again without the tenth of the anchors that fits worst.
    progress
        Progress callback.
    """
    if len(spaces) < 2:
        raise ParameterError(f"There must be at least two periods to compare. Got {len(spaces)}.")
    sides = given_spaces(spaces, progress=progress)
    common = {step: _share(step, sides) for step in _list_steps(list(sides))}
    normalized = {name: normalize_embeddings(side, normalize, progress=progress) for name, side in sides.items()}
    mapped = _map(normalized, common, progress)
    if robust:
        kept = {step: _trim(mapped, step, rows) for step, rows in common.items()}
        mapped = _map(normalized, kept, progress)
    return Periods(sides, {name: unit_rows(side.vectors) for name, side in normalized.items()}, mapped, common)


def _list_steps(names: list[str]) -> list[PeriodPair]:
    """Return every period with the next, and the first with the last."""
    return list(dict.fromkeys([*pairwise(names), (names[0], names[-1])]))


def _share(step: PeriodPair, sides: Mapping[str, Embeddings]) -> Common:
    old, new = (sides[name] for name in step)
    places = new.find_rows(old.index_to_key)
    rows = np.flatnonzero(places >= 0)
    if len(rows) < LEAST_COMMON:
        raise InvalidValueError(
            f"Two periods must share at least {LEAST_COMMON} words. {step[0]!r} and {step[1]!r} share {len(rows)}. "
            "Do both files have the same language and spelling? lower=True may help."
        )
    return Common(rows, places[rows])


def _map(
    normalized: Mapping[str, Embeddings], common: Mapping[PeriodPair, Common], progress: Progress
) -> dict[str, Matrix]:
    dictionaries = {
        step: Lexicon((word, word) for word in normalized[step[0]].take(rows.old).index_to_key)
        for step, rows in common.items()
    }
    model = join(normalized, dictionaries, normalize="none", progress=progress)
    return {name: model.space(name) for name in model.names}


def _trim(mapped: Mapping[str, Matrix], step: PeriodPair, rows: Common) -> Common:
    distances = cosine_distances(mapped[step[0]][rows.old], mapped[step[1]][rows.new])
    kept = np.sort(np.argsort(distances, kind="stable")[: round(len(distances) * (1 - _TRIMMED))])
    return Common(rows.old[kept], rows.new[kept])
