"""Keys of the rows of a matrix: words or integers."""

import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

from isoalign._core.types import IntVector, Key
from isoalign.errors import FormatError, ParameterError

__all__ = ["IntegerKeys", "Keys", "Vocabulary", "as_keys"]


class Vocabulary(Sequence[str]):
    """The words of an embedding, in row order, with an index built at the first look-up.

    A packed vocabulary consists of one UTF-8 byte array and n + 1 offsets into it, so that two million words can be
    opened instantly from a memory map. The word list and the index are built when first needed.
    """

    __slots__ = ("_blob", "_offsets", "_rows", "_words")

    def __init__(self, words: Iterable[str]) -> None:
        self._words: list[str] | None = words if isinstance(words, list) else list(words)
        self._rows: dict[str, int] | None = None
        self._blob: NDArray[np.uint8] | None = None
        self._offsets: IntVector | None = None

    @classmethod
    def from_packed(cls, blob: NDArray[np.uint8], offsets: IntVector) -> "Vocabulary":
        """Wrap packed words without decoding them.

        Parameters
        ----------
        blob
            The concatenated UTF-8 bytes of all words.
        offsets
            (n + 1,): word ``i`` is ``blob[offsets[i]:offsets[i + 1]]``.
        """
        vocabulary = cls.__new__(cls)
        vocabulary._words, vocabulary._rows = None, None
        vocabulary._blob, vocabulary._offsets = blob, offsets
        return vocabulary

    def to_packed(self) -> tuple[NDArray[np.uint8], IntVector]:
        """Return the words as UTF-8 bytes and offsets, see `from_packed`."""
        if self._blob is not None and self._offsets is not None:
            return self._blob, self._offsets
        encoded = [word.encode() for word in self.words]
        offsets = np.zeros(len(encoded) + 1, dtype=np.int64)
        np.cumsum([len(word) for word in encoded], out=offsets[1:])
        return np.frombuffer(b"".join(encoded), dtype=np.uint8), offsets

    @property
    def keys(self) -> list[str]:
        """The words as a list."""
        return self.words

    @property
    def words(self) -> list[str]:
        """The words as a list, decoded once."""
        if self._words is None:
            self._words = self._decode(0, len(self))
        return self._words

    @property
    def rows(self) -> dict[str, int]:
        """The row of every word; for duplicate words, the first row."""
        if self._rows is None:
            words = self.words
            self._rows = dict(zip(reversed(words), range(len(words) - 1, -1, -1), strict=True))
        return self._rows

    def find(self, words: Iterable[Key]) -> IntVector:
        """Return the row of each word, -1 for unknown ones."""
        get: Any = self.rows.get
        return np.fromiter((get(word, -1) for word in words), dtype=np.int64)

    def _decode(self, start: int, stop: int) -> list[str]:
        assert self._blob is not None and self._offsets is not None  # noqa: PT018  (one of the two forms exists)
        offsets = self._offsets[start : stop + 1].tolist()
        blob = self._blob[offsets[0] : offsets[-1]].tobytes()
        base = offsets[0]
        if np.any(np.diff(self._offsets[start : stop + 1]) < 0) or not 0 <= base <= offsets[-1] <= len(self._blob):
            raise FormatError("The packed vocabulary is damaged: the offsets of its words go backwards.")
        return [blob[a - base : b - base].decode(errors="replace") for a, b in itertools.pairwise(offsets)]

    def __len__(self) -> int:
        if self._words is not None:
            return len(self._words)
        return len(self._offsets) - 1 if self._offsets is not None else 0

    @overload
    def __getitem__(self, row: int) -> str: ...
    @overload
    def __getitem__(self, row: slice) -> "Vocabulary": ...
    def __getitem__(self, row: int | slice) -> "str | Vocabulary":
        if isinstance(row, slice):
            start, stop, step = row.indices(len(self))
            if self._words is None and step == 1 and self._blob is not None and self._offsets is not None:
                return Vocabulary.from_packed(self._blob, self._offsets[start : max(start, stop) + 1])
            return Vocabulary(self.words[row])
        if self._words is not None:
            return self._words[row]
        row = range(len(self))[row]
        return self._decode(row, row + 1)[0]

    def __iter__(self) -> Iterator[str]:
        return iter(self.words)

    def __contains__(self, word: Any) -> bool:
        return word in self.rows

    def __eq__(self, other: object) -> bool:
        return self.words == other.words if isinstance(other, Vocabulary) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        shown = ", ".join(repr(self[row]) for row in range(min(3, len(self))))
        return f"Vocabulary({len(self)} words: {shown}{', …' if len(self) > 3 else ''})"


class IntegerKeys(Sequence[int]):
    """Integers in row order: the ids of documents, or the row numbers.

    Parameters
    ----------
    keys
        (n,) int64. If a key occurs twice, its first row is used.
    """

    __slots__ = ("_array", "_rows")

    def __init__(self, keys: IntVector) -> None:
        self._array = keys
        self._rows: dict[int, int] | None = None

    @property
    def array(self) -> IntVector:
        """The keys as an array, (n,)."""
        return self._array

    @property
    def keys(self) -> list[int]:
        """The keys as a list."""
        listed: list[int] = self._array.tolist()
        return listed

    @property
    def rows(self) -> dict[int, int]:
        """The row of every key."""
        if self._rows is None:
            keys = self.keys
            self._rows = dict(zip(reversed(keys), range(len(keys) - 1, -1, -1), strict=True))
        return self._rows

    def find(self, keys: Iterable[Key]) -> IntVector:
        """Return the row of each key, -1 for unknown ones."""
        get: Any = self.rows.get
        return np.fromiter((get(key, -1) for key in keys), dtype=np.int64)

    def __len__(self) -> int:
        return len(self._array)

    @overload
    def __getitem__(self, row: int) -> int: ...
    @overload
    def __getitem__(self, row: slice) -> "IntegerKeys": ...
    def __getitem__(self, row: int | slice) -> "int | IntegerKeys":
        return IntegerKeys(self._array[row]) if isinstance(row, slice) else int(self._array[row])

    def __contains__(self, key: Any) -> bool:
        return key in self.rows

    def __eq__(self, other: object) -> bool:
        return np.array_equal(self._array, other._array) if isinstance(other, IntegerKeys) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"IntegerKeys({len(self)} keys)"


Keys: TypeAlias = Vocabulary | IntegerKeys


def as_keys(keys: Iterable[Key] | None, n_rows: int) -> Keys:
    """Return words or integers as keys; None numbers the rows."""
    if keys is None:
        return IntegerKeys(np.arange(n_rows, dtype=np.int64))
    if isinstance(keys, (Vocabulary, IntegerKeys)):
        return keys
    listed: list[Any] = keys if isinstance(keys, list) else list(keys)
    if all(isinstance(key, str) for key in listed):
        return Vocabulary(listed)
    if all(isinstance(key, (int, np.integer)) and not isinstance(key, bool) for key in listed):
        return IntegerKeys(np.array(listed, dtype=np.int64))
    odd = next(key for key in listed if not isinstance(key, str))
    raise ParameterError(f"Keys must all be words or all be whole numbers. Got {odd!r} among them.")
