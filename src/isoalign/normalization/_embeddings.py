"""Normalise embeddings: words and vectors in, words and vectors out."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, cast

from isoalign._core.progress import ProgressLike, as_progress, ignore_progress
from isoalign._core.types import FloatVector
from isoalign._core.validate import first_bad_row
from isoalign.errors import InvalidValueError, ParameterError
from isoalign.io import EmbeddingsLike, given_embeddings
from isoalign.normalization._base import AbstractNormalizer
from isoalign.normalization._chain import make_normalizer
from isoalign.normalization._registry import DEFAULT_NORMALIZATION
from isoalign.subwords import Subwords
from isoalign.vectors import Embeddings

__all__ = ["as_normalizer", "describe_run", "naming_words", "normalize"]


def normalize(
    embeddings: EmbeddingsLike,
    method: str | AbstractNormalizer = DEFAULT_NORMALIZATION,
    *,
    copy: bool = True,
    progress: ProgressLike = ignore_progress,
    **settings: Any,
) -> Embeddings:
    """Return the same words with normalised vectors.

    Vectors of unseen words, built from subwords, are normalised in the same way when they are looked up.

    Parameters
    ----------
    embeddings
        `Embeddings`, or any object with ``vectors`` and ``index_to_key``.
    method
        Name or chain of names, see `make_normalizer`; or a normaliser, which will be fitted.
    copy
        If False, overwrite the vectors, which must be float32.
    progress
        Progress callback; True draws a bar.
    settings
        Settings of the method, such as ``n_iter`` or ``tol``.

    Raises
    ------
    InvalidValueError
        If a vector contains NaN or infinity; the message names the first such word.

    Examples
    --------
    >>> import numpy as np
    >>> pets = Embeddings(["cat", "dog"], np.array([[3, 4], [0, 2]], dtype=np.float32))
    >>> normalize(pets, "unit")["cat"]
    array([0.6, 0.8], dtype=float32)
    """
    progress = as_progress(progress)
    embeddings = given_embeddings(embeddings, name="embeddings", progress=progress)
    normalizer = as_normalizer(method, settings)
    with naming_words(embeddings):
        vectors = normalizer.fit_transform(embeddings.vectors, copy=copy, progress=progress)
    subwords = embeddings.subwords and _NormalizedSubwords(embeddings.subwords, normalizer)
    return Embeddings(
        embeddings.keys,
        vectors,
        lang=embeddings.lang,
        metadata={**embeddings.metadata, "normalization": describe_run(normalizer, n_rows=len(vectors))},
        subwords=subwords,
    )


def as_normalizer(method: str | AbstractNormalizer, settings: Mapping[str, Any]) -> AbstractNormalizer:
    """Return ``method`` itself if it is a normaliser, otherwise create it from its name and settings."""
    if isinstance(method, str):
        return make_normalizer(method, **settings)
    if settings:
        raise ParameterError(f"Settings go with the name of a method. Got {', '.join(settings)} and {method!r}.")
    return method


def describe_run(normalizer: AbstractNormalizer, *, n_rows: int) -> dict[str, Any]:
    """Return the metadata of normalised vectors: the method, and the number of rows that it was fitted to."""
    return {"method": repr(normalizer), "rows": n_rows}


@contextmanager
def naming_words(embeddings: Embeddings) -> Iterator[None]:
    """Add the word to errors of a normaliser, which knows only the row."""
    try:
        yield
    except InvalidValueError as error:
        row = first_bad_row(embeddings.vectors)
        if row is None:
            row = next((row for row, vector in enumerate(embeddings.vectors) if not vector.any()), None)
        if row is None:
            raise
        raise InvalidValueError(f"The vector of {embeddings.keys[row]!r}: {error}") from None


class _NormalizedSubwords:
    """Normalise vectors built from subwords."""

    def __init__(self, subwords: Subwords, normalizer: AbstractNormalizer) -> None:
        self._subwords, self._normalizer = subwords, normalizer

    def vector(self, word: str) -> FloatVector | None:
        """Return the normalised vector of a word."""
        vector = self._subwords.vector(word)
        return None if vector is None else cast(FloatVector, self._normalizer.transform(vector[None, :])[0])
