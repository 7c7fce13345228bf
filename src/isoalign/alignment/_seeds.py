"""Seed dictionaries without a dictionary: words that both languages spell alike."""

import re

from isoalign._validate import check_choice
from isoalign.lexicon import Lexicon
from isoalign.vectors import Embeddings

__all__ = ["SEEDS", "seed_lexicon"]

SEEDS = ("identical", "numerals")

_NUMERAL = re.compile("[0-9]+")


def seed_lexicon(source: Embeddings, target: Embeddings, kind: str = "identical") -> Lexicon:
    """Pair every word that stands in both vocabularies with itself.

    Parameters
    ----------
    source, target
        Both vocabularies.
    kind
        ``"identical"``: all such words, numerals among them; ``"numerals"``: only those made of the digits 0 to 9.

    References
    ----------
    Søgaard, Ruder, Vulić (2018) for identical strings; Artetxe, Labaka, Agirre (2017) for numerals.
    """
    check_choice(kind, SEEDS, name="seed dictionary")
    shared = (word for word in dict.fromkeys(source.index_to_key) if word in target)
    words = (word for word in shared if kind == "identical" or _NUMERAL.fullmatch(word))
    return Lexicon((word, word) for word in words)
