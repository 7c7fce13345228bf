"""Words with the same spelling in both languages: names, loanwords, numbers."""

import re
from collections.abc import Iterable
from typing import ClassVar

import numpy as np

from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.types import RowPairs
from isoalign._core.validate import check_choice
from isoalign.alignment._problem import Problem
from isoalign.alignment.starts._base import AbstractStart, Words
from isoalign.errors import ParameterError
from isoalign.io import EmbeddingsLike, given_embeddings
from isoalign.lexicon import Lexicon

__all__ = ["Identical", "Numerals", "seed_lexicon"]

_NUMERAL = re.compile("[0-9]+")


def seed_lexicon(source: EmbeddingsLike, target: EmbeddingsLike, kind: str = "identical") -> Lexicon:
    """Pair every word that both vocabularies contain with itself.

    Parameters
    ----------
    source, target
        Embeddings of both languages, or files.
    kind
        ``"identical"``: all such words, including numerals; ``"numerals"``: only those made of the digits 0 to 9.

    References
    ----------
    Søgaard, Ruder, Vulić (2018) for identical strings; Artetxe, Labaka, Agirre (2017) for numerals.
    """
    check_choice(kind, ("identical", "numerals"), name="seed dictionary")
    words = Words(given_embeddings(source).vocabulary, given_embeddings(target, name="target").vocabulary)
    return Lexicon((word, word) for word in _shared(words, numerals=kind == "numerals"))


def _shared(words: Words, *, numerals: bool) -> Iterable[str]:
    shared = (word for word in dict.fromkeys(words.source) if word in words.target)
    return (word for word in shared if not numerals or _NUMERAL.fullmatch(word))


class _AbstractSpellingStart(AbstractStart):
    """Pair shared words, or only numerals among them."""

    needs_words = True
    numerals: ClassVar[bool]

    def find_pairs(
        self,
        problem: Problem,  # noqa: ARG002
        words: Words | None = None,
        *,
        progress: Progress = ignore_progress,  # noqa: ARG002
    ) -> RowPairs:
        """See `AbstractStart.find_pairs`."""
        if words is None:
            raise ParameterError("This start compares words, and the rows of at least one side have none.")
        shared = list(_shared(words, numerals=self.numerals))
        return np.stack([words.source.find(shared), words.target.find(shared)], axis=1)


class Identical(_AbstractSpellingStart):
    """Pair words with the same spelling in both languages."""

    numerals = False


class Numerals(_AbstractSpellingStart):
    """Pair numbers written with the digits 0 to 9."""

    numerals = True
