"""Transform and filter the words of a stream: case, Unicode form, duplicates, number."""

from collections.abc import Iterator
from typing import Any
from unicodedata import normalize

import numpy as np

from isoalign._core.validate import check_choice, check_count
from isoalign.errors import FormatError
from isoalign.io._checks import count
from isoalign.io._stream import Block, VectorStream, take_rows

__all__ = ["DUPLICATES", "UNICODE_FORMS", "check_unicode", "choose_words", "rewrite_word"]

DUPLICATES = ("first", "keep", "error")
UNICODE_FORMS = ("NFC", "NFKC")


def choose_words(
    stream: VectorStream,
    *,
    name: str,
    limit: int | None = None,
    lower: bool = False,
    unicode: str | None = None,
    duplicates: str = "first",
) -> VectorStream:
    """Rewrite the words of a stream, drop duplicates, and stop after ``limit`` words.

    Parameters
    ----------
    name
        Name of the stream in errors.
    limit
        Number of words to keep; reading stops there.
    lower
        Lower-case the words; the first casing of a word, the most frequent one, is kept.
    unicode
        ``"NFC"``, ``"NFKC"`` or None.
    duplicates
        ``"first"`` keeps the first row of a word, ``"keep"`` every row, ``"error"`` raises an error.
    """
    check_choice(duplicates, DUPLICATES, name="duplicates")
    check_unicode(unicode)
    if lower or unicode:
        stream.map(lambda block: Block([rewrite_word(word, lower, unicode) for word in block.words], block.vectors))
    if duplicates != "keep":
        stream.blocks = _without_duplicates(stream.blocks, stream.metadata, name, refuse=duplicates == "error")
    if limit is not None:
        limit = check_count(limit, name="limit")
        stream.blocks = take_rows(stream.blocks, limit)
        stream.n_rows = None if stream.n_rows is None else min(stream.n_rows, limit)
    return stream


def check_unicode(unicode: str | None) -> None:
    """Raise an error for an unknown Unicode form."""
    if unicode is not None:
        check_choice(unicode, UNICODE_FORMS, name="unicode")


def rewrite_word(word: str, lower: bool, unicode: str | None) -> str:
    """Convert a word to lower case and to a Unicode form, if requested."""
    word = word.lower() if lower else word
    return normalize(unicode, word) if unicode else word  # type: ignore[arg-type]


def _without_duplicates(blocks: Iterator[Block], counts: dict[str, Any], name: str, *, refuse: bool) -> Iterator[Block]:
    seen: set[str] = set()
    row = 0
    for words, vectors in blocks:
        before = len(seen)
        fresh = set(words)
        if len(fresh) == len(words) and seen.isdisjoint(fresh):
            seen |= fresh
            yield Block(words, vectors)
        else:
            keep = []
            for i, word in enumerate(words):
                if word not in seen:
                    seen.add(word)
                    keep.append(i)
                elif refuse:
                    raise FormatError(f"{name}: row {row + i + 1}: the word {word!r} occurs twice. Keep the first one?")
            dropped = len(words) - (len(seen) - before)
            count(counts, "dropped_duplicates", dropped)
            yield Block([words[i] for i in keep], vectors[np.array(keep, dtype=np.int64)])
        row += len(words)
