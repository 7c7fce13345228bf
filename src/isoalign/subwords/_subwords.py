"""Vectors for words without a row."""

from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from isoalign._core.types import FloatVector, IntVector, Matrix

if TYPE_CHECKING:  # avoids importing numba, which their kernels need
    from isoalign.subwords._ngrams import NGrams
    from isoalign.subwords._row_tables import RowTable

__all__ = ["NGramSubwords", "Subwords"]


class Subwords(Protocol):
    """Compute a vector for any word from its parts, such as fastText's character n-grams."""

    def vector(self, word: str) -> FloatVector | None:
        """Return the vector of a word, (dim,), or None if no part of it is known."""
        ...


class NGramSubwords:
    """Compute the vector of a word from its character n-grams, as fastText does (Bojanowski et al. 2017).

    The vector of a word is the mean of the rows of its n-grams and, if the model has seen the word, of its own row.

    Parameters
    ----------
    ngrams
        The n-grams of a word and their rows in the table.
    table
        The rows of the words, then those of the n-grams; plain or quantised.
    """

    def __init__(self, ngrams: "NGrams", table: "RowTable") -> None:
        self.ngrams = ngrams
        self.table = table

    def vector(self, word: str) -> FloatVector | None:
        """Return the mean of the word's n-grams, (dim,), or None if it has none."""
        blob = np.frombuffer(word.encode(errors="surrogatepass"), dtype=np.uint8)
        rows, ends = self.ngrams.find_rows(blob, np.array([[0, len(blob)]], dtype=np.int64))
        return self.table.mean_rows(rows, ends)[0] if len(rows) else None

    def word_vectors(self, blob: NDArray[np.uint8], spans: IntVector, *, own_row: int) -> Matrix:
        """Return the vectors of words that the model has seen, (n, dim).

        Parameters
        ----------
        blob, spans
            Words as UTF-8 bytes, and where each begins and ends in them, (n, 2).
        own_row
            Row of the first word in the table; those of the other words follow.
        """
        return self.table.mean_rows(*self.ngrams.find_rows(blob, spans, own_row=own_row))

    def __repr__(self) -> str:
        return f"NGramSubwords({self.ngrams!r}, {len(self.table)} × {self.table.dim})"
