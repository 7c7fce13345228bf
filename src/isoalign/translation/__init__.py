"""Translate words, list neighbours, and induce dictionaries."""

from isoalign.translation._answers import Translation, TranslationLists, Translations
from isoalign.translation._confidence import (
    LEVELS,
    Calibration,
    CalibrationTable,
    Evidence,
    Rate,
    find_returns,
    gather_evidence,
    name_levels,
    read_calibration,
)
from isoalign.translation._induction import DictionaryEntry, InducedDictionary, induce_dictionary, induce_lexicon
from isoalign.translation._layout import Layout, lay_out, shared_axes
from isoalign.translation._neighbors import most_similar
from isoalign.translation._translator import Translator, fit_retriever, look_up

__all__ = [
    "LEVELS",
    "Calibration",
    "CalibrationTable",
    "DictionaryEntry",
    "Evidence",
    "InducedDictionary",
    "Layout",
    "Rate",
    "Translation",
    "TranslationLists",
    "Translations",
    "Translator",
    "find_returns",
    "fit_retriever",
    "gather_evidence",
    "induce_dictionary",
    "induce_lexicon",
    "lay_out",
    "look_up",
    "most_similar",
    "name_levels",
    "read_calibration",
    "shared_axes",
]
