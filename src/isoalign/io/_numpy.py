"""A NumPy ``.npy`` matrix with its words in a separate text file, one word per line."""

import io
import tokenize
import warnings
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.lib import format as npy

from isoalign._core.arrays import row_blocks
from isoalign._core.types import Matrix
from isoalign.errors import FileAccessError, FormatError, InvalidValueError
from isoalign.io._bounds import TABLE_LINES, WORD_CHARACTERS
from isoalign.io._checks import check_dim, convert_blocks, decode_words
from isoalign.io._compression import compression_of, create_binary, open_binary
from isoalign.io._lines import read_lines
from isoalign.io._pairs import name_beside, recover_pair
from isoalign.io._stream import Block, VectorStream

__all__ = ["encode_npy_header", "looks_like", "open_stream", "read_word_list", "write_stream"]

_MAGIC = b"\x93NUMPY"
_SUFFIXES = (".words", ".vocab", ".txt")  # the first is written; vectors do not have that suffix
_BLOCK_BYTES = 1 << 23
_HEADER_READERS = {(1, 0): (2, npy.read_array_header_1_0), (2, 0): (4, npy.read_array_header_2_0)}
_HEADER_BYTES = 10_000  # NumPy does not parse longer ones either
_HEADER_DAMAGE = (ValueError, TypeError, SyntaxError, RecursionError, MemoryError, tokenize.TokenError)


def looks_like(head: bytes, path: Path) -> bool:  # noqa: ARG001  (every format's has both)
    """Return whether the first bytes of a file are those of a ``.npy`` file."""
    return head.startswith(_MAGIC)


def open_stream(
    path: Path,
    *,
    on_bad: str = "error",  # noqa: ARG001  (every reader takes it)
    words: Iterable[str] | Path | None = None,
) -> VectorStream:
    """Open a ``.npy`` matrix, compressed or not, as a stream of its rows.

    Parameters
    ----------
    words
        The words in row order, or the file that lists them; None uses ``x.words``, ``x.vocab`` or ``x.txt`` next to
        ``x.npy``.
    """
    metadata: dict[str, Any] = {}
    recover_pair(path, _SUFFIXES[0])
    with open_binary(path) as file:
        start, shape, fortran, dtype = _read_header(path, file)
    _check_size(path, start, shape, dtype)
    if words is None:
        words = _find_word_list(path)
    named = words if isinstance(words, Path) else "words"
    listed = (
        read_word_list(words, metadata, most=max(shape[0], TABLE_LINES)) if isinstance(words, Path) else list(words)
    )
    if len(listed) != shape[0]:
        raise FormatError(f"{path}: {shape[0]} rows, but {named} has {len(listed)} words. Do they belong together?")
    if fortran and compression_of(path) is not None:
        raise FormatError(f"{path}: a matrix stored by columns cannot be streamed compressed. Decompress it first.")
    rows = _map_columns(path, start, shape, dtype) if fortran else _read_rows(path, start, shape, dtype)
    kept = dtype.newbyteorder("=").name if dtype.kind == "f" else "float32"

    def blocks() -> Iterator[Block]:
        done = 0
        for vectors in rows:
            with np.errstate(invalid="ignore"):  # the caller checks for NaN
                converted = np.ascontiguousarray(vectors, dtype=kept)
            yield Block(listed[done : done + len(vectors)], converted)
            done += len(vectors)

    return VectorStream(blocks(), dim=shape[1], n_rows=shape[0], dtype=kept, metadata=metadata)


def _read_header(path: Path, file: IO[bytes]) -> tuple[int, tuple[int, int], bool, np.dtype[Any]]:
    """Return the start of the matrix, its shape, whether it is stored by columns, and its type."""
    try:
        width, parse = _HEADER_READERS[npy.read_magic(file)]
        length = file.read(width)
        header = length + file.read(_header_length(length))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # of headers written by Python 2
            shape, fortran, dtype = parse(io.BytesIO(header))
    except (*_HEADER_DAMAGE, KeyError) as error:
        raise FormatError(f"{path}: its .npy header is damaged ({error}).") from error
    if len(shape) != 2 or shape[0] < 0:
        raise FormatError(f"{path}: expected a matrix with one row per word, got shape {shape}.")
    if dtype.kind not in "fiu" or dtype.itemsize > 8:
        raise FormatError(f"{path}: expected real numbers of at most 8 bytes, got {dtype}. Save it as float32.")
    return npy.MAGIC_LEN + len(header), (int(shape[0]), check_dim(int(shape[1]), path=path)), fortran, dtype


