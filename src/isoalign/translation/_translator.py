"""Look up translations of words in an alignment."""

import warnings
from collections.abc import Iterable
from functools import partial
from typing import overload

import numpy as np

from isoalign._core.arrays import unit_rows
from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.types import Key, Matrix, StoredVector
from isoalign._core.validate import check_choice, check_count
from isoalign.alignment import Alignment, Pair
from isoalign.errors import IsoalignWarning, UnknownWordError
from isoalign.neighbors import CSLS, DEFAULT_RETRIEVAL, RERANKED, AbstractRetriever, make_retriever
from isoalign.translation._answers import Translation, TranslationLists, Translations

__all__ = ["Translator", "fit_retriever", "look_up"]


class Translator:
    """Look up translations of words in an alignment.

    Statistics that a retrieval needs of all words are computed at its first use and kept. If the alignment has CSLS
    means (`Alignment.compute_means`), a look-up is one scan of the vectors.

    Parameters
    ----------
    model
        With the vectors of both members.
    source, target
        Members to translate from and to; may be omitted if there are two.
    retrieval
        Name of a retriever: ``"csls"``, ``"nn"``, ….

    Examples
    --------
    >>> Translator(model).translate("girl", k=2)  # doctest: +SKIP
    [Translation(word='少女', score=0.12), Translation(word='女の子', score=0.11)]
    """

    def __init__(
        self,
        model: Alignment,
        *,
        source: str | None = None,
        target: str | None = None,
        retrieval: str = DEFAULT_RETRIEVAL,
    ) -> None:
        self.model = model
        self.pair = model.pair(source, target)
        self.retrieval = retrieval
        self._fitted: dict[tuple[str, bool], AbstractRetriever] = {}

    def __repr__(self) -> str:
        return f"Translator({' → '.join(self.pair.names)}, retrieval={self.retrieval!r})"

    @overload  # a str is also an iterable of str, but means one word
    def translate(  # type: ignore[overload-overlap]
        self, words: Key, *, k: int = 5, retrieval: str | None = None, reverse: bool = False, unknown: str = "error"
    ) -> Translations: ...
    @overload
    def translate(
        self,
        words: Iterable[Key],
        *,
        k: int = 5,
        retrieval: str | None = None,
        reverse: bool = False,
        unknown: str = "error",
    ) -> TranslationLists: ...
    def translate(
        self,
        words: Key | Iterable[Key],
        *,
        k: int = 5,
        retrieval: str | None = None,
        reverse: bool = False,
        unknown: str = "error",
    ) -> Translations | TranslationLists:
        """Return the best translations, best first: one list for a word, a list of lists for several.

        Parameters
        ----------
        words
            A word that is not in the vocabulary is looked up in another case, with a warning; else its vector is
            computed from subwords, if available.
        k
            Number of translations.
        retrieval
            Retrieval to use instead of the translator's.
        reverse
            Translate from the target into the source.
        unknown
            For a word without a vector: ``"error"`` raises an error, ``"skip"`` returns no translations.

        Raises
        ------
        UnknownWordError
            For a word without a vector; the message suggests similar spellings.
        """
        k = check_count(k, name="k")
        check_choice(unknown, ("error", "skip"), name="unknown")
        if isinstance(words, (str, int)):
            return self.translate([words], k=k, retrieval=retrieval, reverse=reverse, unknown=unknown)[0]
        words = list(words)
        pair = self.pair.reverse() if reverse else self.pair
        spelled = [pair.source.raw.find_spelling(word) for word in words]
        _warn_of_case(words, spelled)
        found = TranslationLists(Translations(*both) for both in zip(words, spelled, strict=True))
        known, queries = look_up(pair, spelled, skip=unknown == "skip")
        if known:
            name = retrieval or self.retrieval
            asked = [spelled[place] for place in known]
            retriever = self._retriever(name, reverse)
            rerank = pair.rerank(asked, queries, retriever, partial(self._retriever, name, not reverse))
            depth = k if rerank is None else max(k, RERANKED)
            scores, rows = retriever.kneighbors(queries, depth)
            if rerank is not None:
                scores, rows = rerank(scores, rows)
            keys = pair.target.raw.keys
            for place, best in zip(known, zip(scores.tolist(), rows.tolist(), strict=True), strict=True):
                found[place] += [Translation(keys[row], score) for score, row in zip(*best, strict=True)][:k]
        return found

    def _retriever(self, retrieval: str, reverse: bool) -> AbstractRetriever:
        if (retrieval, reverse) not in self._fitted:
            pair = self.pair.reverse() if reverse else self.pair
            self._fitted[retrieval, reverse] = fit_retriever(pair, retrieval)
        return self._fitted[retrieval, reverse]


def _warn_of_case(words: list[Key], spelled: list[Key]) -> None:
    changed = [(word, other) for word, other in zip(words, spelled, strict=True) if word != other]
    if changed:
        some = ", ".join(f"{other!r} for {word!r}" for word, other in changed[:5])
        more = f" and {len(changed) - 5} more" if len(changed) > 5 else ""
        warnings.warn(f"Looked up in another case: {some}{more}.", IsoalignWarning, stacklevel=3)


def look_up(pair: Pair, words: list[Key], *, skip: bool = False) -> tuple[list[int], Matrix]:
    """Return which source words have vectors, and these as queries, rows of unit length.

    Only words without a row, whose vectors are computed from subwords, are mapped.

    Parameters
    ----------
    pair
        The two members.
    words
        Source words.
    skip
        Whether to skip words without a vector instead of raising an error.
    """
    embeddings = pair.source.raw
    rows = embeddings.find_rows(words)
    made: dict[int, StoredVector] = {}
    for place in np.flatnonzero(rows < 0).tolist():
        try:
            made[place] = embeddings.get_vector(words[place])
        except UnknownWordError:
            if not skip:
                raise
    known = [place for place, row in enumerate(rows.tolist()) if row >= 0 or place in made]
    vectors = pair.queries(rows[known])
    if made:
        mapped = pair.model.apply(np.stack(list(made.values())), pair.source.name, to=pair.target.name)
        vectors[rows[known] < 0] = unit_rows(mapped)
    return known, vectors


def fit_retriever(
    pair: Pair, retrieval: str | AbstractRetriever = DEFAULT_RETRIEVAL, *, progress: Progress = ignore_progress
) -> AbstractRetriever:
    """Fit a retriever, or a copy of the one given, on the spaces of a pair, with its CSLS means if applicable."""
    retriever = make_retriever(retrieval) if isinstance(retrieval, str) else retrieval.unfitted_copy()
    if isinstance(retriever, CSLS) and (means := pair.means(retriever.k)) is not None:
        return retriever.fit(pair.targets, pair.sources, target_means=means, progress=progress)
    return retriever.fit(pair.targets, pair.sources, progress=progress)
