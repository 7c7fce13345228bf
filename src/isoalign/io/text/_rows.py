"""Parse rows of word-vector text: a word, then ``dim`` numbers."""

import re
from dataclasses import dataclass
from itertools import islice, takewhile

import numpy as np
from numpy.typing import NDArray

from isoalign._core.compile import compiled
from isoalign._core.types import Matrix, MatrixLike
from isoalign.io._bounds import BAD_LINES, WORD_BYTES, row_limit
from isoalign.io.text._numbers import exact_float32, exact_float64, is_number, parse_number
from isoalign.io.text._segments import Bytes

__all__ = [
    "BLANK_LINE",
    "BadRowError",
    "ParsedRows",
    "decimals_to_tell",
    "parse_row",
    "parse_rows",
    "split_fields",
    "split_row",
]

_SEPARATORS = re.compile(rb"[ \t]+")
_0, _1 = np.uint64(0), np.uint64(1)
_SPACED, _DEFERRED = 1, 2
_REPAIR = "Repair or skip that line (--skip-bad)."

BLANK_LINE = f"got a blank line. {_REPAIR}"
"""The end of the message about a blank line among rows."""


class BadRowError(ValueError):
    """A line that is not a row of word vectors; the message says why."""


@dataclass(frozen=True)
class ParsedRows:
    """The rows of one run of lines.

    Attributes
    ----------
    vectors
        (n, dim).
    words
        The n words as bytes, each followed by a line end.
    spaced
        (s, 3): row, line, and start of the line, for rows whose word contains a space.
    deferred
        (t, 3): expected row, line, and start, for lines that `parse_row` must parse.
    n_lines
        All lines; those after more than `BAD_LINES` deferred ones are counted but not parsed.
    is_whole
        Whether all lines were parsed.
    """

    vectors: Matrix
    words: Bytes
    spaced: NDArray[np.int64]
    deferred: NDArray[np.int64]
    n_lines: int
    is_whole: bool = True


