r"""How likely two words are the same word in two spellings, by a model learned from a dictionary.

Letters of one script correspond to letters of another, and a dictionary shows which: its names, loanwords and cognates
are spelled alike once the correspondences are known. Which pairs these are is not known either, so both are learned
together, by expectation maximisation of a mixture. With probability :math:`\pi`, a pair is spelled letter by letter,
in which each step writes a letter on either side or on both; otherwise its letters are independent:

.. math:: p(x, y) = \pi \sum_{\text{alignments}} \prod_{(a, b)} p(a, b) + (1 - \pi) \prod_{a \in x} p(a)
    \prod_{b \in y} p(b)

What speaks for a pair is how much more likely the mixture makes it than independence alone:

.. math:: \log\Big(1 - \pi + \pi \sum_{\text{alignments}} \prod_{(a, b)} \frac{p(a, b)}{p(a)\, p(b)}\Big)

References
----------
Ristad, Yianilos (1998) for alignments; Sajjad, Fraser, Schmid (2012) for the mixture.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from isoalign._core.compile import compiled
from isoalign._core.types import DoubleVector, IntVector, Matrix
from isoalign.alignment._spelling import EncodedWords, compare_candidates, word_starts
from isoalign.errors import FormatError

__all__ = ["NO_LETTERS", "LetterModel", "learn_letters"]

_ROUNDS = 12
_DISCOUNT = 0.5  # taken off the expected count of a correspondence, so that chance ones disappear
_LEAST_ODDS = 1e-3  # of a letter without a counterpart
_MOST_ODDS = 1e7
_MOST_SUM = 1e250  # so that products of odds stay finite
_MOST_LETTERS = 2000  # the most frequent ones of each side
_LONGEST = 40  # letters; longer words say nothing here
_SHARES = (0.01, 0.99)  # bounds of the mixture


@dataclass(frozen=True)
class LetterModel:
    """Correspondences of letters.

    Attributes
    ----------
    share
        Share of the dictionary that is spelled letter by letter.
    odds
        How much more often two letters correspond than they would by chance, by pairs of letters; a letter and an
        empty string: a letter without a counterpart.
    """

    share: float
    odds: dict[tuple[str, str], float]

    def reverse(self) -> "LetterModel":
        """Return the model for the other direction."""
        return LetterModel(self.share, {(b, a): value for (a, b), value in self.odds.items()})

    def to_json(self) -> dict[str, Any]:
        """Return the model as JSON values."""
        return {"share": self.share, "odds": [[a, b, value] for (a, b), value in self.odds.items()]}

    @classmethod
    def from_json(cls, stored: Any) -> "LetterModel":
        """Restore a model; raise an error if it is damaged."""
        try:
            share, odds = float(stored["share"]), {(str(a), str(b)): float(value) for a, b, value in stored["odds"]}
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise FormatError("The correspondences of letters are damaged. Align again.") from error
        letters = max((len({pair[side] for pair in odds}) for side in (0, 1)), default=0)
        if not 0 <= share < 1 or letters > _MOST_LETTERS or not all(0 < value <= _MOST_ODDS for value in odds.values()):
            raise FormatError("The correspondences of letters are out of range. Align again.")
        return cls(share, odds)

    def score(self, queries: Sequence[str], targets: Sequence[str], rows: IntVector) -> Matrix:
        """Return the evidence for candidates, (q, k), as a log ratio; arguments as for `edit_similarities`."""
        table = self._table
        encode = (partial(_encode, numbers=table.sources), partial(_encode, numbers=table.targets))
        return compare_candidates(queries, targets, rows, _score_words, table.odds, self.share, encode=encode)

    @cached_property
    def _table(self) -> "_OddsTable":
        letters = [dict.fromkeys(sorted({pair[side] for pair in self.odds} - {""})) for side in (0, 1)]
        table = _OddsTable.empty(*letters)
        for (a, b), value in self.odds.items():
            table.odds[table.sources.get(a, 0), table.targets.get(b, 0)] = value
        return table


NO_LETTERS = LetterModel(0.0, {})
"""Nothing is known about letters."""


class _OddsTable(NamedTuple):
    """Odds by numbers of letters: 0 is no letter, and the last number any other letter, (n, m)."""

    odds: NDArray[np.float64]
    sources: dict[str, int]
    targets: dict[str, int]

    @classmethod
    def empty(cls, sources: Iterable[str], targets: Iterable[str]) -> "_OddsTable":
        numbers = [{letter: 1 + i for i, letter in enumerate(letters)} for letters in (sources, targets)]
        odds = np.zeros([len(side) + 2 for side in numbers])
        odds[0, 1:] = odds[1:, 0] = _LEAST_ODDS
        return cls(odds, numbers[0], numbers[1])


def learn_letters(pairs: Iterable[tuple[str, str]]) -> LetterModel:
    """Learn which letters correspond, from translations; most of them need not be spelled alike.

    Parameters
    ----------
    pairs
        Words and their translations.
    """
    known = [pair for pair in pairs if all(0 < len(word) <= _LONGEST for word in pair)]
    words = [[pair[side] for pair in known] for side in (0, 1)]
    counters = [Counter("".join(side)) for side in words]
    table = _OddsTable.empty(
        *(sorted(one for one, n in counts.most_common(_MOST_LETTERS - 1) if n > 1) for counts in counters)
    )
    own, other = _encode(words[0], table.sources), _encode(words[1], table.targets)
    shape = table.odds.shape
    chance = np.multiply.outer(*(_frequencies(*side) for side in zip((own.letters, other.letters), shape, strict=True)))
    counts, share = np.zeros(shape), 0.5
    _count_neighbors(*own, *other, counts)
    for _ in range(_ROUNDS if known else 0):
        expected = np.maximum(counts - _DISCOUNT, 0.0)
        expected[-1] = expected[:, -1] = 0.0  # other letters correspond to nothing
        np.minimum(expected / max(float(expected.sum()), 1.0) / chance, _MOST_ODDS, out=table.odds)
        np.maximum(table.odds[0, 1:], _LEAST_ODDS, out=table.odds[0, 1:])
        np.maximum(table.odds[1:, 0], _LEAST_ODDS, out=table.odds[1:, 0])
        counts[:] = 0.0
        share = float(np.clip(_count_expected(*own, *other, table.odds, share, counts) / len(known), *_SHARES))
    names = [["", *numbers] for numbers in (table.sources, table.targets)]
    odds = {
        (names[0][a], names[1][b]): float(table.odds[a, b])
        for a, b in np.argwhere(table.odds[:-1, :-1] > 0)
        if table.odds[a, b] != _LEAST_ODDS
    }
    return LetterModel(share, odds)


def _encode(words: Sequence[str], numbers: dict[str, int]) -> EncodedWords:
    other = len(numbers) + 1
    letters = np.array([numbers.get(letter, other) for word in words for letter in word], dtype=np.int64)
    return EncodedWords(letters, word_starts(words))


def _frequencies(letters: IntVector, n: int) -> DoubleVector:
    """Return the share of every letter, and 1 for no letter."""
    counts = np.bincount(letters, minlength=n) + 0.5
    shares: DoubleVector = counts / counts[1:].sum()
    shares[0] = 1.0
    return shares


@compiled()
def _count_neighbors(x: Any, x_starts: Any, y: Any, y_starts: Any, counts: Any) -> None:
    """Count how often letters are in the same pair of words; every alignment is possible at first."""
    for p in range(x_starts.shape[0] - 1):
        n, m = x_starts[p + 1] - x_starts[p], y_starts[p + 1] - y_starts[p]
        for i in range(x_starts[p], x_starts[p + 1]):
            counts[x[i], 0] += m + 1
            for j in range(y_starts[p], y_starts[p + 1]):
                counts[x[i], y[j]] += 1
        for j in range(y_starts[p], y_starts[p + 1]):
            counts[0, y[j]] += n + 1


@compiled()
def _sum_alignments(a: Any, b: Any, odds: Any, sums: Any) -> Any:
    """Fill in the sums over the alignments of all beginnings, and return that of the whole words."""
    for i in range(a.shape[0] + 1):
        for j in range(b.shape[0] + 1):
            total = 1.0 if i + j == 0 else 0.0
            if i > 0:
                total += sums[i - 1, j] * odds[a[i - 1], 0]
            if j > 0:
                total += sums[i, j - 1] * odds[0, b[j - 1]]
            if i > 0 and j > 0:
                total += sums[i - 1, j - 1] * odds[a[i - 1], b[j - 1]]
            sums[i, j] = min(total, _MOST_SUM)
    return sums[a.shape[0], b.shape[0]]


@compiled()
def _count_expected(x: Any, x_starts: Any, y: Any, y_starts: Any, odds: Any, share: float, counts: Any) -> float:
    """Add the expected number of steps with each pair of letters, and return that of words spelled letter by letter."""
    sums = np.empty((_LONGEST + 1, _LONGEST + 1))
    tails = np.empty((_LONGEST + 1, _LONGEST + 1))
    total = 0.0
    for p in range(x_starts.shape[0] - 1):
        a, b = x[x_starts[p] : x_starts[p + 1]], y[y_starts[p] : y_starts[p + 1]]
        whole = _sum_alignments(a, b, odds, sums)
        weight = share * whole / (share * whole + 1.0 - share)
        total += weight
        n, m = a.shape[0], b.shape[0]
        tails[: n + 1, : m + 1] = 0.0
        tails[n, m] = weight / whole
        for i in range(n, -1, -1):
            for j in range(m, -1, -1):
                if i > 0:
                    step = tails[i, j] * odds[a[i - 1], 0]
                    tails[i - 1, j] += step
                    counts[a[i - 1], 0] += sums[i - 1, j] * step
                if j > 0:
                    step = tails[i, j] * odds[0, b[j - 1]]
                    tails[i, j - 1] += step
                    counts[0, b[j - 1]] += sums[i, j - 1] * step
                if i > 0 and j > 0:
                    step = tails[i, j] * odds[a[i - 1], b[j - 1]]
                    tails[i - 1, j - 1] += step
                    counts[a[i - 1], b[j - 1]] += sums[i - 1, j - 1] * step
    return total


@compiled()
def _score_words(
    first: int, x: Any, x_starts: Any, y: Any, y_starts: Any, places: Any, odds: Any, share: float, found: Any
) -> None:
    sums = np.empty((_LONGEST + 1, _LONGEST + 1))
    for i in range(places.shape[0]):
        a = x[x_starts[first + i] : x_starts[first + i + 1]]
        for k in range(places.shape[1]):
            b = y[y_starts[places[i, k]] : y_starts[places[i, k] + 1]]
            ratio = 1.0
            if 0 < a.shape[0] <= _LONGEST and 0 < b.shape[0] <= _LONGEST:
                ratio = _sum_alignments(a, b, odds, sums)
            found[i, k] = np.log(1.0 - share + share * ratio)
