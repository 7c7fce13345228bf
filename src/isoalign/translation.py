"""Words in, words out: translate, list neighbours, induce a dictionary."""

from collections.abc import Iterable
from typing import Any, NamedTuple, overload

import numpy as np

from isoalign._arrays import unit_rows
from isoalign._progress import Progress, ignore_progress
from isoalign._types import FloatVector, IntVector, Matrix
from isoalign._validate import check_choice, check_count
from isoalign.alignment import Alignment
from isoalign.errors import UnknownWordError
from isoalign.lexicon import Lexicon
from isoalign.neighbors import CSLS, AbstractRetriever, csls_best, make_retriever, top_k
from isoalign.vectors import Embeddings, as_embeddings

__all__ = ["Translation", "Translator", "fit_retriever", "induce_lexicon", "most_similar"]


class Translation(NamedTuple):
    """A word and how well it fits."""

    word: str
    score: float


class Translator:
    """Look up translations of words in an alignment.

    What a retrieval needs to know of all words is computed at its first use and kept. With CSLS means stored in the
    alignment (`Alignment.compute_means`) a look-up is one scan of the vectors.

    Parameters
    ----------
    model
        With the vectors of both sides.
    retrieval
        ``"csls"``, ``"nn"``, ``"isf"`` or ``"invnn"``.

    Examples
    --------
    >>> Translator(model).translate("girl", k=2)  # doctest: +SKIP
    [Translation(word='少女', score=0.12), Translation(word='女の子', score=0.11)]
    """

    def __init__(self, model: Alignment, *, retrieval: str = "csls") -> None:
        self.model = model
        self.retrieval = retrieval
        self._fitted: dict[tuple[str, bool], AbstractRetriever] = {}

    @overload  # a str is also an iterable of str; it means one word
    def translate(  # type: ignore[overload-overlap]
        self, words: str, *, k: int = 5, retrieval: str | None = None, reverse: bool = False, unknown: str = "error"
    ) -> list[Translation]: ...
    @overload
    def translate(
        self,
        words: Iterable[str],
        *,
        k: int = 5,
        retrieval: str | None = None,
        reverse: bool = False,
        unknown: str = "error",
    ) -> list[list[Translation]]: ...
    def translate(
        self,
        words: str | Iterable[str],
        *,
        k: int = 5,
        retrieval: str | None = None,
        reverse: bool = False,
        unknown: str = "error",
    ) -> list[Translation] | list[list[Translation]]:
        """Return the best translations, best first: one list for a word, a list of lists for several.

        Parameters
        ----------
        words
            A word without a vector gets one from its subwords where the file has them.
        k
            How many translations.
        retrieval
            Another than the translator's own.
        reverse
            From the target language into the source language.
        unknown
            For a word without a vector: ``"error"`` refuses it, ``"skip"`` gives it no translations.

        Raises
        ------
        UnknownWordError
            With close spellings, for a word that has no vector and no subwords.
        """
        k = check_count(k, name="k")
        check_choice(unknown, ("error", "skip"), name="unknown")
        if isinstance(words, str):
            return self.translate([words], k=k, retrieval=retrieval, reverse=reverse, unknown=unknown)[0]
        words = list(words)
        side, other = ("target", "source") if reverse else ("source", "target")
        found: list[list[Translation]] = [[] for _ in words]
        known, queries = self._vectors(words, side, skip=unknown == "skip")
        if known:
            scores, rows = self._retriever(retrieval or self.retrieval, reverse).kneighbors(queries, k)
            vocabulary = self.model.embeddings(other).vocabulary
            for place, best in zip(known, zip(scores.tolist(), rows.tolist(), strict=True), strict=True):
                found[place] = [Translation(vocabulary[row], score) for score, row in zip(*best, strict=True)]
        return found

    def _vectors(self, words: list[str], side: str, *, skip: bool) -> tuple[list[int], Matrix]:
        """Return which words have vectors, and these in the shared space; only words without a row are mapped."""
        embeddings = self.model.embeddings(side)
        rows = embeddings.find_rows(words)
        made: dict[int, FloatVector] = {}
        for place in np.flatnonzero(rows < 0).tolist():
            try:
                made[place] = embeddings.get_vector(words[place])
            except UnknownWordError:
                if not skip:
                    raise
        known = [place for place, row in enumerate(rows.tolist()) if row >= 0 or place in made]
        vectors = self.model.space(side)[rows[known]]
        if made:
            mapped = self.model.apply(np.stack(list(made.values())), side=side)
            vectors[rows[known] < 0] = unit_rows(mapped)
        return known, vectors

    def _retriever(self, retrieval: str, reverse: bool) -> AbstractRetriever:
        if (retrieval, reverse) not in self._fitted:
            model = self.model.reverse() if reverse else self.model
            self._fitted[retrieval, reverse] = fit_retriever(model, retrieval)
        return self._fitted[retrieval, reverse]


