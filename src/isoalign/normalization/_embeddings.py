"""Normalise words with their vectors: embeddings in, embeddings out."""

from typing import Any, cast

from isoalign._progress import Progress, ignore_progress
from isoalign._types import FloatVector
from isoalign._validate import first_bad_row
from isoalign.errors import InvalidValueError, ParameterError
from isoalign.normalization._base import AbstractNormalizer
from isoalign.normalization._chain import make_normalizer
from isoalign.subwords import Subwords
from isoalign.vectors import Embeddings, as_embeddings

__all__ = ["normalize"]


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
    if isinstance(method, str):
        normalizer = make_normalizer(method, **settings)
    elif settings:
        raise ParameterError(f"Settings go with the name of a method. Got {', '.join(settings)} and {method!r}.")
    else:
        normalizer = method
    try:
        vectors = normalizer.fit_transform(embeddings.vectors, copy=copy, progress=progress)
    except InvalidValueError as error:
        raise _with_word(error, embeddings) from None
    subwords = embeddings.subwords and _NormalizedSubwords(embeddings.subwords, normalizer)
    return Embeddings(
        embeddings.vocabulary,
        vectors,
        lang=embeddings.lang,
        metadata={**embeddings.metadata, "normalization": {"method": repr(normalizer), "rows": len(vectors)}},
        subwords=subwords,
    )


def _with_word(error: InvalidValueError, embeddings: Embeddings) -> InvalidValueError:
    """Name the word where the estimator, which sees only a matrix, could name the row."""
    row = first_bad_row(embeddings.vectors)
    if row is None:
        zero = (row for row, vector in enumerate(embeddings.vectors) if not vector.any())
        row = next(zero, None)
    return error if row is None else InvalidValueError(f"The vector of {embeddings.vocabulary[row]!r}: {error}")


class _NormalizedSubwords:
    """Send vectors made from subwords through a fitted normaliser."""

    def __init__(self, subwords: Subwords, normalizer: AbstractNormalizer) -> None:
        self._subwords, self._normalizer = subwords, normalizer

    def vector(self, word: str) -> FloatVector | None:
        """Return the normalised vector of a word."""
        vector = self._subwords.vector(word)
        return None if vector is None else cast(FloatVector, self._normalizer.transform(vector[None, :])[0])
