r"""The null: how far unchanged words move.

Even two samples of the same text give every word two different vectors, and those of rare words differ more. A distance
is therefore meaningful only in comparison with words of similar frequency. Most of these did not change, and the right
side of their bulk, from the median to the 84th percentile, shows the range of noise. Words that did change can only
widen that side, so many of them make the test more conservative.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from isoalign._core.types import DoubleVector, IntVector
from isoalign.errors import InvalidValueError

__all__ = ["DistanceSample", "benjamini_hochberg", "fisher_transform", "p_values", "standardize"]

WINDOW = 500
"""Number of words of similar frequency that a word is compared with."""

_STEP = 25  # words between two windows
_ONE_SIGMA = float(ndtr(1.0))
_LARGEST = 1 - 1e-12  # larger cosines have no finite transform


class DistanceSample(NamedTuple):
    """Distances of words, and their rarity.

    Attributes
    ----------
    distances
        (n,), from 0 to 2.
    rarity
        (n,): sum of both frequency ranks. Word frequencies decrease roughly as 1/rank, and the noise of a vector
        increases as 1/frequency, so the noise of a distance increases with this sum.
    """

    distances: DoubleVector
    rarity: IntVector


def fisher_transform(distances: DoubleVector) -> DoubleVector:
    r"""Return distances on a scale on which noise is approximately normal with constant variance.

    .. math:: f(d) = -\mathrm{artanh}(1 - d) = \tfrac{1}{2} \log \frac{d}{2 - d}

    References
    ----------
    Fisher (1915), for correlations, which cosines of centred vectors are.
    """
    return -np.arctanh(np.clip(1 - distances, -_LARGEST, _LARGEST))


def standardize(sample: DistanceSample, null: DistanceSample | None = None) -> DoubleVector:
    r"""Return how far every word moved compared with words of similar frequency, in units of their spread.

    .. math:: z_i = \frac{f(d_i) - m_i}{s_i - m_i}

    where m and s are the median and the 84th percentile of f among the `WINDOW` words of the null that are closest in
    rarity.

    Parameters
    ----------
    sample
        The words.
    null
        Distances of words that did not change, such as those between two halves of one corpus. None: the sample
        itself, most of which is assumed to be unchanged.
    """
    null = sample if null is None else null
    order = np.argsort(null.rarity, kind="stable")
    values, rarity = fisher_transform(null.distances)[order], null.rarity[order]
    width = min(WINDOW, len(values))
    starts = np.unique(np.append(np.arange(0, len(values) - width, _STEP), len(values) - width))
    windows = np.lib.stride_tricks.sliding_window_view(values, width)[starts]
    middle, upper = np.quantile(windows, [0.5, _ONE_SIGMA], axis=1)
    centers = starts + width / 2
    places = np.searchsorted(rarity, sample.rarity, side="left") + 0.5
    median, sigma = (np.interp(places, centers, level) for level in (middle, upper - middle))
    if not (sigma > 0).all():
        raise InvalidValueError(
            "Words of similar frequency must have moved by different distances. Many have equal ones. Are both files "
            "copies of the same file?"
        )
    z: DoubleVector = (fisher_transform(sample.distances) - median) / sigma
    return z


def p_values(z: DoubleVector) -> DoubleVector:
    """Return the share of unchanged words at or beyond z, by the normal distribution."""
    p: DoubleVector = ndtr(-z)
    return p


def benjamini_hochberg(p: NDArray[np.float64]) -> DoubleVector:
    r"""Return the false-discovery rate of every test.

    .. math:: q_{(i)} = \min_{j \ge i} \frac{m\, p_{(j)}}{j}

    References
    ----------
    Benjamini & Hochberg (1995), as adjusted p-values.

    Examples
    --------
    >>> benjamini_hochberg(np.array([0.01, 0.5, 0.03])).round(3).tolist()
    [0.03, 0.5, 0.045]
    """
    order = np.argsort(p, kind="stable")
    scaled = p[order] * len(p) / np.arange(1, len(p) + 1)
    q = np.empty(len(p))
    q[order] = np.minimum.accumulate(scaled[::-1])[::-1]
    return np.minimum(q, 1)
