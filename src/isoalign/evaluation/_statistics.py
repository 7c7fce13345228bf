"""Bootstrap over units, percentile intervals and McNemar's test."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from isoalign._core.arrays import row_blocks
from isoalign._core.compile import compiled
from isoalign._core.types import IntVector, RandomState

__all__ = [
    "N_RESAMPLES",
    "bootstrap_p",
    "mcnemar_exact",
    "percentile_interval",
    "resample_counts",
    "resample_mean",
    "resample_ratios",
    "sum_by_word",
]

N_RESAMPLES = 10_000

_TAIL = 0.025  # outside each end of an interval
_DRAWS_AT_ONCE = 2**16  # they stay in the cache

Floats = NDArray[np.float64]


def resample_counts(
    n: int, n_resamples: int, random_state: RandomState, *, kinds: IntVector | None = None
) -> Iterator[Floats]:
    """Draw n of n units with replacement and yield how often each was drawn, in blocks (b, n).

    With the ``kinds`` of the units, (n,) from 0 on, count how often each kind was drawn: the same draws, (b, kinds).
    """
    rng = np.random.default_rng(random_state)
    width = n if kinds is None else int(kinds.max()) + 1
    numbers = np.arange(n) if kinds is None else kinds
    for rows in row_blocks(n_resamples, max(1, _DRAWS_AT_ONCE // n)):
        counts = np.zeros((rows.stop - rows.start, width))
        _count_kinds(rng.integers(0, n, (len(counts), n)), numbers, counts)
        yield counts


@compiled()
def _count_kinds(draws: IntVector, kinds: IntVector, counts: Floats) -> None:
    """Add to every row of counts (b, kinds) how often each kind of unit occurs in the same row of draws (b, n)."""
    for i in range(draws.shape[0]):
        for j in range(draws.shape[1]):
            counts[i, kinds[draws[i, j]]] += 1.0


def resample_ratios(
    numerators: Floats, denominators: Floats, *, n_resamples: int = N_RESAMPLES, random_state: RandomState = 0
) -> Floats:
    r"""Bootstrap ratios of sums over units.

    .. math:: \theta^*_{gc} = \sum_i w_i a_{igc} / \sum_i w_i b_{ig}

    where :math:`w_i` is the number of times that unit i was drawn. All ratios share the same draws. Units with equal
    contributions are counted together, which takes less time.

    Parameters
    ----------
    numerators
        Contribution of each unit to c scores of g groups, (n, g, c), such as the correct answers of a source word.
    denominators
        Contribution of each unit to the size of the g groups, (n, g).
    n_resamples
        Number of resamples.
    random_state
        Seed of the draws.

    Returns
    -------
    ndarray
        (n_resamples, g, c); NaN where a resample has no unit of the group.
    """
    n, g, c = numerators.shape
    table = np.concatenate([numerators.reshape(n, g * c), denominators], axis=1)
    rows, kinds = np.unique(table, axis=0, return_inverse=True)
    draws = resample_counts(n, n_resamples, random_state, kinds=kinds.ravel())
    sums = np.concatenate([counts @ rows for counts in draws])
    with np.errstate(invalid="ignore"):
        ratios: Floats = sums[:, : g * c].reshape(-1, g, c) / sums[:, g * c :, None]
    return ratios


def resample_mean(
    totals: Floats, sizes: Floats, *, n_resamples: int = N_RESAMPLES, random_state: RandomState = 0
) -> Floats:
    r"""Bootstrap a mean over units of different sizes.

    .. math:: \theta^* = \sum_i w_i t_i / \sum_i w_i s_i

    Units with equal contributions are exchangeable, so the number of draws of each kind of unit follows a multinomial
    distribution. Few kinds occur in practice, and drawing them is much cheaper than drawing units.

    Parameters
    ----------
    totals, sizes
        Contribution of each unit to the numerator and to the denominator, (n,) each.
    n_resamples
        Number of resamples.
    random_state
        Seed of the draws.

    Returns
    -------
    ndarray
        (n_resamples,).
    """
    kinds, counts = np.unique(np.column_stack([totals, sizes]), axis=0, return_counts=True)
    # Ordered by frequency, the draws do not depend on the sign of the totals.
    order = np.argsort(-counts, kind="stable")
    rng = np.random.default_rng(random_state)
    draws = rng.multinomial(len(totals), counts[order] / len(totals), size=n_resamples)
    sums: Floats = draws @ kinds[order]
    return sums[:, 0] / sums[:, 1]


def sum_by_word(words: Sequence[str], *tables: Floats) -> tuple[Floats, ...]:
    """Sum the rows of tables that belong to the same word, since the answers for one word are not independent."""
    numbers: dict[str, int] = {}
    owner = [numbers.setdefault(word, len(numbers)) for word in words]
    sums = tuple(np.zeros((len(numbers), *table.shape[1:])) for table in tables)
    for total, table in zip(sums, tables, strict=True):
        np.add.at(total, owner, table)
    return sums


def percentile_interval(samples: Floats) -> tuple[Floats, Floats]:
    """Return the lower and the upper end of the 95 % percentile interval over the first axis, ignoring NaN."""
    low, high = np.nanquantile(samples, [_TAIL, 1 - _TAIL], axis=0)
    return low, high


def bootstrap_p(differences: Floats) -> float:
    """Return the two-sided bootstrap p-value of a difference, from resamples (b,).

    One is added to both counts (Davison & Hinkley 1997, section 4.2), so the p-value is never 0.
    """
    below, above = int((differences <= 0).sum()), int((differences >= 0).sum())
    return min(1.0, 2 * (1 + min(below, above)) / (1 + len(differences)))


def mcnemar_exact(only_a: int, only_b: int) -> float:
    r"""Return the p-value of McNemar's exact two-sided test.

    .. math:: p = \min\bigl(1,\; 2 \sum_{i \le \min(b, c)} \tbinom{b + c}{i} 2^{-(b + c)}\bigr)

    Parameters
    ----------
    only_a, only_b
        Number of questions that only one of the systems answers correctly.

    References
    ----------
    McNemar (1947), computed in exact arithmetic, so any counts are allowed.
    """
    n, fewer = only_a + only_b, min(only_a, only_b)
    term = total = 1
    for i in range(fewer):
        term = term * (n - i) // (i + 1)
        total += term
    return min(1.0, float(2 * total / 2**n))
