"""How sure a score is: bootstrap over units, differences between paired scores, McNemar's test."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from isoalign._arrays import row_blocks
from isoalign._types import RandomState

__all__ = [
    "N_RESAMPLES",
    "bootstrap_p",
    "mcnemar_exact",
    "percentile_interval",
    "resample_counts",
    "resample_ratios",
    "sum_by_word",
]

N_RESAMPLES = 10_000

_TAIL = 0.025  # on either side of an interval
_DRAWS_AT_ONCE = 2**21

Floats = NDArray[np.float64]


def resample_counts(n: int, n_resamples: int, random_state: RandomState) -> Iterator[Floats]:
    """Yield how often each of n units is drawn when n are drawn with replacement, in blocks (b, n)."""
    rng = np.random.default_rng(random_state)
    for rows in row_blocks(n_resamples, max(1, _DRAWS_AT_ONCE // n)):
        b = rows.stop - rows.start
        cells = rng.integers(0, n, (b, n)) + n * np.arange(b)[:, None]
        yield np.bincount(cells.ravel(), minlength=b * n).reshape(b, n).astype(np.float64)


def resample_ratios(
    numerators: Floats, denominators: Floats, *, n_resamples: int = N_RESAMPLES, random_state: RandomState = 0
) -> Floats:
    r"""Bootstrap ratios of sums over units.

    .. math:: \theta^*_{gc} = \sum_i w_i a_{igc} / \sum_i w_i b_{ig}

    where :math:`w_i` is how often unit i was drawn. All ratios share the same draws, so that differences between them
    are paired.

    Parameters
    ----------
    numerators
        What each unit adds to c scores of g groups, (n, g, c): a source word's right answers, for instance.
    denominators
        What each unit adds to the size of the g groups, (n, g).
    n_resamples
        How often to draw.
    random_state
        Seed of the draws.

    Returns
    -------
    ndarray
        (n_resamples, g, c); NaN where a group came out empty.
    """
    n, g, c = numerators.shape
    table = np.concatenate([numerators.reshape(n, g * c), denominators], axis=1)
    sums = np.concatenate([counts @ table for counts in resample_counts(n, n_resamples, random_state)])
    with np.errstate(invalid="ignore"):
        ratios: Floats = sums[:, : g * c].reshape(-1, g, c) / sums[:, g * c :, None]
    return ratios


def sum_by_word(words: list[str], *tables: Floats) -> tuple[Floats, ...]:
    """Sum the rows of tables that belong to the same word, since answers to one word stand or fall together."""
    numbers: dict[str, int] = {}
    owner = [numbers.setdefault(word, len(numbers)) for word in words]
    sums = tuple(np.zeros((len(numbers), *table.shape[1:])) for table in tables)
    for total, table in zip(sums, tables, strict=True):
        np.add.at(total, owner, table)
    return sums


def percentile_interval(samples: Floats) -> tuple[Floats, Floats]:
    """Return the lower and the upper end of the 95 % percentile interval over the first axis, NaN left out."""
    low, high = np.nanquantile(samples, [_TAIL, 1 - _TAIL], axis=0)
    return low, high


def bootstrap_p(differences: Floats) -> float:
    """Return the two-sided probability of a difference of the other sign or none, from resamples (b,).

    One is added to both counts (Davison & Hinkley 1997, section 4.2), so that no finite number of resamples gives 0.
    """
    below, above = int((differences <= 0).sum()), int((differences >= 0).sum())
    return min(1.0, 2 * (1 + min(below, above)) / (1 + len(differences)))


def mcnemar_exact(only_a: int, only_b: int) -> float:
    r"""Return McNemar's exact two-sided p for paired right and wrong answers.

    .. math:: p = \min\bigl(1,\; 2 \sum_{i \le \min(b, c)} \tbinom{b + c}{i} 2^{-(b + c)}\bigr)

    Parameters
    ----------
    only_a, only_b
        Questions that only the one and only the other answers rightly; those on which both agree say nothing.

    References
    ----------
    McNemar (1947); in exact arithmetic, so that it holds for any counts.
    """
    n, fewer = only_a + only_b, min(only_a, only_b)
    term = total = 1
    for i in range(fewer):
        term = term * (n - i) // (i + 1)
        total += term
    return min(1.0, float(2 * total / 2**n))
