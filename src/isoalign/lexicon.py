"""Word pairs of two languages."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from operator import methodcaller
from os import PathLike
from typing import Any, overload
from unicodedata import normalize

import numpy as np
from numpy.typing import NDArray

from isoalign._core.display import Tabular
from isoalign._core.types import Key, RandomState, RowPairs
from isoalign.errors import InvalidValueError, ParameterError, ShapeError
from isoalign.vectors import Embeddings

__all__ = ["Coverage", "Lexicon"]


@dataclass(frozen=True)
class Coverage:
    """Coverage of a lexicon by two vocabularies.

    Attributes
    ----------
    n_pairs, known_pairs
        Number of all pairs, and of those with both words known.
    n_sources, known_sources
        Number of distinct source words, and of those with at least one known pair.
    """

    n_pairs: int
    known_pairs: int
    n_sources: int
    known_sources: int

    @property
    def pairs(self) -> float:
        """Share of pairs that are known."""
        return self.known_pairs / self.n_pairs if self.n_pairs else 0.0

    @property
    def sources(self) -> float:
        """Share of source words that are known."""
        return self.known_sources / self.n_sources if self.n_sources else 0.0


class Lexicon(Tabular, Sequence[tuple[Key, Key]]):
    """Pairs of a source word and one of its translations, many to many, in the order of the file.

    Parameters
    ----------
    pairs
        (source word, target word), or a mapping from source words to one or several target words; a pair that occurs
        twice is kept twice.
    scores
        One number per pair, as returned by `induce_lexicon`.

    Examples
    --------
    >>> lexicon = Lexicon([("cat", "猫"), ("cat", "ネコ"), ("dog", "犬")])
    >>> lexicon.sources
    ['cat', 'dog']
    >>> lexicon.inverse()[0]
    ('猫', 'cat')
    """

    def __init__(
        self,
        pairs: Iterable[tuple[Key, Key]] | Mapping[Key, Key | Iterable[Key]],
        *,
        scores: Iterable[float] | None = None,
    ) -> None:
        if isinstance(pairs, (str, PathLike)):
            raise ParameterError(f"A lexicon consists of word pairs. Got {pairs!r}. Read a file with read_lexicon.")
        if isinstance(pairs, Mapping):
            pairs = [
                (source, target)
                for source, found in pairs.items()
                for target in ([found] if isinstance(found, (str, int)) else found)
            ]
        self.pairs: list[tuple[Any, Any]] = [(source, target) for source, target in pairs]
        self.scores: list[float] | None = None if scores is None else [float(score) for score in scores]
        if self.scores is not None and len(self.scores) != len(self.pairs):
            raise ShapeError(
                f"Scores and pairs must have the same length. Got {len(self.scores)} and {len(self.pairs)}."
            )

    @property
    def sources(self) -> list[str]:
        """The distinct source words, in order of appearance."""
        return list(dict.fromkeys(source for source, _ in self.pairs))

    @property
    def translations(self) -> dict[str, list[str]]:
        """All translations of every source word."""
        found: dict[str, list[str]] = {}
        for source, target in self.pairs:
            found.setdefault(source, []).append(target)
        return found

    def row_pairs(self, source: Embeddings, target: Embeddings) -> RowPairs:
        """Return the row numbers of the pairs with both words known, (p, 2), in order."""
        rows = self._find(source, target)
        return rows[(rows >= 0).all(axis=1)]

    def require_pairs(self, source: Embeddings, target: Embeddings, *, what: str = "dictionary pair") -> RowPairs:
        """Return `row_pairs`; if there are none, raise an error that suggests how to make some known.

        Parameters
        ----------
        source, target
            Two vocabularies.
        what
            What a pair is called in the error.
        """
        pairs = self.row_pairs(source, target)
        if not len(pairs):
            raise InvalidValueError(
                f"No {what} has both words in the vocabularies ({len(self):,} pairs). "
                + (self.hint(source, target) or "Give a dictionary of these two languages.")
            )
        return pairs

    def known_rows(self, source: Embeddings, target: Embeddings) -> NDArray[np.bool_]:
        """Return which pairs have both words in the vocabularies, (p,)."""
        known: NDArray[np.bool_] = np.all(self._find(source, target) >= 0, axis=1)
        return known

    def _find(self, source: Embeddings, target: Embeddings) -> RowPairs:
        """Return the rows of all pairs, -1 for unknown words."""
        rows = np.empty((len(self.pairs), 2), dtype=np.int64)
        rows[:, 0] = source.find_rows(word for word, _ in self.pairs)
        rows[:, 1] = target.find_rows(word for _, word in self.pairs)
        return rows

    def coverage(self, source: Embeddings, target: Embeddings) -> Coverage:
        """Count how many pairs and source words two vocabularies contain."""
        known = [pair for pair in self.pairs if pair[0] in source and pair[1] in target]
        return Coverage(
            n_pairs=len(self.pairs),
            known_pairs=len(known),
            n_sources=len(self.sources),
            known_sources=len({word for word, _ in known}),
        )

    def hint(self, source: Embeddings, target: Embeddings, *, below: float = 0.5) -> str | None:
        """Suggest how to make more pairs known; None if at least a share ``below`` is known already."""
        found = self.coverage(source, target)
        if not self.pairs or found.pairs >= below:
            return None
        trials = [
            (f"{count:,} more after {change}", count)
            for change, rewrite in (_REWRITES.items() if source.has_words and target.has_words else ())
            if (count := self._known_after(rewrite, source, target) - found.known_pairs) > 0
        ]
        trials.sort(key=lambda trial: -trial[1])
        swapped = self.inverse().coverage(source, target).known_pairs
        if swapped > max(2 * found.known_pairs, *(count for _, count in trials), 0):
            advice = (
                f"the columns seem swapped, since {swapped:,} of {found.n_pairs:,} pairs match the other way round. "
                "Read the dictionary the other way round: with swap=True, or without it if it was given"
            )
        else:
            advice = "; ".join(text for text, _ in trials) or "no simple change of spelling would find more"
        return f"{found.known_pairs:,} of {found.n_pairs:,} dictionary pairs are in the vocabularies: {advice}."

    def _known_after(self, rewrite: Callable[[str], str], source: Embeddings, target: Embeddings) -> int:
        """Count the pairs that would be known if the dictionary and the vocabularies were rewritten."""
        sources, targets = ({*side.index_to_key, *map(rewrite, side.index_to_key)} for side in (source, target))
        return sum(
            (a in sources or rewrite(a) in sources) and (b in targets or rewrite(b) in targets) for a, b in self.pairs
        )

    def split(self, fraction: float, *, random_state: RandomState = 0) -> "tuple[Lexicon, Lexicon]":
        """Split by source word, so that no source word is in both parts.

        Parameters
        ----------
        fraction
            Share of the source words in the second part; each part has at least one word.
        random_state
            Seed of the shuffle.

        Returns
        -------
        kept, held_out
        """
        if not 0 < fraction < 1:
            raise ParameterError(f"fraction must be between 0 and 1. Got {fraction!r}.")
        sources = self.sources
        if len(sources) < 2:
            raise ParameterError(f"A split needs at least 2 source words. Got {len(sources)}.")
        size = min(max(round(fraction * len(sources)), 1), len(sources) - 1)
        chosen = np.random.default_rng(random_state).permutation(len(sources))[:size]
        held_out = {sources[i] for i in chosen}
        return self._where(lambda word: word not in held_out), self._where(lambda word: word in held_out)

    def to_records(self) -> list[dict[str, Any]]:
        """Return one row per pair: source, target and, if available, score."""
        scores = [{}] * len(self) if self.scores is None else [{"score": score} for score in self.scores]
        return [{"source": a, "target": b, **score} for (a, b), score in zip(self.pairs, scores, strict=True)]

    def inverse(self) -> "Lexicon":
        """Return the pairs with source and target exchanged."""
        return Lexicon(((target, source) for source, target in self.pairs), scores=self.scores)

    def _where(self, keep: Callable[[str], bool]) -> "Lexicon":
        rows = [i for i, (source, _) in enumerate(self.pairs) if keep(source)]
        scores = None if self.scores is None else [self.scores[i] for i in rows]
        return Lexicon([self.pairs[i] for i in rows], scores=scores)

    def __len__(self) -> int:
        return len(self.pairs)

    @overload
    def __getitem__(self, index: int) -> tuple[Any, Any]: ...
    @overload
    def __getitem__(self, index: slice) -> "Lexicon": ...
    def __getitem__(self, index: int | slice) -> "tuple[Any, Any] | Lexicon":
        if isinstance(index, slice):
            return Lexicon(self.pairs[index], scores=None if self.scores is None else self.scores[index])
        return self.pairs[index]

    def __iter__(self) -> Iterator[tuple[Any, Any]]:
        return iter(self.pairs)

    def __eq__(self, other: Any) -> bool:
        if not isinstance(other, Lexicon):
            return NotImplemented
        return self.pairs == other.pairs and self.scores == other.scores

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Lexicon({len(self)} pairs, {len(self.sources)} source words)"


_REWRITES: dict[str, Callable[[str], str]] = {
    "Unicode normalisation (unicode='NFC')": partial(normalize, "NFC"),
    "lower-casing (lower=True)": str.lower,
    "writing '_' for spaces": methodcaller("replace", " ", "_"),
}
