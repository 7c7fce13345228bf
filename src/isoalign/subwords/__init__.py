"""Vectors for words without a row: character n-grams and the tables of their rows."""

from isoalign.subwords._subwords import NGramSubwords, Subwords

__all__ = ["NGramSubwords", "Subwords"]