def _header_length(encoded: bytes) -> int:
    length = int.from_bytes(encoded, "little")
    if length > _HEADER_BYTES:
        raise ValueError(f"it says it has {length} bytes")
    return length


def _check_size(path: Path, start: int, shape: tuple[int, int], dtype: np.dtype[Any]) -> None:
    """Compare the header with the size of an uncompressed file."""
    needed = start + shape[0] * shape[1] * dtype.itemsize
    size = path.stat().st_size
    if compression_of(path) is None and needed > size:
        raise FormatError(f"{path}: its header promises {needed} bytes, but the file has {size}. Is it cut off?")


def _read_rows(path: Path, start: int, shape: tuple[int, int], dtype: np.dtype[Any]) -> Iterator[Matrix]:
    row_bytes = shape[1] * dtype.itemsize
    with open_binary(path) as file:
        file.read(start)
        for rows in row_blocks(shape[0], max(1, _BLOCK_BYTES // row_bytes)):
            data = file.read((rows.stop - rows.start) * row_bytes)
            if len(data) < (rows.stop - rows.start) * row_bytes:
                row = rows.start + len(data) // row_bytes + 1
                raise FormatError(f"{path}: the file ends within row {row} of {shape[0]}. Is it cut off?")
            yield np.frombuffer(data, dtype=dtype).reshape(-1, shape[1])


def _map_columns(path: Path, start: int, shape: tuple[int, int], dtype: np.dtype[Any]) -> Iterator[Matrix]:
    if shape[0] == 0:
        return
    matrix = np.memmap(path, dtype=dtype, mode="r", offset=start, shape=shape, order="F")
    for rows in row_blocks(shape[0]):
        yield matrix[rows]


def _find_word_list(path: Path) -> Path:
    candidates = [name_beside(path, suffix) for suffix in _SUFFIXES]
    found = next((candidate for candidate in candidates if candidate.is_file()), None)
    if found is None:
        names = ", ".join(candidate.name for candidate in candidates)
        raise FileAccessError(f"{path}: a .npy file contains no words, and there is none of {names} next to it.")
    return found


def read_word_list(path: Path, metadata: dict[str, Any], *, most: int) -> list[str]:
    """Read one word per line, at most ``most`` words; see `read_lines`."""
    lines = read_lines(path, most=most)
    if lines[-1] == b"":
        lines.pop()
    return decode_words(lines, metadata)


def write_stream(stream: VectorStream, temporary: Path, word_list: Path, *, named: Path) -> None:
    """Write a stream as a ``.npy`` file, and its words to a list that becomes ``.words`` next to it.

    The stream must know its length.
    """
    assert stream.n_rows is not None
    beside = name_beside(named, _SUFFIXES[0])
    dtype = np.dtype(stream.dtype).newbyteorder("<").str
    with (
        word_list.open("wb") as lines,
        create_binary(temporary, named=named) as file,
    ):
        file.write(encode_npy_header(dtype, (stream.n_rows, stream.dim)))
        for words, vectors in convert_blocks(stream, dtype, named=named):
            text = b"".join(_encode_line(word, beside) for word in words)
            is_first = lines.tell() == 0
            lines.write(BOM_UTF8 + text if is_first and text.startswith(BOM_UTF8) else text)  # a reader drops one
            file.write(vectors.data)


def _encode_line(word: str, path: Path) -> bytes:
    if "\n" in word or word.endswith("\r") or len(word) > WORD_CHARACTERS:
        raise InvalidValueError(
            f"{path}: a list of words cannot contain {word[:60]!r}: it has a line end or more than "
            f"{WORD_CHARACTERS} characters. Write a native folder."
        )
    return word.encode() + b"\n"


def encode_npy_header(dtype: str, shape: tuple[int, int]) -> bytes:
    """Return a version 1 header, padded so that the matrix begins at a multiple of 64 bytes."""
    text = repr({"descr": dtype, "fortran_order": False, "shape": shape}).encode()
    length = -(-(len(text) + 11) // npy.ARRAY_ALIGN) * npy.ARRAY_ALIGN - 10
    return npy.magic(1, 0) + length.to_bytes(2, "little") + text.ljust(length - 1) + b"\n"
