"""Induced dictionaries: computed once, then filtered, sorted and handed out."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import NamedTuple

from isoalign.lexicon import Lexicon
from isoalign.translation import induce_lexicon
from isoalign.web._completion import fold
from isoalign.web._models import Model

__all__ = ["ORDERS", "DictionaryStore", "Entry", "Filter", "format_tsv"]

ORDERS = ("score", "source", "target", "frequency")


class Entry(NamedTuple):
    """One pair; ``place`` counts source words from the most frequent."""

    source: str
    target: str
    score: float
    place: int


@dataclass(frozen=True)
class Filter:
    """Which pairs, and in which order.

    Attributes
    ----------
    contains
        Text within the source or the target word, in any case.
    min_score
        Least CSLS score.
    sort
        ``"score"`` (best first), ``"source"``, ``"target"`` (both by code point) or ``"frequency"``.
    descending
        The other way round.
    """

    contains: str = ""
    min_score: float | None = None
    sort: str = "score"
    descending: bool = False

    def apply(self, entries: list[Entry]) -> list[Entry]:
        """Return the pairs that pass, in order."""
        text, least = fold(self.contains), self.min_score
        chosen = [
            entry
            for entry in entries
            if (least is None or entry.score >= least)
            and (not text or text in fold(entry.source) or text in fold(entry.target))
        ]
        keys = {
            "score": lambda entry: -entry.score,
            "source": lambda entry: entry.source,
            "target": lambda entry: entry.target,
            "frequency": lambda entry: entry.place,
        }
        return sorted(chosen, key=keys[self.sort], reverse=self.descending)


class DictionaryStore:
    """Induce a model's dictionary at the first request for it, on a thread that keeps nobody else waiting.

    Parameters
    ----------
    max_rank
        Only the first so many words of each side choose and are chosen: the time grows with its square.
    """

    def __init__(self, max_rank: int) -> None:
        self.max_rank = max_rank
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="isoalign-induce")
        self._kept: dict[tuple[str, bool], list[Entry]] = {}

    @property
    def thread(self) -> ThreadPoolExecutor:
        """Where `get` is to be called, so that two requests do not induce the same dictionary."""
        return self._thread

    def get(self, model: Model, mutual: bool) -> list[Entry]:
        """Return all pairs in the order of the source words."""
        key = (model.name, mutual)
        if key not in self._kept:
            found = induce_lexicon(model.alignment, mutual=mutual, max_rank=self.max_rank)
            self._kept[key] = _as_entries(found, model)
        return self._kept[key]


def _as_entries(lexicon: Lexicon, model: Model) -> list[Entry]:
    rows = model.alignment.embeddings("source").key_to_index
    scores = lexicon.scores or []
    return [
        Entry(source, target, round(score, 6), rows[source])
        for (source, target), score in zip(lexicon, scores, strict=True)
    ]


def format_tsv(entries: list[Entry]) -> bytes:
    """Return source word, target word and score by tabs; a pair that a line cannot hold is left out."""
    lines = (f"{entry.source}\t{entry.target}\t{entry.score:.6g}" for entry in entries)
    return "".join(f"{line}\n" for line in lines if line.count("\t") == 2 and "\n" not in line).encode()
