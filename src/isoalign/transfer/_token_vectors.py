r"""Static vectors for the tokens of a tokenizer, from subwords or from the words that they occur in.

.. math:: v_t = \frac{\sum_w n_{tw} f_w x_w}{\sum_w n_{tw} f_w}

Token t occurs in n of the tokenisations of word w, with and without a space before it, and capitalised if all words
are in lower case; f is the frequency of the word, or 1/rank if only the order is known.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from isoalign._core.arrays import row_blocks, unit_rows
from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.types import DoubleVector, IntVector, Matrix, MatrixLike
from isoalign.errors import InvalidValueError
from isoalign.transfer._tokens import Tokens
from isoalign.vectors import Embeddings

__all__ = ["TokenVectors", "bring_together", "vectors_from_subwords", "vectors_from_words", "word_frequencies"]

_BATCH_WORDS = 50_000  # tokenised at once
_FORMS: tuple[Callable[[str], str], ...] = (
    str,
    " {}".format,
    str.capitalize,
    lambda word: f" {word.capitalize()}",
)
_COLUMNS = 32  # columns of the product summed in float64 at a time


@dataclass(frozen=True)
class TokenVectors:
    """Vectors of tokens in the shared space.

    Attributes
    ----------
    vectors
        (tokens, dim), unit rows; zeros for tokens without evidence.
    known
        (tokens,): whether a token has evidence.
    """

    vectors: Matrix
    known: NDArray[np.bool_]


def vectors_from_words(
    tokens: Tokens,
    words: Sequence[str],
    X: MatrixLike,
    frequencies: DoubleVector,
    *,
    capitalize: bool | None = None,
    progress: Progress = ignore_progress,
) -> Matrix:
    """Return the frequency-weighted means of the words that tokens occur in, (tokens, dim); zeros for other tokens.

    Parameters
    ----------
    tokens
        Tokens of the tokenizer.
    words
        Words in row order.
    X
        (words or more, dim), vectors of the words.
    frequencies
        (words,), positive.
    capitalize
        Whether to tokenise capitalised forms too; None: if all words are in lower case.
    progress
        Progress callback.
    """
    if capitalize is None:
        capitalize = all(word == word.lower() for word in words)
    X = X[: len(words)]
    uses = _count_uses(tokens, words, _FORMS if capitalize else _FORMS[:2], progress)
    weights = uses @ csr_array((frequencies, (np.arange(len(words)),) * 2), shape=(len(words),) * 2)
    vectors = np.empty((len(tokens), X.shape[1]), dtype=np.float32)
    totals = np.maximum(weights.sum(axis=1), np.finfo(np.float64).tiny)[:, None]
    for columns in row_blocks(X.shape[1], _COLUMNS):
        vectors[:, columns] = (weights @ X[:, columns].astype(np.float64)) / totals
    return vectors


def _count_uses(
    tokens: Tokens, words: Sequence[str], forms: Sequence[Callable[[str], str]], progress: Progress
) -> csr_array:
    """Return the number of forms of each word that each token occurs in, (tokens, words)."""
    rows: list[IntVector] = []
    columns: list[IntVector] = []
    for batch in row_blocks(len(words), _BATCH_WORDS):
        places = np.arange(batch.start, batch.stop)
        for form in forms:
            ids, lengths = tokens.encode([form(word) for word in words[batch]])
            uses = np.unique(np.repeat(places, lengths) * len(tokens) + ids)  # once per word, however often
            rows.append(uses % len(tokens))
            columns.append(uses // len(tokens))
        progress("tokens of words", batch.stop, len(words))
    row, column = np.concatenate(rows), np.concatenate(columns)
    return csr_array((np.ones(len(row)), (row, column)), shape=(len(tokens), len(words)))


def vectors_from_subwords(tokens: Tokens, embeddings: Embeddings, *, progress: Progress = ignore_progress) -> Matrix:
    """Return the vectors of a fastText model for the texts of tokens, (tokens, dim); zeros if there are none.

    Parameters
    ----------
    tokens
        Tokens of the tokenizer; parts of characters have no text.
    embeddings
        With subwords; a text that is a word of the vocabulary has the vector of that word.
    progress
        Progress callback.
    """
    assert embeddings.subwords is not None
    vectors = np.zeros((len(tokens), embeddings.vector_size), dtype=np.float32)
    for batch in row_blocks(len(tokens)):
        texts = tokens.texts[batch]
        for number, (text, row) in enumerate(
            zip(texts, embeddings.find_rows(texts).tolist(), strict=True), batch.start
        ):
            if text and row >= 0:
                vectors[number] = embeddings.vectors[row]
            elif text and (made := embeddings.subwords.vector(text)) is not None:
                vectors[number] = made
        progress("subwords of tokens", batch.stop, len(tokens))
    return vectors


def bring_together(tokens: Tokens, vectors: Matrix, apply: Callable[[Matrix], Matrix]) -> TokenVectors:
    """Map the vectors of tokens to the shared space, except special tokens and zeros.

    Parameters
    ----------
    tokens
        Of the tokenizer.
    vectors
        (tokens, dim), changed in place.
    apply
        Function that normalises and maps rows.
    """
    vectors[sorted(tokens.special)] = 0
    known = np.asarray(vectors.any(axis=1))
    if not known.any():
        raise InvalidValueError(
            f"None of the {len(tokens):,} tokens occurs in a word with a vector. Are tokenizer and vectors of "
            "one language?"
        )
    mapped = apply(vectors[known])
    placed = np.zeros((len(tokens), mapped.shape[1]), dtype=np.float32)
    placed[known] = unit_rows(mapped)
    return TokenVectors(placed, np.asarray(placed.any(axis=1)))


def word_frequencies(words: Sequence[str], counts: Mapping[str, float] | None) -> DoubleVector:
    """Return the frequency of every word, (n,): its count, at least 1, or 1/rank if no counts are given."""
    if counts is None:
        return 1 / np.arange(1, len(words) + 1)
    found = np.array([counts.get(word, 1.0) for word in words], dtype=np.float64)
    if not np.isfinite(found).all() or (found <= 0).any():
        raise InvalidValueError("Counts of words must be positive numbers.")
    return found
