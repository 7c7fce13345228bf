"""Words with their vectors in the shared space, including subwords."""

from collections.abc import Callable
from typing import cast

from isoalign._core.types import FloatVector, Matrix
from isoalign.subwords import Subwords
from isoalign.vectors import Embeddings

__all__ = ["map_embeddings"]


class _MappedSubwords:
    """Map vectors that are computed from subwords."""

    def __init__(self, subwords: Subwords, apply: Callable[[Matrix], Matrix]) -> None:
        self._subwords, self._apply = subwords, apply

    def vector(self, word: str) -> FloatVector | None:
        """Return the mapped vector of a word."""
        vector = self._subwords.vector(word)
        return None if vector is None else cast(FloatVector, self._apply(vector[None, :])[0])


def map_embeddings(embeddings: Embeddings, X: Matrix, apply: Callable[[Matrix], Matrix]) -> Embeddings:
    """Return the same keys with mapped vectors X; vectors computed from subwords are mapped on demand."""
    subwords = embeddings.subwords
    return Embeddings(
        embeddings.keys,
        X,
        lang=embeddings.lang,
        metadata=embeddings.metadata,
        subwords=None if subwords is None else _MappedSubwords(subwords, apply),
    )
