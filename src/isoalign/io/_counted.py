"""Write formats that begin with the number of rows, also when that number is known only at the end."""

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import IO

import numpy as np

from isoalign._types import Matrix
from isoalign._validate import first_bad_row
from isoalign.errors import FormatError, InvalidValueError
from isoalign.io._compression import create_binary
from isoalign.io._stream import VectorStream

__all__ = ["write_counted"]


def write_counted(
    stream: VectorStream,
    temporary: Path,
    *,
    named: Path,
    dtype: str,
    header: Callable[[int], bytes],
    encode: Callable[[list[str], Matrix], memoryview],
) -> None:
    """Write a header that holds the number of rows, then the rows.

    Rows whose number is unknown wait in a nameless file beside the output until it is.

    Parameters
    ----------
    dtype
        Type of the numbers that ``encode`` gets.
    header
        Makes the header from the number of rows.
    encode
        Makes the bytes of a block from its words and its vectors.
    """

    def write_rows(file: IO[bytes]) -> int:
        written = 0
        for block in stream.blocks:
            with np.errstate(over="ignore"):  # a number beyond the type's range becomes infinite and is named below
                vectors = np.ascontiguousarray(block.vectors, dtype=dtype)
            bad = first_bad_row(vectors)
            if bad is not None:
                raise InvalidValueError(
                    f"{named}: row {written + bad + 1} ({block.words[bad]!r}) holds NaN, infinity or a number "
                    f"too large for {vectors.dtype}. Repair or drop that row."
                )
            file.write(encode(block.words, vectors))
            written += len(block.words)
        return written

    with create_binary(temporary, named=named) as file:
        if stream.n_rows is None:
            with tempfile.TemporaryFile(dir=temporary.parent) as waiting:
                file.write(header(write_rows(waiting)))
                waiting.seek(0)
                shutil.copyfileobj(waiting, file, 1 << 20)
            return
        file.write(header(stream.n_rows))
        written = write_rows(file)
    if written != stream.n_rows:
        raise FormatError(f"{named}: {stream.n_rows} rows were announced, but {written} came. Is the source damaged?")
