"""Induced dictionaries: computed once, then filtered and sorted for each request."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import NamedTuple

from isoalign.lexicon import Lexicon
from isoalign.translation import induce_lexicon
from isoalign.web._completion import fold
from isoalign.web._models import Direction
from isoalign.web._parameters import RequestError

__all__ = ["ORDERS", "DictionaryPair", "DictionaryStore", "Filter", "format_tsv"]

ORDERS = ("score", "word", "translation", "frequency")


class DictionaryPair(NamedTuple):
    """One pair; ``row`` is that of the word, most frequent first."""

    word: str
    translation: str
    score: float
    row: int


@dataclass(frozen=True)
class Filter:
    """Filter and order of pairs.

    Attributes
    ----------
    contains
        Text within either word, in any case.
    min_score
        Least CSLS score.
    sort
        ``"score"`` (best first), ``"word"``, ``"translation"`` (both by code point) or ``"frequency"``.
    descending
        Reverse the order.
    """

    contains: str = ""
    min_score: float | None = None
    sort: str = "score"
    descending: bool = False

    def apply(self, entries: list[DictionaryPair]) -> list[DictionaryPair]:
        """Return the pairs that pass, in order."""
        text, least = fold(self.contains), self.min_score
        chosen = [
            entry
            for entry in entries
            if (least is None or entry.score >= least)
            and (not text or text in fold(entry.word) or text in fold(entry.translation))
        ]
        keys = {
            "score": lambda entry: -entry.score,
            "word": lambda entry: entry.word,
            "translation": lambda entry: entry.translation,
            "frequency": lambda entry: entry.row,
        }
        return sorted(chosen, key=keys[self.sort], reverse=self.descending)


class DictionaryStore:
    """Induce the dictionary of a direction at the first request for it.

    Parameters
    ----------
    max_rank
        Restrict to the `max_rank` most frequent words of each member: the time grows with its square.
    """

    def __init__(self, max_rank: int) -> None:
        self.max_rank = max_rank
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="isoalign-induce")
        self._kept: dict[tuple[Direction, bool], list[DictionaryPair]] = {}

    @property
    def thread(self) -> ThreadPoolExecutor:
        """Thread for slow work, mainly `get`, so that nothing is computed twice and look-ups are not delayed."""
        return self._thread

    def get(self, direction: Direction, mutual: bool) -> list[DictionaryPair]:
        """Return all pairs in the order of the words."""
        key = (direction, mutual)
        if key not in self._kept:
            if direction.is_large and not direction.has_means:
                raise RequestError(
                    501,
                    "A dictionary needs the CSLS means of all words, and computing them here would take too long. "
                    "isoalign align --precompute keeps them.",
                )
            direction.prepare()
            found = induce_lexicon(
                direction.model.alignment,
                source=direction.member,
                target=direction.to,
                mutual=mutual,
                max_rank=self.max_rank,
            )
            self._kept[key] = _as_entries(found, direction)
        return self._kept[key]


def _as_entries(lexicon: Lexicon, direction: Direction) -> list[DictionaryPair]:
    rows = direction.model.members[direction.member].vocabulary.rows
    words = [(str(word), str(translation)) for word, translation in lexicon]
    return [
        DictionaryPair(word, translation, round(score, 6), rows[word])
        for (word, translation), score in zip(words, lexicon.scores or [], strict=True)
    ]


def format_tsv(entries: list[DictionaryPair]) -> bytes:
    """Return word, translation and score separated by tabs; pairs with a tab or a line break are skipped."""
    lines = (f"{entry.word}\t{entry.translation}\t{entry.score:.6g}" for entry in entries)
    return "".join(f"{line}\n" for line in lines if line.count("\t") == 2 and "\n" not in line).encode()
