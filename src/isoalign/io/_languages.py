"""Guess the language of a vector file from its name."""

import re
from pathlib import Path

from isoalign._core.types import PathName

__all__ = ["guess_lang"]

_NAMES = re.compile(
    r"(?:(?:wiki|cc)\.(?:multi\.)?(?P<code>[a-z]{2,3}(?:[_-][a-z]+)*)|(?P<bare>[a-z]{2}))"
    r"(?:\.\d+)?(?:\.[a-z][a-z0-9]*){1,3}"
)


def guess_lang(path: PathName) -> str | None:
    """Return the language code in names like ``wiki.en.vec``, ``cc.ja.300.bin.gz`` or ``en.vec``, or None."""
    found = _NAMES.fullmatch(Path(path).name)
    return None if found is None else found["code"] or found["bare"]