def fit_retriever(
    model: Alignment, retrieval: str | AbstractRetriever = "csls", *, progress: Progress = ignore_progress
) -> AbstractRetriever:
    """Fit a retriever, or a copy of the one given, on an alignment's spaces, with its CSLS means where they serve."""
    retriever = make_retriever(retrieval) if isinstance(retrieval, str) else retrieval.unfitted_copy()
    X, Y = model.space("source"), model.space("target")
    if isinstance(retriever, CSLS) and model.means is not None and model.means.k == retriever.k:
        return retriever.fit(Y, X, target_means=model.means.target, progress=progress)
    return retriever.fit(Y, X, progress=progress)


def induce_lexicon(
    model: Alignment,
    *,
    mutual: bool = True,
    threshold: float | None = None,
    top: int | None = None,
    max_rank: int | None = None,
    k: int = 10,
    progress: Progress = ignore_progress,
) -> Lexicon:
    """Induce a dictionary: every word with its best translation by CSLS, scores included.

    Parameters
    ----------
    model
        With the vectors of both sides.
    mutual
        Keep only pairs in which each word is the other's best; False keeps the best of every source word.
    threshold
        Least CSLS score.
    top
        Keep only so many pairs, the best.
    max_rank
        Only the first so many words of each side choose and are chosen.
    k
        Neighbours in a CSLS mean.
    progress
        Hears how far the search has come.

    Returns
    -------
    Lexicon
        In the order of the source words; with ``top``, best first.
    """
    if max_rank is not None:
        check_count(max_rank, name="max_rank")
    S, T = model.space("source")[:max_rank], model.space("target")[:max_rank]
    best = csls_best(S, T, 1, k=k, progress=progress)
    rows: IntVector = np.arange(len(S))
    chosen, scores = best.forward.rows[:, 0], best.forward.scores[:, 0]
    keep = np.ones(len(S), dtype=bool)
    if mutual:
        keep &= best.backward.rows[chosen, 0] == rows
    if threshold is not None:
        keep &= scores >= threshold
    order = rows[keep]
    if top is not None:
        order = order[np.argsort(-scores[order], kind="stable")][: check_count(top, name="top")]
    source, target = model.embeddings("source").vocabulary, model.embeddings("target").vocabulary
    return Lexicon([(source[i], target[chosen[i]]) for i in order.tolist()], scores=scores[order].tolist())


@overload
def most_similar(embeddings: Any, words: str, *, k: int = 10) -> list[Translation]: ...
@overload
def most_similar(embeddings: Any, words: Iterable[str], *, k: int = 10) -> list[list[Translation]]: ...
def most_similar(
    embeddings: Any, words: str | Iterable[str], *, k: int = 10
) -> list[Translation] | list[list[Translation]]:
    """Return the nearest neighbours of words in their own language by cosine, the word itself left out.

    Parameters
    ----------
    embeddings
        `Embeddings`, or any object with ``vectors`` and ``index_to_key``.
    words
        One word, or several.
    k
        How many neighbours.
    """
    embeddings = as_embeddings(embeddings, name="embeddings")
    if isinstance(words, str):
        return _neighbours(embeddings, [words], k)[0]
    return _neighbours(embeddings, list(words), k)


def _neighbours(embeddings: Embeddings, words: list[str], k: int) -> list[list[Translation]]:
    k = check_count(k, name="k")
    if not words:
        return []
    space = unit_rows(embeddings.vectors)
    queries = unit_rows(np.stack([embeddings.get_vector(word) for word in words]))
    scores, rows = top_k(queries, space, k + 1)
    found = []
    for word, row_scores, row_numbers in zip(words, scores.tolist(), rows.tolist(), strict=True):
        near = [
            Translation(embeddings.vocabulary[row], score) for score, row in zip(row_scores, row_numbers, strict=True)
        ]
        found.append([neighbour for neighbour in near if neighbour.word != word][:k])
    return found