def parse_rows(data: Bytes, dim: int, *, dtype: str = "float32") -> ParsedRows:
    """Parse complete lines, the last of which ends with a line end."""
    n_lines = _count_lines(data)
    most = min(n_lines, len(data) // (2 * dim) + 1)
    vectors = np.empty((most, dim), dtype=dtype)
    words = np.empty(len(data), dtype=np.uint8)
    notes = np.empty((min(n_lines, most + BAD_LINES + 1), 4), dtype=np.int64)
    number = np.empty(1, dtype=np.float64)
    bits = (number, number.view(np.int64))
    n_rows, n_bytes, n_notes, is_whole = _parse_rows(
        data, vectors, words, notes, bits, dtype == "float64", WORD_BYTES, BAD_LINES
    )
    notes = notes[:n_notes]
    return ParsedRows(
        vectors[:n_rows],
        words[:n_bytes],
        notes[notes[:, 0] == _SPACED, 1:],
        notes[notes[:, 0] == _DEFERRED, 1:],
        n_lines,
        is_whole,
    )


@compiled()
def _count_lines(data):  # type: ignore[no-untyped-def]
    count = 0
    for byte in data:
        count += byte == 10
    return count


@compiled()
def _parse_rows(data, vectors, words, notes, bits, exact, longest, most_deferred):  # type: ignore[no-untyped-def]
    """Fill the arrays of `ParsedRows` and return how much of each is used.

    The memory of one number, ``bits``, comes from the caller: what a kernel allocates itself makes numba import more
    when it loads the kernel.
    """
    n, row, line, n_notes, n_deferred = np.uint64(len(data)), _0, 0, 0, 0
    start, n_bytes = _0, _0
    while start < n and n_deferred <= most_deferred:
        # Most words have one field: parse from the left and check that the line ends after the last value.
        i = start
        while data[i] != 32 and data[i] != 9 and data[i] != 10:
            i += _1
        word_end, kind = i, 0
        i = _parse_values(data, i, vectors, row, bits, exact) if i > start else _0
        if i == _0:
            line_end = start
            while data[line_end] != 10:
                line_end += _1
            values = _find_values(data, start, line_end, vectors.shape[1])
            kind, i = _DEFERRED, line_end
            if values > start:
                stop = _parse_values(data, values, vectors, row, bits, exact)
                if stop > _0:
                    kind, word_end = _SPACED, values - _1
        if word_end - start > longest:
            kind = _DEFERRED
        n_deferred += kind == _DEFERRED
        if kind > 0:
            notes[n_notes, 0], notes[n_notes, 1], notes[n_notes, 2], notes[n_notes, 3] = kind, row, line, start
            n_notes += 1
        if kind != _DEFERRED:
            for byte in range(start, word_end):
                words[n_bytes] = data[byte]
                n_bytes += _1
            words[n_bytes] = 10
            n_bytes += _1
            row += _1
        start = i + _1
        line += 1
    return row, n_bytes, n_notes, start >= n


@compiled()
def _parse_values(data, i, vectors, row, bits, exact):  # type: ignore[no-untyped-def]
    """Parse one number per column up to the end of the line; return its end, or 0 on failure."""
    for column in range(np.uint64(vectors.shape[1])):
        while data[i] == 32 or data[i] == 9:
            i += _1
        value, i = parse_number(data, i, bits, exact)
        if i == _0:
            return _0
        if data[i] > 32:  # the number is followed by other characters
            return _0
        vectors[row, column] = value
    while data[i] == 32 or data[i] == 9 or data[i] == 13:
        i += _1
    return i if data[i] == 10 else _0


@compiled()
def _find_values(data, start, i, dim):  # type: ignore[no-untyped-def]
    """Return the start of the last ``dim`` fields of a line, or 0 if nothing precedes them."""
    while i > start and (data[i - _1] == 32 or data[i - _1] == 9 or data[i - _1] == 13):
        i -= _1
    for field in range(dim):
        while i > start and data[i - _1] != 32 and data[i - _1] != 9:
            i -= _1
        if i == start:
            return _0
        if field < dim - 1:
            while i > start and (data[i - _1] == 32 or data[i - _1] == 9):
                i -= _1
    return i


def split_fields(line: bytes) -> list[bytes]:
    """Split a line at runs of spaces and tabs; the first field is empty if it begins with one."""
    return _SEPARATORS.split(line.rstrip(b" \t\r"))


def split_row(line: bytes, dim: int) -> tuple[bytes, list[bytes]]:
    """Split a line into its word and its last ``dim`` fields.

    Raises
    ------
    BadRowError
        If the line is blank, if there are fewer fields, or if the word seems to contain values too.
    """
    fields = split_fields(line)
    if fields == [b""]:
        raise BadRowError(f"expected {dim} values, {BLANK_LINE}")
    if len(fields) <= dim:
        raise BadRowError(f"expected {dim} values, got {len(fields) - 1}. Is the file cut off?")
    values = fields[-dim:]
    if len(fields) == dim + 1 and fields[0]:
        _check_word(fields[0])
        return fields[0], values
    *_, first = islice(_SEPARATORS.finditer(line), len(fields) - dim)
    word = line[: first.end() - 1]
    _check_word(word)
    extra = _values_in(word, values)
    if extra:
        raise BadRowError(f"expected {dim} values, got {dim + extra}. {_REPAIR}")
    return word, values


def _check_word(word: bytes) -> None:
    if len(word) > WORD_BYTES:
        raise BadRowError(f"a word has at most {WORD_BYTES:,} bytes, got {len(word):,}. {_REPAIR}")


def _values_in(word: bytes, values: list[bytes]) -> int:
    """Count the fields at the end of a word that look like values of this row.

    A word may end in a number ("apollo 11", "windows 3.1"). The number is taken for a value only if it has at least as
    many decimals as the values of the row.
    """
    if not decimals_to_tell(word):
        return 0
    decimals = min(_decimals(value) for value in values)
    fields = reversed(_SEPARATORS.split(word)[1:])
    return len(list(takewhile(lambda field: is_number(field) and _decimals(field) >= decimals, fields)))


def decimals_to_tell(word: bytes) -> int:
    """Return the number of decimals that the values of a row need so that the end of its word is not taken for one."""
    fields = _SEPARATORS.split(word)
    return _decimals(fields[-1]) + 1 if len(fields) > 1 and is_number(fields[-1]) else 0


def _decimals(number: bytes) -> int:
    return len(number.lower().partition(b"e")[0].partition(b".")[2])


def _show(field: bytes) -> str:
    return repr(field[:60].decode(errors="replace"))


def parse_row(line: bytes, dim: int, *, dtype: str = "float32") -> tuple[bytes, MatrixLike]:
    """Parse one line by the full rule, exact but slow, into its word and its values (dim,).

    Raises
    ------
    BadRowError
        With the reason, when the line is not a row.
    """
    if len(line) > row_limit(dim):
        raise BadRowError(f"a row of {dim} values has at most {row_limit(dim):,} bytes, got more. {_REPAIR}")
    word, fields = split_row(line, dim)
    try:
        values: MatrixLike = exact_float64(fields) if dtype == "float64" else exact_float32(fields)
    except ValueError:
        bad = next(field for field in fields if not is_number(field))
        raise BadRowError(f"{_show(bad)} is not a number. {_REPAIR}") from None
    if not np.isfinite(values).all():
        bad = fields[int(np.isfinite(values).argmin())]
        raise BadRowError(f"{_show(bad)} is not a finite {dtype} number. {_REPAIR}")
    return word, values
