"""fastText models, ``.bin`` and quantised ``.ftz``: the vectors of the vocabulary, and of any other word.

The vector of a word is the mean of its own row and of the rows of its character n-grams (Bojanowski et al. 2017).
"""

from pathlib import Path
from typing import IO, Any

import numpy as np

from isoalign._core.arrays import row_blocks
from isoalign._core.threads import map_threads
from isoalign._core.types import DoubleVector, FloatVector, Matrix, MatrixLike, PathName
from isoalign._core.validate import check_matrix
from isoalign.errors import FormatError, ParameterError, ShapeError
from isoalign.io._atomic import replacing_file
from isoalign.io._checks import decode_words
from isoalign.io._compression import check_readable, create_binary, map_bytes
from isoalign.io._fasttext_model import MAGIC, FastTextModel, parse_model
from isoalign.io._stream import Block, VectorStream
from isoalign.subwords import NGramSubwords

__all__ = ["looks_like", "open_stream", "write_mapped"]

_PIECE_ROWS = 1024  # rows that one thread makes at a time
_COPY_BYTES = 1 << 23


def looks_like(head: bytes, path: Path) -> bool:  # noqa: ARG001  (every format's has both)
    """Return whether the first bytes of a file are those of a fastText model."""
    return head.startswith(MAGIC)


def open_stream(path: Path, *, on_bad: str = "error") -> VectorStream:  # noqa: ARG001  (every reader takes it)
    """Open a fastText model as a stream of the vectors of its words; ``subwords`` makes those of other words.

    The file is mapped, so opening costs the same for any size of the matrices. A compressed model is unpacked into a
    temporary file first. Labels of a classifier are not words. Invalid UTF-8 in words is replaced and counted in
    ``metadata["replaced_words"]``; n-grams are those of the original bytes.
    """
    model = parse_model(path, map_bytes(path))
    subwords = NGramSubwords(model.ngrams, model.table)
    metadata: dict[str, Any] = {"fasttext": model.about}

    return VectorStream(
        (_make_block(model, subwords, rows, metadata) for rows in row_blocks(len(model.words))),
        dim=model.table.dim,
        n_rows=len(model.words),
        metadata=metadata,
        subwords=subwords if model.ngrams else None,
    )


def _make_block(model: FastTextModel, subwords: NGramSubwords, rows: slice, metadata: dict[str, Any]) -> Block:
    spans = model.words[rows]
    start, stop = int(spans[0, 0]), int(spans[-1, 1])
    text = model.data[start:stop].tobytes()  # slices of bytes are much cheaper than those of arrays
    words = decode_words([text[first:last] for first, last in (spans - start).tolist()], metadata)
    vectors = np.empty((len(words), model.table.dim), dtype=np.float32)

    def fill(piece: slice) -> None:
        vectors[piece] = subwords.word_vectors(model.data, spans[piece], own_row=rows.start + piece.start)

    map_threads(fill, row_blocks(len(words), _PIECE_ROWS))
    return Block(words, vectors)


def write_mapped(
    path_in: PathName, path_out: PathName, W: MatrixLike, *, mean: DoubleVector | None = None, overwrite: bool = True
) -> None:
    """Write a copy of a fastText ``.bin`` whose word and n-gram vectors are mapped: ``(x - mean) @ W``.

    The mean of mapped rows is the mapped mean, so the new model computes the mapped vector of every word, inside and
    outside the vocabulary. The output matrix is mapped by the inverse transpose (W itself for a rotation), so that
    without a mean the predictions of the model do not change.

    Parameters
    ----------
    path_in
        The model; it is never changed.
    path_out
        The new model, compressed according to its suffix.
    W
        (dim, dim), invertible.
    mean
        (dim,), subtracted first; None subtracts nothing.
    overwrite
        Whether ``path_out`` may exist.
    """
    path_in, path_out = check_readable(path_in), Path(path_out)
    if path_out.exists() and path_out.samefile(path_in):
        raise ParameterError(f"{path_out}: is the input, which must not be changed. Choose another name.")
    model = parse_model(path_in, map_bytes(path_in))
    if not model.dense:
        raise FormatError(f"{path_in}: is quantised; its rows cannot be mapped. Map the .bin that it was made from.")
    W = check_matrix(W, name="W")
    if W.shape != (model.table.dim, model.table.dim):
        raise ShapeError(f"W must have shape {(model.table.dim,) * 2}, as the vectors of {path_in}. Got {W.shape}.")
    try:
        inverse = np.linalg.inv(W.astype(np.float64)).T.astype(np.float32)
    except np.linalg.LinAlgError:
        raise ParameterError("W must be invertible. Got a singular matrix.") from None

    with replacing_file(path_out, overwrite=overwrite) as temporary, create_binary(temporary, named=path_out) as file:
        position = 0
        none = np.zeros(model.table.dim, dtype=np.float32)
        shift = none if mean is None else mean.astype(np.float32)
        for (start, rows), subtract, change in zip(model.dense, (shift, none), (W, inverse), strict=True):
            _copy(model, position, start, file)
            position = start + rows * model.table.dim * 4
            _write_product(model, start, position, subtract, change, file)
        _copy(model, position, len(model.data), file)


def _copy(model: FastTextModel, start: int, stop: int, file: IO[bytes]) -> None:
    for position in range(start, stop, _COPY_BYTES):
        file.write(model.data[position : min(position + _COPY_BYTES, stop)].data)


def _write_product(
    model: FastTextModel, start: int, stop: int, subtract: FloatVector, change: Matrix, file: IO[bytes]
) -> None:
    matrix = model.data[start:stop].view("<f4").reshape(-1, len(change))
    for rows in row_blocks(len(matrix)):
        file.write(np.ascontiguousarray((matrix[rows] - subtract) @ change, dtype="<f4").data)
