"""Normalise words with their vectors: embeddings in, embeddings out."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, cast

from isoalign._progress import Progress, ignore_progress
from isoalign._types import FloatVector
from isoalign._validate import first_bad_row
from isoalign.errors import InvalidValueError, ParameterError
from isoalign.normalization._base import AbstractNormalizer
from isoalign.normalization._chain import make_normalizer
from isoalign.subwords import Subwords
from isoalign.vectors import Embeddings, as_embeddings

__all__ = ["as_normalizer", "describe_run", "naming_words", "normalize"]


def normalize(
    embeddings: Any,
    method: str | AbstractNormalizer = "iternorm",
    *,
    copy: bool = True,
    progress: Progress = ignore_progress,
    **settings: Any,
) -> Embeddings:
    """Return the same words with normalised vectors.

    Vectors that are made from subwords go through the same steps when they are asked for.

    Parameters
    ----------
    embeddings
        `Embeddings`, or any object with ``vectors`` and ``index_to_key``.
    method
        A name or a chain of names, see `make_normalizer`, or a normaliser, which is then fitted.
    copy
        False overwrites the vectors, which must then be float32.
    progress
        Told after every pass over the vectors.
    settings
        Those of the method: ``n_iter``, ``tol``, ….

    Raises
    ------
    InvalidValueError
        Names the first word whose vector holds NaN or infinity.

    Examples
    --------
    >>> import numpy as np
    >>> pets = Embeddings(["cat", "dog"], np.array([[3, 4], [0, 2]], dtype=np.float32))
    >>> normalize(pets, "unit")["cat"]
    array([0.6, 0.8], dtype=float32)
    """
    embeddings = as_embeddings(embeddings, name="embeddings")
    normalizer = as_normalizer(method, settings)
    with naming_words(embeddings):
        vectors = normalizer.fit_transform(embeddings.vectors, copy=copy, progress=progress)
    subwords = embeddings.subwords and _NormalizedSubwords(embeddings.subwords, normalizer)
    return Embeddings(
        embeddings.vocabulary,
        vectors,
        lang=embeddings.lang,
        metadata={**embeddings.metadata, "normalization": describe_run(normalizer, n_rows=len(vectors))},
        subwords=subwords,
    )


def as_normalizer(method: str | AbstractNormalizer, settings: Mapping[str, Any]) -> AbstractNormalizer:
    """Return the normaliser itself, or the one with that name and those settings."""
    if isinstance(method, str):
        return make_normalizer(method, **settings)
    if settings:
        raise ParameterError(f"Settings go with the name of a method. Got {', '.join(settings)} and {method!r}.")
    return method


def describe_run(normalizer: AbstractNormalizer, *, n_rows: int) -> dict[str, Any]:
    """Return what the metadata of normalised vectors say: the method, and how many rows its statistics are from."""
    return {"method": repr(normalizer), "rows": n_rows}


@contextmanager
def naming_words(embeddings: Embeddings) -> Iterator[None]:
    """Name the word in errors of an estimator, which sees only a matrix and could name the row."""
    try:
        yield
    except InvalidValueError as error:
        row = first_bad_row(embeddings.vectors)
        if row is None:
            row = next((row for row, vector in enumerate(embeddings.vectors) if not vector.any()), None)
        if row is None:
            raise
        raise InvalidValueError(f"The vector of {embeddings.vocabulary[row]!r}: {error}") from None


class _NormalizedSubwords:
    """Send vectors made from subwords through a fitted normaliser."""

    def __init__(self, subwords: Subwords, normalizer: AbstractNormalizer) -> None:
        self._subwords, self._normalizer = subwords, normalizer

    def vector(self, word: str) -> FloatVector | None:
        """Return the normalised vector of a word."""
        vector = self._subwords.vector(word)
        return None if vector is None else cast(FloatVector, self._normalizer.transform(vector[None, :])[0])
