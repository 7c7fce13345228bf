"""Hold the word vectors of one language."""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any, cast

import numpy as np

from isoalign._optional import import_extra
from isoalign._types import FloatVector, IntVector, Matrix, MatrixLike
from isoalign.errors import ParameterError, ShapeError, UnknownWordError
from isoalign.subwords import Subwords
from isoalign.vocabulary import Vocabulary

__all__ = ["Embeddings", "as_embeddings"]


class Embeddings:
    """Words and their vectors, most frequent first.

    The names are those of gensim's ``KeyedVectors``, so either serves where the other is expected.

    Parameters
    ----------
    words
        One word per row. A word that stands twice is found at its first row.
    vectors
        (n, dim). Kept as it is when C-contiguous float32 (or float16, float64: see ``dtype`` of `read_vectors`),
        else copied to float32.
    lang
        Language code, shown in reports.
    metadata
        Where the vectors come from; any JSON values.
    subwords
        Makes vectors for words that have no row.

    Examples
    --------
    >>> import numpy as np
    >>> pets = Embeddings(["cat", "dog"], np.eye(2, dtype=np.float32), lang="en")
    >>> pets["dog"]
    array([0., 1.], dtype=float32)
    >>> "bird" in pets
    False
    """

    def __init__(
        self,
        words: Iterable[str],
        vectors: MatrixLike,
        *,
        lang: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        subwords: Subwords | None = None,
    ) -> None:
        self._vocabulary = words if isinstance(words, Vocabulary) else Vocabulary(words)
        vectors = np.asarray(vectors)
        if vectors.ndim != 2:
            raise ShapeError(f"vectors must be a matrix with one row per word. Got shape {vectors.shape}.")
        if len(vectors) != len(self._vocabulary):
            raise ShapeError(
                f"Words and vectors must be equally many. Got {len(self._vocabulary)} words and {len(vectors)} vectors."
            )
        if vectors.dtype not in (np.float32, np.float16, np.float64):
            vectors = vectors.astype(np.float32)
        self.vectors: Matrix = np.ascontiguousarray(vectors)
        self.lang = lang
        self.metadata: dict[str, Any] = dict(metadata or {})
        self.subwords = subwords

    @property
    def vocabulary(self) -> Vocabulary:
        """The words in row order; opened from a native folder, they are decoded at the first look."""
        return self._vocabulary

    @property
    def index_to_key(self) -> list[str]:
        """The words in row order, as a list."""
        return self._vocabulary.words

    @property
    def key_to_index(self) -> dict[str, int]:
        """The row of every word."""
        return self._vocabulary.rows

    @property
    def vector_size(self) -> int:
        """The number of columns."""
        return int(self.vectors.shape[1])

    def __len__(self) -> int:
        return len(self._vocabulary)

    def __contains__(self, word: object) -> bool:
        return word in self._vocabulary

    def __getitem__(self, words: str | Iterable[str]) -> Matrix | FloatVector:
        """Return the row of one word, (dim,), or the rows of several, (n, dim); subwords are not asked."""
        rows = self.get_index(words) if isinstance(words, str) else [self.get_index(word) for word in words]
        return self.vectors[rows]

    def get_index(self, word: str) -> int:
        """Return the row of a word."""
        row = self._vocabulary.rows.get(word)
        if row is None:
            close = self._close_spellings(word)
            hint = f" Close spellings: {', '.join(close)}." if close else ""
            lang = f"{self.lang} " if self.lang else ""
            raise UnknownWordError(f"{word!r} is not among the {len(self)} {lang}words.{hint}")
        return row

    def _close_spellings(self, word: str) -> list[str]:
        """Return up to three words spelled like ``word``: of similar length, the first or the last letter the same."""
        ends = set(word[:1] + word[-1:])
        likely = [
            other
            for other in self._vocabulary.words
            if abs(len(other) - len(word)) <= 2 and not ends.isdisjoint(other[:1] + other[-1:])
        ]
        return get_close_matches(word, likely, n=3)

    def find_rows(self, words: Iterable[str]) -> IntVector:
        """Return the row of each word, -1 for unknown ones."""
        return self._vocabulary.find(words)

    def get_vector(self, word: str) -> FloatVector:
        """Return the vector of a word, made from its subwords if it has no row."""
        row = self._vocabulary.rows.get(word)
        if row is None and self.subwords is not None:
            vector = self.subwords.vector(word)
            if vector is not None:
                return vector
        return cast(FloatVector, self.vectors[self.get_index(word)])

    def head(self, n: int) -> "Embeddings":
        """Return the first ``n`` words, sharing memory with this object."""
        return self._derive(self._vocabulary[:n], self.vectors[:n])

    def take(self, rows: IntVector) -> "Embeddings":
        """Return the given rows, copied."""
        words = self.index_to_key
        return self._derive(Vocabulary(words[row] for row in rows), self.vectors[rows])

    def with_vectors(self, vectors: Matrix) -> "Embeddings":
        """Return the same words with other vectors; subwords do not come along, since they lie in the old space."""
        return Embeddings(self._vocabulary, vectors, lang=self.lang, metadata=self.metadata)

    def _derive(self, words: Vocabulary, vectors: Matrix) -> "Embeddings":
        return Embeddings(words, vectors, lang=self.lang, metadata=self.metadata, subwords=self.subwords)

    @classmethod
    def from_gensim(cls, keyed_vectors: Any, *, lang: str | None = None) -> "Embeddings":
        """Wrap gensim's ``KeyedVectors`` without copying; ``FastTextKeyedVectors`` keep their subwords."""
        subwords = _GensimSubwords(keyed_vectors) if hasattr(keyed_vectors, "vectors_ngrams") else None
        return cls(keyed_vectors.index_to_key, keyed_vectors.vectors, lang=lang, subwords=subwords)

    def to_gensim(self) -> Any:
        """Return gensim ``KeyedVectors`` that share this object's matrix."""
        models = import_extra("gensim.models", extra="gensim")
        if len(self.key_to_index) != len(self):
            raise ParameterError(
                f"gensim holds every word once, but {len(self) - len(self.key_to_index)} words stand twice here. "
                "Read the file with duplicates='first'."
            )
        keyed_vectors = models.KeyedVectors(self.vector_size, dtype=self.vectors.dtype)
        keyed_vectors.index_to_key = self.index_to_key
        keyed_vectors.key_to_index = self.key_to_index
        keyed_vectors.vectors = self.vectors
        return keyed_vectors

    @classmethod
    def from_spacy(cls, vocab: Any, *, lang: str | None = None) -> "Embeddings":
        """Take the vectors of a spaCy ``nlp.vocab``: each row once, under the first word that points to it."""
        first: dict[int, str] = {}
        for key, row in vocab.vectors.key2row.items():
            if key in vocab.strings:  # a hash whose string was never stored names no word
                first.setdefault(int(row), vocab.strings[key])
        if not first:
            raise ParameterError(
                f"vocab must hold word vectors. Got none (mode {vocab.vectors.mode!r}, shape {vocab.vectors.shape}). "
                "Load a spaCy model that ends in _md or _lg; floret vectors belong to n-grams, not to words."
            )
        rows = sorted(first)
        data = np.asarray(vocab.vectors.data, dtype=np.float32)
        vectors = data if rows == list(range(len(data))) else data[rows]
        return cls([first[row] for row in rows], vectors, lang=lang or vocab.lang)

    def __repr__(self) -> str:
        lang = f", lang={self.lang!r}" if self.lang else ""
        subwords = ", subwords" if self.subwords is not None else ""
        return f"Embeddings({len(self)} × {self.vector_size}{lang}{subwords})"


class _GensimSubwords:
    """Ask gensim's own n-gram vectors."""

    def __init__(self, keyed_vectors: Any) -> None:
        self._keyed_vectors = keyed_vectors

    def vector(self, word: str) -> FloatVector | None:
        """Return gensim's vector, or None where the word has no n-grams, for which gensim gives zeros."""
        try:
            vector = np.asarray(self._keyed_vectors.get_vector(word), dtype=np.float32)
        except KeyError:
            return None
        return vector if vector.any() else None


def as_embeddings(vectors: Any, *, name: str = "source") -> Embeddings:
    """Return an `Embeddings`, wrapping any object with ``vectors`` and ``index_to_key`` as gensim's have."""
    if isinstance(vectors, Embeddings):
        return vectors
    if hasattr(vectors, "vectors") and hasattr(vectors, "index_to_key"):
        return Embeddings.from_gensim(vectors)
    raise ParameterError(
        f"{name} must have .vectors and .index_to_key, as Embeddings and gensim's KeyedVectors do. "
        f"Got {type(vectors).__name__}. Use ia.Embeddings(words, matrix)."
    )
