"""Vectors with their keys: the words of a language, or the ids of documents."""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any, Protocol, cast, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from isoalign._core.arrays import unit_rows
from isoalign._core.display import html_table
from isoalign._core.optional import import_extra
from isoalign._core.types import FloatVector, IntVector, Key, MatrixLike, StoredMatrix, StoredVector
from isoalign.errors import ParameterError, ShapeError, UnknownWordError
from isoalign.subwords import Subwords
from isoalign.vocabulary import Keys, Vocabulary, as_keys

__all__ = ["Embeddings", "KeyedVectorsLike", "as_embeddings"]

_SHOWN = 5  # rows in a notebook


@runtime_checkable
class KeyedVectorsLike(Protocol):
    """Any object with a matrix and the keys of its rows, such as gensim's ``KeyedVectors``."""

    vectors: NDArray[Any]
    index_to_key: list[Any]


class Embeddings:
    """Keys and their vectors; words are sorted by frequency, most frequent first.

    Attributes have the names of gensim's ``KeyedVectors``, so that both can be used in the same places.

    Parameters
    ----------
    keys
        One word or integer per row; None numbers the rows from 0. If a key occurs twice, its first row is used.
    vectors
        (n, dim). Used without a copy if C-contiguous float32 (or float16, float64: see ``dtype`` of `read_vectors`),
        else converted to float32.
    lang
        Language code, shown in reports.
    metadata
        Provenance of the vectors; any JSON values.
    subwords
        Computes vectors for words that have no row.

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
        keys: Iterable[Key] | None,
        vectors: MatrixLike,
        *,
        lang: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        subwords: Subwords | None = None,
    ) -> None:
        vectors = np.asarray(vectors)
        if vectors.ndim != 2:
            raise ShapeError(f"vectors must be a matrix with one row per word. Got shape {vectors.shape}.")
        self._keys = as_keys(keys, len(vectors))
        if len(vectors) != len(self._keys):
            raise ShapeError(
                f"Keys and vectors must have the same length. Got {len(self._keys)} keys and {len(vectors)} vectors."
            )
        if vectors.dtype not in (np.float32, np.float16, np.float64):
            vectors = vectors.astype(np.float32)
        self.vectors: StoredMatrix = np.ascontiguousarray(vectors)
        self.lang = lang
        self.metadata: dict[str, Any] = dict(metadata or {})
        self.subwords = subwords

    @property
    def keys(self) -> Keys:
        """The keys in row order."""
        return self._keys

    @property
    def has_words(self) -> bool:
        """Whether the keys are words."""
        return isinstance(self._keys, Vocabulary)

    @property
    def vocabulary(self) -> Vocabulary:
        """The words in row order; words of a native folder are decoded when first used."""
        if not isinstance(self._keys, Vocabulary):
            raise ParameterError("This needs words, but the keys of these vectors are numbers.")
        return self._keys

    @property
    def index_to_key(self) -> list[Any]:
        """The keys in row order, as a list."""
        return self._keys.keys

    @property
    def key_to_index(self) -> dict[Any, int]:
        """The row of every key."""
        return cast(dict[Any, int], self._keys.rows)

    @property
    def vector_size(self) -> int:
        """The number of columns."""
        return int(self.vectors.shape[1])

    def __len__(self) -> int:
        return len(self._keys)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return len(self), self.vector_size

    def __contains__(self, key: object) -> bool:
        return key in self._keys

    def __getitem__(self, keys: Key | Iterable[Key]) -> StoredMatrix | StoredVector:
        """Return the vector of one key, (dim,), or those of several, (n, dim), computed from subwords if necessary."""
        if isinstance(keys, (str, int, np.integer)):
            return self.get_vector(keys)
        vectors = [self.get_vector(key) for key in keys]
        return np.stack(vectors) if vectors else self.vectors[:0]

    def get_index(self, key: Key) -> int:
        """Return the row of a key."""
        row = self.key_to_index.get(key)
        if row is None:
            close = self.close_spellings(key) if isinstance(key, str) and self.has_words else []
            hint = f" Close spellings: {', '.join(close)}." if close else ""
            lang, what = f"{self.lang} " if self.lang else "", "words" if self.has_words else "keys"
            raise UnknownWordError(f"{key!r} is not among the {len(self)} {lang}{what}.{hint}")
        return row

    def close_spellings(self, word: str) -> list[str]:
        """Return up to three words with a similar spelling: similar length, and the same first or last letter.

        Case is ignored.
        """
        word = word.lower()
        ends = set(word[:1] + word[-1:])
        likely: dict[str, str] = {}
        for other in self.vocabulary.words:
            if abs(len(other) - len(word)) <= 2 and not ends.isdisjoint((other[:1] + other[-1:]).lower()):
                likely.setdefault(other.lower(), other)
        return [likely[found] for found in get_close_matches(word, likely, n=3)]

    def find_spelling(self, key: Key) -> Key:
        """Return a known key unchanged, and an unknown word in another case if that is known (``"Cat"``: ``"cat"``).

        Lower case, capitalised and upper case are tried in this order.
        """
        if isinstance(key, str) and key not in self._keys:
            return next((form for form in (key.lower(), key.capitalize(), key.upper()) if form in self._keys), key)
        return key

    def find_rows(self, keys: Iterable[Key]) -> IntVector:
        """Return the row of each key, -1 for unknown ones."""
        return self._keys.find(keys)

    def get_vector(self, key: Key) -> StoredVector:
        """Return the vector of a key, computed from subwords if it has no row."""
        if isinstance(key, str) and self.subwords is not None and key not in self._keys:
            vector = self.subwords.vector(key)
            if vector is not None:
                return vector
        return cast(StoredVector, self.vectors[self.get_index(key)])

    def head(self, n: int) -> "Embeddings":
        """Return the first ``n`` rows, sharing memory with this object."""
        return self._derive(self._keys[:n], self.vectors[:n])

    def take(self, rows: IntVector) -> "Embeddings":
        """Return the given rows, copied."""
        keys = self.index_to_key
        return self._derive(as_keys([keys[row] for row in rows], len(rows)), self.vectors[rows])

    def with_vectors(self, vectors: MatrixLike) -> "Embeddings":
        """Return the same keys with other vectors; subwords are dropped, since they belong to the old space."""
        return Embeddings(self._keys, vectors, lang=self.lang, metadata=self.metadata)

    def _derive(self, keys: Keys, vectors: MatrixLike) -> "Embeddings":
        return Embeddings(keys, vectors, lang=self.lang, metadata=self.metadata, subwords=self.subwords)

    @classmethod
    def from_gensim(cls, keyed_vectors: Any, *, lang: str | None = None) -> "Embeddings":
        """Wrap gensim's ``KeyedVectors`` without copying; the subwords of ``FastTextKeyedVectors`` are kept."""
        subwords = _GensimSubwords(keyed_vectors) if hasattr(keyed_vectors, "vectors_ngrams") else None
        return cls(keyed_vectors.index_to_key, keyed_vectors.vectors, lang=lang, subwords=subwords)

    def to_gensim(self) -> Any:
        """Return gensim ``KeyedVectors`` that share this object's matrix."""
        models = import_extra("gensim.models", extra="gensim")
        if len(self.key_to_index) != len(self):
            raise ParameterError(
                f"gensim allows each word only once, but {len(self) - len(self.key_to_index)} words occur twice here. "
                "Read the file with duplicates='first'."
            )
        keyed_vectors = models.KeyedVectors(self.vector_size, dtype=self.vectors.dtype)
        keyed_vectors.index_to_key = self.index_to_key
        keyed_vectors.key_to_index = self.key_to_index
        keyed_vectors.vectors = self.vectors
        return keyed_vectors

    @classmethod
    def from_spacy(cls, vocab: Any, *, lang: str | None = None) -> "Embeddings":
        """Take the vectors of a spaCy ``nlp.vocab``: each row once, with the first word that refers to it as key."""
        first: dict[int, str] = {}
        for key, row in vocab.vectors.key2row.items():
            if key in vocab.strings:  # hashes without a stored string have no word
                first.setdefault(int(row), vocab.strings[key])
        if not first:
            raise ParameterError(
                f"vocab must have word vectors. Got none (mode {vocab.vectors.mode!r}, shape {vocab.vectors.shape}). "
                "Load a spaCy model that ends in _md or _lg; floret vectors belong to n-grams, not to words."
            )
        rows = sorted(first)
        data = np.asarray(vocab.vectors.data, dtype=np.float32)
        vectors = data if rows == list(range(len(data))) else data[rows]
        return cls([first[row] for row in rows], vectors, lang=lang or vocab.lang)

    def most_similar(self, key: Key, *, k: int = 10) -> list[tuple[Any, float]]:
        """Return the nearest neighbours of a key by cosine, without the key; see also `isoalign.most_similar`.

        >>> Embeddings(["cat", "dog", "car"], np.float32([[1, 0], [1, 1], [0, 1]])).most_similar("cat", k=1)
        [('dog', 0.7071067690849304)]
        """
        cosines = unit_rows(self.vectors) @ unit_rows(self.get_vector(key)[None])[0]
        best = np.argsort(-cosines, kind="stable")[: k + 1]
        return [(self.keys[row], float(cosines[row])) for row in best.tolist() if self.keys[row] != key][:k]

    def _repr_html_(self) -> str:
        lengths = np.linalg.norm(self.vectors[:_SHOWN].astype(np.float64), axis=1)
        rows = zip(self.keys[:_SHOWN], lengths.tolist(), strict=True)
        return html_table(
            rows, header=("first words" if self.has_words else "first keys", "length"), caption=repr(self)
        )

    def __repr__(self) -> str:
        lang = f", lang={self.lang!r}" if self.lang else ""
        subwords = ", subwords" if self.subwords is not None else ""
        return f"Embeddings({len(self)} × {self.vector_size}{lang}{subwords})"


class _GensimSubwords:
    """Compute vectors with gensim's n-grams."""

    def __init__(self, keyed_vectors: Any) -> None:
        self._keyed_vectors = keyed_vectors

    def vector(self, word: str) -> FloatVector | None:
        """Return gensim's vector, or None for a word without n-grams, for which gensim returns zeros."""
        try:
            vector = np.asarray(self._keyed_vectors.get_vector(word), dtype=np.float32)
        except KeyError:
            return None
        return vector if vector.any() else None


def as_embeddings(vectors: "Embeddings | KeyedVectorsLike | MatrixLike", *, name: str = "source") -> Embeddings:
    """Return an `Embeddings`, wrapping gensim's ``KeyedVectors`` and similar objects, and matrices without keys."""
    if isinstance(vectors, Embeddings):
        return vectors
    if isinstance(vectors, np.ndarray):
        return Embeddings(None, vectors)
    if isinstance(vectors, KeyedVectorsLike):
        return Embeddings.from_gensim(vectors)
    raise ParameterError(
        f"{name} must have .vectors and .index_to_key, as Embeddings and gensim's KeyedVectors do, or be a matrix. "
        f"Got {type(vectors).__name__}. Use ia.Embeddings(words, matrix)."
    )
