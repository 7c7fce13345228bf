"""Stores of vectors, one per file: rows are read in chunks from any row on, and outputs can be resumed."""

from isoalign.migration._stores._base import AbstractSink, AbstractSource, Chunk, mapped_chunks, widen
from isoalign.migration._stores._open import open_sink, open_source, source_column

__all__ = [
    "AbstractSink",
    "AbstractSource",
    "Chunk",
    "mapped_chunks",
    "open_sink",
    "open_source",
    "source_column",
    "widen",
]
