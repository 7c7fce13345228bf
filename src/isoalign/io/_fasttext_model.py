"""Locate the parts of a fastText model, ``.bin`` or quantised ``.ftz``, in its file.

All numbers are little-endian. In order: magic number, version, settings, dictionary, input matrix (one row per word,
then one per n-gram bucket), output matrix. Nothing is copied, and every size is compared with the remaining bytes.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isoalign._core.compile import compiled
from isoalign._core.types import IntVector
from isoalign.errors import FormatError
from isoalign.io._bounds import WORD_BYTES
from isoalign.io._checks import check_dim
from isoalign.subwords._ngrams import NGrams
from isoalign.subwords._row_tables import CENTROIDS, DenseTable, QuantizedTable

__all__ = ["MAGIC", "FastTextModel", "parse_model"]

MAGIC = (793712314).to_bytes(4, "little")

_VERSIONS = (11, 12)
_SETTINGS = (
    "dim",
    "ws",
    "epoch",
    "minCount",
    "neg",
    "wordNgrams",
    "loss",
    "model",
    "bucket",
    "minn",
    "maxn",
    "lrUpdateRate",
)
_MODELS = {1: "cbow", 2: "skipgram", 3: "supervised"}
_MAX_NGRAM = 100
_ENTRY_BYTES = 10  # minimum size of a dictionary entry: the end of its word, its count, its type
_NOT_PRUNED = -1


@dataclass(frozen=True)
class FastTextModel:
    """Layout of a fastText file.

    Attributes
    ----------
    data
        The bytes of the file.
    about
        Settings of the model.
    words
        (n_words, 2): start and end of each word in ``data``.
    ngrams
        The n-grams of words, and their rows in ``table``.
    table
        The input matrix.
    dense
        Start of the numbers of the input and the output matrix in ``data``, and their numbers of rows. Empty if
        quantised.
    """

    data: NDArray[np.uint8]
    about: dict[str, Any]
    words: IntVector
    ngrams: NGrams
    table: DenseTable | QuantizedTable
    dense: tuple[tuple[int, int], ...]


class _Cursor:
    """Read the parts of the file in order, never beyond its end."""

    def __init__(self, path: Path, data: NDArray[np.uint8]) -> None:
        self.path, self.data, self.position = path, data, 0

    def fail(self, what: str) -> FormatError:
        return FormatError(f"{self.path}: byte {self.position}: {what} Is the file cut off or damaged?")

    def array(self, dtype: str, count: int, what: str) -> NDArray[Any]:
        """Return a view of the next ``count`` numbers."""
        size = count * np.dtype(dtype).itemsize
        left = len(self.data) - self.position
        if not 0 <= size <= left:
            raise self.fail(f"{what} should take {size} bytes, but {left} are left.")
        view = self.data[self.position : self.position + size].view(dtype)
        self.position += size
        return view

    def number(self, dtype: str, what: str) -> int:
        return int(self.array(dtype, 1, what)[0])


def parse_model(path: Path, data: NDArray[np.uint8]) -> FastTextModel:
    """Locate the parts of a fastText model in its file."""
    cursor = _Cursor(path, data)
    if cursor.array("u1", 4, "the magic number").tobytes() != MAGIC:
        raise FormatError(f"{path}: not a fastText model of a version that can be read.")
    version = cursor.number("<i4", "the version")
    if version not in _VERSIONS:
        raise FormatError(f"{path}: fastText format version {version}. Versions 11 and 12 can be read.")
    settings = dict(zip(_SETTINGS, cursor.array("<i4", len(_SETTINGS), "the settings").tolist(), strict=True))
    cursor.array("<f8", 1, "the settings")  # the sampling threshold
    dim = check_dim(settings["dim"], path=path)
    model = _MODELS.get(settings["model"], "unknown")
    if version == 11 and model == "supervised":
        settings["maxn"] = 0  # classifiers of that version have no character n-grams, whatever the file says
    if settings["maxn"] > _MAX_NGRAM:
        raise FormatError(f"{path}: its settings promise n-grams of {settings['maxn']} characters. Is it damaged?")

    words, kept = _read_dictionary(cursor)
    quantized = cursor.number("u1", "the kind of the input matrix") != 0
    table, start = _read_matrix(cursor, dim, quantized=quantized)
    ngrams = _make_ngrams(cursor, settings, len(words), len(table), kept)
    quantized_output = cursor.number("u1", "the kind of the output matrix") != 0
    output, output_start = _read_matrix(cursor, dim, quantized=quantized and quantized_output)
    dense = () if quantized else ((start, len(table)), (output_start, len(output)))
    about = {name: settings[name] for name in ("minn", "maxn", "bucket")}
    about |= {"model": model, "version": version, "quantized": quantized}
    return FastTextModel(data, about, words, ngrams, table, dense)


def _read_dictionary(cursor: _Cursor) -> tuple[IntVector, NDArray[np.int32] | None]:
    """Return the positions of the words, and the kept buckets with their rows, (k, 2), or None if none were pruned."""
    size, n_words, _ = cursor.array("<i4", 3, "the sizes of the dictionary").tolist()
    cursor.number("<i8", "the number of tokens")
    n_kept = cursor.number("<i8", "the number of kept buckets")
    left = len(cursor.data) - cursor.position
    if not 0 <= n_words <= size or size * _ENTRY_BYTES > left or n_kept < _NOT_PRUNED:
        raise cursor.fail(f"A dictionary of {size} entries, {n_words} of them words, does not fit the file.")
    spans, position = _find_entries(cursor.data, cursor.position, size, WORD_BYTES)
    if len(spans) < size:
        cursor.position = position
        raise cursor.fail(
            f"Entry {len(spans) + 1} of the {size} in the dictionary does not end, or has too long a word."
        )
    cursor.position = position
    kept = None if n_kept == _NOT_PRUNED else cursor.array("<i4", 2 * n_kept, "the kept buckets").reshape(-1, 2)
    return spans[:n_words], kept


@compiled()
def _find_entries(data: NDArray[np.uint8], position: int, size: int, longest: int) -> tuple[IntVector, int]:
    """Return start and end of the words of complete entries, (size, 2), and the byte after the last entry.

    The search ends at the first word of more than ``longest`` bytes.
    """
    spans = np.empty((size, 2), dtype=np.int64)
    for entry in range(size):
        stop = position
        while stop < len(data) and stop - position <= longest and data[stop] != 0:
            stop += 1
        if stop + _ENTRY_BYTES > len(data) or stop - position > longest:
            return spans[:entry], position
        spans[entry, 0], spans[entry, 1] = position, stop
        position = stop + _ENTRY_BYTES
    return spans, position


def _read_matrix(cursor: _Cursor, dim: int, *, quantized: bool) -> tuple[DenseTable | QuantizedTable, int]:
    """Return a matrix, and the byte at which its numbers begin."""
    with_lengths = quantized and cursor.number("u1", "the kind of quantisation") != 0
    rows, columns = cursor.array("<i8", 2, "the shape of a matrix").tolist()
    if rows < 0 or columns != dim:
        raise cursor.fail(f"A matrix of shape {rows} × {columns} cannot hold vectors of {dim} values.")
    if not quantized:
        start = cursor.position
        return DenseTable(cursor.array("<f4", rows * columns, "a matrix").reshape(rows, columns)), start
    code_bytes = cursor.number("<i4", "the size of the codes")
    start = cursor.position
    codes = cursor.array("u1", code_bytes, "the codes")
    parts, width, centroids = _read_quantizer(cursor, dim)
    if code_bytes != rows * parts:
        raise cursor.fail(f"{code_bytes} codes do not fit {rows} rows of {parts} parts.")
    lengths = None
    if with_lengths:
        length_codes = cursor.array("u1", rows, "the codes of the lengths")
        lengths = _read_quantizer(cursor, 1)[2][length_codes]
    return QuantizedTable(codes.reshape(rows, parts), centroids, width, lengths), start


def _read_quantizer(cursor: _Cursor, dim: int) -> tuple[int, int, NDArray[np.float32]]:
    """Return the number of parts, the numbers in a part, and the centroids in aligned memory."""
    columns, parts, width, last = cursor.array("<i4", 4, "the shape of a quantiser").tolist()
    if columns != dim or width < 1 or not 1 <= last <= width or (parts - 1) * width + last != dim:
        raise cursor.fail(f"A quantiser of {parts} parts of {width} numbers does not fit vectors of {dim}.")
    return parts, width, cursor.array("<f4", dim * CENTROIDS, "the centroids").copy()


def _make_ngrams(
    cursor: _Cursor, settings: dict[str, int], n_words: int, n_rows: int, kept: NDArray[np.int32] | None
) -> NGrams:
    minn, maxn, bucket = settings["minn"], settings["maxn"], settings["bucket"]
    room = n_rows - n_words
    if kept is None:
        ngrams = NGrams(minn, maxn, bucket, n_words)
        needed = bucket if ngrams else 0
    else:
        order = np.argsort(kept[:, 0], kind="stable")
        buckets, rows = (kept[order, column].astype(np.int64) for column in (0, 1))
        ngrams = NGrams(minn, maxn, bucket, n_words, (buckets, rows))
        needed = int(rows.max(initial=-1)) + 1
        if rows.min(initial=0) < 0:
            raise cursor.fail("A kept bucket has a negative row.")
    if room < needed:
        raise cursor.fail(f"{n_rows} rows are too few for {n_words} words and {needed} rows of n-grams.")
    return ngrams
