"""Neighbours of a word among the words of its own language."""

from collections.abc import Iterable
from typing import overload

import numpy as np

from isoalign._core.arrays import unit_rows
from isoalign._core.types import Key
from isoalign._core.validate import check_count
from isoalign.io import EmbeddingsLike, given_embeddings
from isoalign.neighbors import top_k
from isoalign.translation._answers import Translation, TranslationLists, Translations
from isoalign.vectors import Embeddings

__all__ = ["most_similar"]


@overload
def most_similar(  # type: ignore[overload-overlap]
    embeddings: EmbeddingsLike, words: Key, *, k: int = 10
) -> Translations: ...
@overload
def most_similar(embeddings: EmbeddingsLike, words: Iterable[Key], *, k: int = 10) -> TranslationLists: ...
def most_similar(
    embeddings: EmbeddingsLike, words: Key | Iterable[Key], *, k: int = 10
) -> Translations | TranslationLists:
    """Return the nearest neighbours of words in their own language by cosine, without the word itself.

    Parameters
    ----------
    embeddings
        `Embeddings`, or any object with ``vectors`` and ``index_to_key``.
    words
        One word, or several.
    k
        Number of neighbours.
    """
    embeddings = given_embeddings(embeddings, name="embeddings")
    if isinstance(words, (str, int)):
        return _find_neighbors(embeddings, [words], k)[0]
    return _find_neighbors(embeddings, list(words), k)


def _find_neighbors(embeddings: Embeddings, words: list[Key], k: int) -> TranslationLists:
    k = check_count(k, name="k")
    if not words:
        return TranslationLists()
    space = unit_rows(embeddings.vectors)
    queries = unit_rows(np.stack([embeddings.get_vector(word) for word in words]))
    scores, rows = top_k(queries, space, k + 1)
    found = TranslationLists()
    for word, row_scores, row_numbers in zip(words, scores.tolist(), rows.tolist(), strict=True):
        near = [Translation(embeddings.keys[row], score) for score, row in zip(row_scores, row_numbers, strict=True)]
        found.append(Translations(word, word, [neighbor for neighbor in near if neighbor.word != word][:k]))
    return found
