"""Words in, words out: translate, list neighbours, induce a dictionary."""

from isoalign.translation._answers import Translation, TranslationLists, Translations
from isoalign.translation._confidence import (
    LEVELS,
    Calibration,
    Evidence,
    Rate,
    gather_evidence,
    name_levels,
    read_calibration,
)
from isoalign.translation._induction import DictionaryEntry, InducedDictionary, induce_dictionary, induce_lexicon
from isoalign.translation._neighbors import most_similar
from isoalign.translation._translator import Translator, fit_retriever, look_up

__all__ = [
    "LEVELS",
    "Calibration",
    "DictionaryEntry",
    "Evidence",
    "InducedDictionary",
    "Rate",
    "Translation",
    "TranslationLists",
    "Translations",
    "Translator",
    "fit_retriever",
    "gather_evidence",
    "induce_dictionary",
    "induce_lexicon",
    "look_up",
    "most_similar",
    "name_levels",
    "read_calibration",
]
