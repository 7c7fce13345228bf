"""Vectors for words without a row, computed from character n-grams and tables of their vectors."""

from isoalign.subwords._subwords import NGramSubwords, Subwords

__all__ = ["NGramSubwords", "Subwords"]
