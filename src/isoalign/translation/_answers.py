"""What a translator answers: lists of words with scores, which notebooks show as tables."""

from typing import Any, ClassVar, NamedTuple

from isoalign._core.display import Tabular
from isoalign._core.types import Key

__all__ = ["Translation", "TranslationLists", "Translations"]


class Translation(NamedTuple):
    """A word and how well it fits."""

    word: Any
    score: float


class Translations(Tabular, list[Translation]):
    """The translations of one word, best first; none if it is unknown.

    Attributes
    ----------
    word
        The word that was asked for.
    looked_up
        The word as the vocabulary spells it; the same unless only another case is known.
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
    """The translations of several words, in the order asked for."""

    columns: ClassVar = Translations.columns

    def to_records(self) -> list[dict[str, Any]]:
        """Return one row per translation, by column."""
        return [record for some in self for record in some.to_records()]
