"""Induce a dictionary from an alignment."""

from typing import Any, ClassVar, NamedTuple

import numpy as np

from isoalign._core.display import Tabular
from isoalign._core.progress import Progress, ProgressLike, as_progress, ignore_progress
from isoalign._core.types import FloatVector, IntVector
from isoalign._core.validate import check_count
from isoalign.alignment import Alignment, Induced, Pair, induce_pairs
from isoalign.lexicon import Lexicon
from isoalign.neighbors import CSLS

__all__ = ["DictionaryEntry", "InducedDictionary", "induce_dictionary", "induce_lexicon"]

_SHOWN = 5  # entries in a representation


class DictionaryEntry(NamedTuple):
    """A source word and one of its translations.

    Attributes
    ----------
    source, target
        The two words.
    score
        CSLS.
    rank
        1 for the best translation of the source word, 2 for the next best, ….
    mutual
        Whether each word is the other's best.
    cosine
        Cosine of the two words in the shared space.
    """

    source: Any
    target: Any
    score: float
    rank: int
    mutual: bool
    cosine: float


class InducedDictionary(Tabular, list[DictionaryEntry]):
    """Entries of an induced dictionary; the translations of a word are consecutive, best first."""

    columns: ClassVar = DictionaryEntry._fields

    def to_lexicon(self) -> Lexicon:
        """Return the pairs with their CSLS scores."""
        return Lexicon([(entry.source, entry.target) for entry in self], scores=[entry.score for entry in self])

    def to_rows(self) -> list[list[str]]:
        """Return the names of the columns, and one row of text per entry."""
        return [
            list(DictionaryEntry._fields),
            *(
                [str(a), str(b), f"{score:.6g}", str(rank), "yes" if mutual else "no", f"{cosine:.6g}"]
                for a, b, score, rank, mutual, cosine in self
            ),
        ]

    def to_records(self) -> list[dict[str, Any]]:
        """Return one row per entry, by column."""
        return [entry._asdict() for entry in self]

    def __repr__(self) -> str:
        first = ", ".join(f"{entry.source} – {entry.target}" for entry in self[:_SHOWN])
        more = ", …" if len(self) > _SHOWN else ""
        return f"InducedDictionary({len(self):,} entries: {first}{more})"


def induce_dictionary(
    model: Alignment,
    *,
    source: str | None = None,
    target: str | None = None,
    best: int = 1,
    mutual: bool = True,
    min_score: float | None = None,
    min_margin: float = 0.0,
    top: int | None = None,
    max_rank: int | None = None,
    k: int = 10,
    progress: ProgressLike = ignore_progress,
) -> InducedDictionary:
    """Induce a dictionary: every word with its best translations by CSLS.

    Parameters
    ----------
    model
        With the vectors of both members.
    source, target
        Members; may be omitted if there are two.
    best
        Number of translations of each word.
    mutual
        Whether to keep only source words that are the best translation of their best translation.
    min_score, min_margin
        Minimum CSLS score of the best translation, and its minimum margin over the second best.
    top
        Keep only this many source words, those whose best translations have the highest scores.
    max_rank
        Restrict to the `max_rank` most frequent words on each side. Neighbourhoods, and translations beyond
        the best, use all words.
    k
        Neighbours in a CSLS mean.
    progress
        Progress callback; True draws a bar.

    Returns
    -------
    InducedDictionary
        In the order of the source words; with ``top``, best first.
    """
    progress = as_progress(progress)
    pair = model.pair(source, target)
    best, top = check_count(best, name="best"), None if top is None else check_count(top, name="top")
    found = induce_pairs(
        pair.csls_spaces(k),
        direction="mutual" if mutual else "forward",
        max_rank=None if max_rank is None else check_count(max_rank, name="max_rank"),
        min_score=min_score,
        min_margin=min_margin,
        k=k,
        progress=progress,
    )
    order = np.argsort(found.pairs[:, 0], kind="stable")
    if top is not None:
        order = order[np.argsort(-found.scores[order], kind="stable")][:top]
    sources, targets = pair.source.raw.keys, pair.target.raw.keys
    X, Y = pair.sources, pair.targets
    scores, rows = _rank(pair, found, order, best, k, progress)
    entries = InducedDictionary()
    for place, row_scores, row_targets in zip(order.tolist(), scores, rows, strict=True):
        own = int(found.pairs[place, 0])
        cosines = Y[row_targets] @ X[own]
        columns = zip(row_targets.tolist(), row_scores.tolist(), cosines.tolist(), strict=True)
        for rank, (other, score, cosine) in enumerate(columns, 1):
            agreed = rank == 1 and bool(found.mutual[place])
            entries.append(DictionaryEntry(sources[own], targets[other], score, rank, agreed, cosine))
    return entries


def _rank(
    pair: Pair, found: Induced, order: IntVector, best: int, k: int, progress: Progress
) -> tuple[FloatVector, IntVector]:
    """Return scores and rows of the best translations of the chosen sources, (n, best) each."""
    if best == 1 or not len(order):
        return found.scores[order, None], found.pairs[order, 1:]
    retriever = CSLS(k).fit(pair.targets, pair.sources, target_means=found.target_means)
    return retriever.kneighbors(pair.sources[found.pairs[order, 0]], best, progress=progress)


def induce_lexicon(model: Alignment, **options: Any) -> Lexicon:
    """Induce a dictionary as word pairs with CSLS scores.

    Parameters
    ----------
    model
        With the vectors of both members.
    options
        As in `induce_dictionary`; by default, pairs of words that are each other's best translation.
    """
    return induce_dictionary(model, **options).to_lexicon()
