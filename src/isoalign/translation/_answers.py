"""Results of a translator: lists of words with scores, shown as tables in notebooks."""

from typing import Any, ClassVar, NamedTuple

from isoalign._core.display import Tabular
from isoalign._core.types import Key

__all__ = ["Translation", "TranslationLists", "Translations"]


class Translation(NamedTuple):
    """A word and its score."""

    word: Any
    score: float


class Translations(Tabular, list[Translation]):
    """The translations of one word, best first; empty if it is unknown.

    Attributes
    ----------
    word
        The requested word.
    looked_up
        The word as spelled in the vocabulary; different if only another case is known.
    """

    columns: ClassVar = ("word", "looked_up", "rank", "translation", "score")

    def __init__(self, word: Key, looked_up: Key, best: "list[Translation] | None" = None) -> None:
        super().__init__(best or [])
        self.word = word
        self.looked_up = looked_up

    def to_records(self) -> list[dict[str, Any]]:
        """Return one row per translation, by column."""
        return [
            dict(zip(self.columns, (self.word, self.looked_up, rank, *entry), strict=True))
            for rank, entry in enumerate(self, 1)
        ]


class TranslationLists(Tabular, list[Translations]):
    """The translations of several words, in the requested order."""

    columns: ClassVar = Translations.columns

    def to_records(self) -> list[dict[str, Any]]:
        """Return one row per translation, by column."""
        return [record for some in self for record in some.to_records()]
