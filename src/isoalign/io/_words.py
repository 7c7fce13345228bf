"""Change and choose the words of a stream: letter case, Unicode form, duplicates, how many."""

from collections.abc import Iterator
from typing import Any
from unicodedata import normalize

import numpy as np

from isoalign._validate import check_choice, check_count
from isoalign.errors import FormatError
from isoalign.io._checks import count
from isoalign.io._stream import Block, VectorStream, take_rows

__all__ = ["DUPLICATES", "UNICODE_FORMS", "choose_words"]

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
    """Rewrite the words of a stream, then drop those that stand already, then stop after ``limit`` words.

    Parameters
    ----------
    name
        What errors call the stream.
    limit
        Number of words to keep; reading stops there.
    lower
        Lower-case; of several casings the first, the most frequent, stays.
    unicode
        ``"NFC"``, ``"NFKC"`` or None.
    duplicates
        ``"first"`` keeps the first row of a word, ``"keep"`` every row, ``"error"`` refuses.
    """
    check_choice(duplicates, DUPLICATES, name="duplicates")
    if unicode is not None:
        check_choice(unicode, UNICODE_FORMS, name="unicode")
    if lower or unicode:
        stream.map(lambda block: Block([_rewrite(word, lower, unicode) for word in block.words], block.vectors))
    if duplicates != "keep":
        stream.blocks = _without_duplicates(stream.blocks, stream.metadata, name, refuse=duplicates == "error")
    if limit is not None:
        limit = check_count(limit, name="limit")
        stream.blocks = take_rows(stream.blocks, limit)
        stream.n_rows = None if stream.n_rows is None else min(stream.n_rows, limit)
    return stream


def _rewrite(word: str, lower: bool, unicode: str | None) -> str:
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
                    raise FormatError(f"{name}: row {row + i + 1}: the word {word!r} stands twice. Keep the first one?")
            dropped = len(words) - (len(seen) - before)
            count(counts, "dropped_duplicates", dropped)
            yield Block([words[i] for i in keep], vectors[np.array(keep, dtype=np.int64)])
        row += len(words)
