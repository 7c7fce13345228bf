"""What gives a word without a row a vector of its own."""

from typing import Protocol

from isoalign._types import FloatVector

__all__ = ["Subwords"]


class Subwords(Protocol):
    """Make a vector for any word from its parts, such as fastText's character n-grams."""

    def vector(self, word: str) -> FloatVector | None:
        """Return the vector of a word, (dim,), or None where no part of it is known."""
        ...
