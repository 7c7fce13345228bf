"""Limits of the readers, since files may come from untrusted sources.

Every limit is far beyond the needs of real files, and small enough that a file is rejected in less than a second and
with less than 1 GB of memory.
"""

__all__ = [
    "BAD_LINES",
    "COMPRESSION_RATIO",
    "DESCRIPTION_BYTES",
    "HEADER_BYTES",
    "LINE_BYTES",
    "TABLE_BYTES",
    "TABLE_LINES",
    "TABLE_LINE_BYTES",
    "TRUSTED_BYTES",
    "VALUE_BYTES",
    "WORD_BYTES",
    "WORD_CHARACTERS",
    "row_limit",
]

WORD_BYTES = 1 << 16
"""Longest word of a vector file."""

WORD_CHARACTERS = WORD_BYTES // 4
"""Longest word that writers of text and binary formats accept, so that readers accept it, whatever its characters."""

VALUE_BYTES = 1 << 10
"""Longest number in a text file, on average over its row."""

LINE_BYTES = 1 << 25
"""Longest line of a text file of vectors, whatever its number of columns."""

BAD_LINES = 10_000
"""Maximum number of lines in one segment of a text file (4 MiB) that are blank, bad or need the slow parser."""

TABLE_BYTES = 1 << 27
"""Largest table that is read whole (dictionary, similarity set, list of words), decompressed."""

TABLE_LINES = 1 << 22
"""Maximum number of lines of a dictionary or a similarity set."""

TABLE_LINE_BYTES = 1 << 18
"""Longest line of a table."""

HEADER_BYTES = 1 << 22
"""Longest JSON header of a safetensors file."""

DESCRIPTION_BYTES = 1 << 24
"""Largest JSON or TOML description."""

COMPRESSION_RATIO = 100
"""Maximum compression ratio; vectors stay below 16."""

TRUSTED_BYTES = 1 << 28
"""Decompressed bytes up to which `COMPRESSION_RATIO` is not enforced."""


def row_limit(dim: int) -> int:
    """Return the longest line that a row of ``dim`` values may take in a text file."""
    return min(WORD_BYTES + dim * VALUE_BYTES, LINE_BYTES)
